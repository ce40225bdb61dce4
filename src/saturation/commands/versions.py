"""The command `compare` for two versions of a system, and for two models on many benchmarks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pandas as pd

from saturation.commands.base import Options, Refused, as_json, default_config
from saturation.commands.benchmark import declared_of, paths_of
from saturation.compare import gate, published, sequential, suite, tables
from saturation.compare import report as reports
from saturation.compare.paired import LIKE, THESE, Answers, pair_answers
from saturation.compare.report import Report
from saturation.compare.suite import Item, Settings
from saturation.errors import InputError, listed, refuse
from saturation.leaderboard.read import columns, registry
from saturation.leaderboard.read.rows import Choice, Origin
from saturation.leaderboard.runs import elsewhere
from saturation.own import imports

# Responses of each file that holds a task.
Tasks = dict[str, list[pd.DataFrame]]
# What distinguishes the files of several runs of one task.
_RUN = re.compile(r"[-_.](run|seed|trial|epoch)[-_]?\d+$", re.I)
# Kinds of files that print scores.
PRINTED = (".md", ".markdown", ".html", ".htm", ".csv", ".tsv")


def compare_versions(options: Options) -> str:
    """Compare two versions by their files, and decide by the rules of ``--fail-on``."""
    if not options.baseline:
        raise InputError("--candidate needs --baseline: the answers of the present version")
    settings = _settings(options)
    baseline = _load_tasks(options.baseline, options)
    names = [_model_of("--baseline", baseline)]
    if not options.candidate:
        return _describe_baseline(baseline, options, settings)
    if set(map(Path.resolve, options.baseline)) & set(map(Path.resolve, options.candidate)):
        raise InputError("a file is given as --baseline and as --candidate; name two versions")
    candidate = _load_tasks(options.candidate, options)
    names.append(_model_of("--candidate", candidate))
    if names[0] == names[1]:
        names = ["baseline", "candidate"]
    report = _report_on_answers(names, _pair_tasks(baseline, candidate), options, "these", settings)
    notes = [*_dates_that_are_swapped(baseline, candidate)]
    if options.until_decided > 1 and report.gate:
        notes.append(_next_run(report, options.until_decided))
    report = replace(report, notes=notes)
    text = _write_report(report, options)
    outcome = report.gate
    if outcome is not None and outcome.decision != gate.PASS:
        more = len(outcome.reasons) - 1
        sentence = f"{outcome.decision}: {outcome.reasons[0]}" + f" (and {more} more)" * bool(more)
        raise Refused(text, sentence, outcome.exit_code)
    return text


def compare_on_many(options: Options) -> str | None:
    """Compare two models on the benchmarks of files; None for a single benchmark."""
    # The first is compared with the second, as on one benchmark.
    names, settings = (options.second, options.first), _settings(options)
    if len(options.files) == 1 and options.files[0].suffix.lower() in PRINTED:
        report = _report_on_scores(names, options, settings)
        if report is not None:
            return _write_report(report, options)
    if not _holds_several_tasks(options):
        return None
    tasks = _load_tasks(options.files, options)
    pairs = _pair_tasks(*(_answers_of_model(name, tasks) for name in names))
    return _write_report(_report_on_answers(names, pairs, options, "like", settings), options)


def _holds_several_tasks(options: Options) -> bool:
    try:
        return len(_tasks_of(options.files[0], options)) > 1
    except InputError:  # such as votes, which the comparison on one benchmark reads
        return False


def _answers_of_model(name: str, tasks: Tasks) -> Tasks:
    if name not in (models := _models_of(tasks)):
        raise InputError(f"no model is called '{name}'; the files hold {listed(models)}")
    return {
        task: [frame[frame["model"] == name] for frame in frames] for task, frames in tasks.items()
    }


def _models_of(tasks: Tasks) -> set[str]:
    frames = [frame for frames in tasks.values() for frame in frames]
    return {str(model) for frame in frames for model in frame["model"].unique()}


def _settings(options: Options) -> Settings:
    config = default_config()
    section = config["own"]
    margin = options.meaningful_difference or section["meaningful_difference"]
    if not 0 < margin < 1:
        raise InputError(f"--meaningful-difference {margin:g}: expected a share from 0 to 1")
    if options.until_decided < 1:
        raise InputError(f"--until-decided {options.until_decided}: expected a number of runs")
    return Settings(
        level=section["level"],
        margin=margin,
        ceiling=config["plateau"]["ceiling"],
        power=section["power"],
        looks=options.until_decided,
    )


def _tasks_of(path: Path, options: Options) -> list[str]:
    if options.task is not None:
        return [options.task]
    return list(registry.tasks(Origin(path, options.model), Choice.select(vars(options))))


def _load_tasks(files: Sequence[Path], options: Options) -> Tasks:
    """Read the responses to every task of the files; files of scores may stand beside them."""
    tasks: Tasks = {}
    scored = {}
    with paths_of(files) as paths:
        for path in paths:
            for task, responses in _responses_of(path, options):
                if responses.empty:
                    scored[task] = path
                else:
                    tasks.setdefault(task, []).append(responses)
    for task in scored.keys() - tasks:
        raise InputError(
            f"{scored[task]}: scores without answers to items; give the items' answers, such as "
            "lm-eval's samples_*.jsonl or a log of Inspect"
        )
    return tasks


def _responses_of(path: Path, options: Options) -> Iterator[tuple[str, pd.DataFrame]]:
    """Read a file's tasks; a file without task names is named after the file without its run."""
    declarations = declared_of(options)
    for task in _tasks_of(path, options) or [""]:
        declared = {**declarations, "task": task} if task else declarations
        loaded = imports.load([{"path": str(path)}], declared)
        entry = imports.conclude(loaded, declared)
        responses = imports.join_tables(entry.name, loaded, entry.declared).responses
        yield task or _RUN.sub("", entry.name), responses


def _pair_tasks(baseline: Tasks, candidate: Tasks) -> dict[str, Answers]:
    """Pair the tasks of two versions by their names; a single task of each needs no same name."""
    if len(baseline) == len(candidate) == 1:
        candidate = dict(zip(baseline, candidate.values()))
    refuse(
        f"task '{task}' is only in the {'baseline' if task in baseline else 'candidate'}; "
        "give its answers of both versions, under one name"
        for task in sorted(baseline.keys() ^ candidate.keys())
    )
    pairs = {task: pair_answers(frames, candidate[task]) for task, frames in baseline.items()}
    gate.check_tasks(pairs)
    return pairs


def _report_on_answers(
    names: Sequence[str],
    tasks: Mapping[str, Answers],
    options: Options,
    question: str,
    settings: Settings,
) -> Report:
    target = _question(options, question)
    bounds = {
        task: gate.bound_difference(answers, target, settings.level)
        for task, answers in tasks.items()
    }
    items = [
        suite.Item(
            task, bound.observed, bound.observed.scores, notes=gate.note_missing(tasks[task], bound)
        )
        for task, bound in bounds.items()
    ]
    report = _judge(names, target, items, settings)
    rules = gate.parse_rules(options.fail_on)
    return replace(
        report,
        gate=gate.decide(bounds, report.suite, rules, settings) if options.fail_on else None,
        flips={task: gate.find_flips(answers) for task, answers in tasks.items()},
    )


def _question(options: Options, usual: str) -> str:
    """Return the question that the options ask, or the usual one."""
    return THESE if (options.question or usual) == "these" else LIKE


def _judge(
    names: Sequence[str], question: str, items: Sequence[Item], settings: Settings
) -> Report:
    judged = suite.judge_suite(items, settings)
    summary = suite.summarize(judged, names[1], names[0], settings.margin)
    return Report(names[0], names[1], question, summary, judged)


def _detect_sizes(names: Sequence[str]) -> bool:
    """Tell whether a column of scores has a number of items beside it, and no other scores."""
    sizes = [name for name in names if columns.words(name) <= columns.OF_N]
    return bool(sizes) and len(names) - len(sizes) < 2


def _report_on_scores(names: Sequence[str], options: Options, settings: Settings) -> Report | None:
    """Compare two models by the scores that a file prints; None without a score table."""
    try:
        scores = tables.load_published(options.files[0], options.score_range)
    except InputError:
        return None
    models = set(scores["model"])
    is_delimited = options.files[0].suffix.lower() in (".csv", ".tsv")
    lacking = [name for name in names if name not in models]
    # Answers to items, a row each, or one benchmark with its number of items.
    repeated = scores.duplicated(["table", "benchmark", "metric", "model"]).any()
    single = repeated or _detect_sizes(scores["benchmark"].unique().tolist())
    if is_delimited and (single or lacking):
        return None
    if lacking:
        raise InputError(f"no model is called '{lacking[0]}'; the tables hold {listed(models)}")
    catalogue = published.load_catalogue()
    catalogue.declare(dict(text.split("=", 1) for text in options.items or () if "=" in text))
    target = _question(options, "like")
    rows = published.pair_scores(scores, *names)
    agreement = published.load_agreement()
    items = [published.compare_published(row, catalogue, agreement, target) for row in rows]
    return replace(_judge(names, target, items, settings), notes=published.CAVEATS)


def _describe_baseline(baseline: Tasks, options: Options, settings: Settings) -> str:
    """Plan a comparison from the baseline alone, and check the suite against itself."""
    agreement = published.load_agreement()
    plans, checks = {}, {}
    for task, frames in baseline.items():
        answers = pair_answers(frames, frames).baseline
        part = published.predict_agreement(agreement, elsewhere(task).kind).run_part.upper
        runs = max(answers.shape[1], options.until_decided)
        plans[task] = sequential.plan_runs(answers, runs, settings.margin, settings.power, part)
        checks[task] = sequential.check_stability(answers, settings.margin)
    if options.json:
        return as_json(
            {
                "plans": {task: asdict(plan) for task, plan in plans.items()},
                "checks": {task: asdict(check) for task, check in checks.items() if check},
            }
        )
    return reports.describe_plan(plans, checks)


def _next_run(report: Report, most: int) -> str:
    runs = min(row.item.difference.n_runs or 1 for row in report.suite.rows if row.item.difference)
    assert report.gate is not None
    if report.gate.decision != gate.INCONCLUSIVE:
        return f"decided after {runs} of at most {most} runs: no more are needed"
    if runs >= most:
        return f"all {most} runs are used; more items would decide"
    return f"not decided after run {runs} of at most {most}: add a run of each version, call again"


def _model_of(option: str, tasks: Tasks) -> str:
    names = _models_of(tasks)
    if len(names) > 1:
        raise InputError(
            f"{option}: the files hold {len(names)} models, {listed(names)}; give files of one "
            "version, or compare two models: saturation compare A B FILES"
        )
    return names.pop()


def _dates_that_are_swapped(baseline: Tasks, candidate: Tasks) -> Iterator[str]:
    dates = []
    for side in (baseline, candidate):
        frames = [frame["date"].astype(str) for frames in side.values() for frame in frames]
        days = set().union(*frames) - {""}
        if not days:
            return
        dates.append((min(days), max(days)))
    if dates[0][0] > dates[1][1]:
        yield (
            f"the baseline's answers ({dates[0][0]}) are newer than the candidate's "
            f"({dates[1][1]}): are the versions swapped?"
        )


def _write_report(report: Report, options: Options) -> str:
    if options.page:
        options.page.write_text(reports.write_page(report), encoding="utf-8")
    if options.json:
        return as_json(reports.encode_report(report))
    return reports.write_markdown(report) if options.markdown else reports.write_text(report)
