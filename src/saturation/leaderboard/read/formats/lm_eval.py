"""lm-evaluation-harness: ``results_*.json`` (both key styles) and ``samples_*.jsonl``."""

from collections.abc import Mapping
from dataclasses import replace
from numbers import Number
from typing import Any

from saturation.errors import InputError
from saturation.leaderboard.names import LM_EVAL_SAMPLES, lm_eval_results
from saturation.leaderboard.read import open, rows
from saturation.leaderboard.read.columns import words_set
from saturation.leaderboard.read.registry import Content, Importer, Records, Shape
from saturation.leaderboard.read.rows import Choice, Imported, Origin, Response, Score

# Keys of a sample that are not its metrics. Newer files list the metrics themselves.
_NOT_METRICS = words_set(
    """doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash
    target_hash task_name idx"""
)


def results(content: Content, choice: Choice, origin: Origin) -> Imported:
    """Return a score from a results file.

    A group stands for its subtasks: its own score is taken, with the sum of their n, and never
    beside theirs.
    """
    present = content["results"] if choice.task else _top(content)
    task = rows.choose(choice, "task", present, origin)
    entry = content["results"][task]
    metric, suffix = _metric(entry, choice, origin)
    facts = rows.bounds_of(metric)
    declared = content.get("higher_is_better", {}).get(task, {}).get(metric)
    if declared is not None:
        facts = facts._replace(higher_is_better=bool(declared))
    score = Score(
        model=origin.model or model_name(content, origin.file),
        score=entry[metric + suffix],
        metric=metric,
        task=task,
        standard_error=rows.float_of(entry.get(f"{metric}_stderr{suffix}")),
        n_items=_n_items(content, task),
        date=origin.date or _date(content),
        **facts._asdict(),
    )
    return Imported(scores=[score])


def tasks(content: Content, choice: Choice, _origin: Origin) -> list[str]:
    """Return the tasks that are not part of a group: those with the chosen metric, if any is."""
    present = _top(content)
    fitting = [
        task
        for task in present
        if any(key.partition(",")[0] == choice.metric for key in content["results"][task])
    ]
    return fitting or present


def samples(numbered: Records, choice: Choice, origin: Origin) -> Imported:
    """Return item responses from a samples file, a response for each document.

    The harness appends to a samples file when an evaluation is repeated, so of several lines for
    one document the last one counts. With several filters one has to be chosen: they are scorings
    of the same documents, not further documents.
    """
    model, file_task = identify(origin)
    latest: dict[tuple[str, str], tuple[int, Any, str]] = {}
    filters: dict[str, None] = {}
    metric = choice.metric
    n_lines = 0
    for number, sample in numbered:
        name = str(sample.get("filter", "none"))
        filters.setdefault(name)
        if choice.filter is not None and name != choice.filter:
            continue
        metric = metric or rows.choose(choice, "metric", _metrics(sample), origin)
        if metric not in sample:
            listed = ", ".join(_metrics(sample))
            raise InputError(
                f"{origin.file}, line {number}: no metric '{metric}'; the line has: {listed}"
            )
        if sample["doc_id"] is None:
            raise InputError(
                f"{origin.file}, line {number}: doc_id is null; each document needs its own"
            )
        n_lines += 1
        task = str(sample.get("task_name") or file_task or "")
        latest[task, str(sample["doc_id"])] = (number, sample[metric], _option(sample, metric))
    filtered = rows.choose(choice, "filter", filters, origin)
    responses = [
        Response(
            model=model,
            item=f"{task}/{document}" if task else document,
            response=value,
            row=number,
            choice=option,
        )
        for (task, document), (number, value, option) in latest.items()
    ]
    repeated = n_lines - len(latest)
    notes = [f"filter '{filtered}', metric '{metric}'"]
    if repeated:
        notes.append(f"{repeated} repeated lines: the last line of each document was taken")
    return Imported(responses=responses, notes=notes, **rows.bounds_of(metric or "")._asdict())


def _option(sample: Content, metric: str) -> str:
    """Return the option that the model chose: its text, or its place by the log likelihoods.

    ``acc`` takes the most likely option, ``acc_norm`` the most likely a letter of its text.
    """
    answers = sample.get("filtered_resps")
    if not isinstance(answers, list) or not answers:
        return ""
    if len(answers) == 1:
        return rows.option(answers[0])
    lengths = [1.0] * len(answers) if metric == "acc" else _lengths(sample.get("arguments"))
    if metric not in ("acc", "acc_norm") or len(lengths) != len(answers):
        return ""
    likelihoods = [float(answer[0]) for answer in answers]
    places = range(len(answers))
    return str(max(places, key=lambda place: likelihoods[place] / max(lengths[place], 1.0)))


def _lengths(arguments: Any) -> list[float]:
    """Return how many letters each option has, by the arguments of a sample's requests."""
    requests = list(arguments.values()) if isinstance(arguments, Mapping) else arguments or []
    texts = [
        request.get("arg_1", "") if isinstance(request, Mapping) else request[1]
        for request in requests
    ]
    return [float(len(str(text).removeprefix(" "))) for text in texts]


def identify(origin: Origin) -> tuple[str, str | None]:
    """Return model and task of a samples file, which holds neither.

    From the config, else from the results file of the same run beside it, else from the names
    that the harness gives to the file and to its folder.
    """
    match = LM_EVAL_SAMPLES.match(origin.path.stem)
    task = origin.task or (match["task"] if match else None)
    if origin.model:
        return origin.model, task
    if path := lm_eval_results(origin.path):
        if path.is_file():
            return model_name(open.parse_beside(path), replace(origin, path=path).file), task
        folder = origin.path.parent.name
        if "__" in folder:
            return folder.replace("__", "/"), task
    why = "the samples name no model, and there is no results file of the same run beside them"
    raise rows.nameless(origin.file, why)


def model_name(content: Content, file: str) -> str:
    """Return the model's name from a results file."""
    if content.get("model_name"):
        return str(content["model_name"])
    config = content.get("config") or {}
    arguments = config.get("model_args") or {}
    if isinstance(arguments, str):
        pairs = (pair.split("=", 1) for pair in arguments.split(",") if "=" in pair)
        arguments = {key.strip(): value for key, value in pairs}
    for key in ("pretrained", "model"):
        if arguments.get(key):
            return str(arguments[key])
    raise rows.nameless(file, "the file names no model (model_name, config.model_args)")


def _top(content: Content) -> list[str]:
    """Return the tasks that have scores and are in no group that has its own."""
    scored = {task: entry for task, entry in content["results"].items() if _scores_of(entry)}
    members = content.get("group_subtasks") or {}
    inside = {subtask for group in scored for subtask in members.get(group, ())}
    return [task for task in scored if task not in inside]


def _scores_of(entry: Content) -> list[tuple[str, str]]:
    """Return the metrics of an entry, each with its suffix."""
    return [
        (name, comma + filtered)
        for name, comma, filtered in (key.partition(",") for key in entry)
        if not name.endswith("_stderr") and isinstance(entry[name + comma + filtered], Number)
        if name not in ("sample_len", "sample_count")
    ]


def _match_results(content: Content) -> bool:
    """Check the types inside ``results``, a key that further tools use as well."""
    results = content["results"]
    parts = [content["config"], *(results.values() if isinstance(results, Mapping) else [None])]
    values = (value for part in parts[1:] if isinstance(part, Mapping) for value in part.values())
    return all(isinstance(part, Mapping) for part in parts) and not any(
        isinstance(value, Mapping) for value in values
    )


def _metric(entry: Content, choice: Choice, origin: Origin) -> tuple[str, str]:
    """Split a key into metric and suffix: ``,filter`` in the newer style, nothing in the older."""
    keys = _scores_of(entry)
    series = rows.last_of_series({name: entry[name + suffix] for name, suffix in keys})
    metric = rows.choose(choice, "metric", [name for name, _ in keys], origin, proposed=series)
    suffixes = [suffix.lstrip(",") for name, suffix in keys if name == metric]
    if suffixes == [""]:
        return metric, ""
    return metric, "," + rows.choose(choice, "filter", suffixes, origin)


def _n_items(content: Content, task: str) -> int | None:
    """Count documents of a task, or of all tasks below a group; None if the file lacks counts."""
    counts = content.get("n-samples") or {}
    if task in counts:
        return int(counts[task].get("effective", counts[task].get("original")))
    if subtasks := [*filter(None, (content.get("group_subtasks") or {}).get(task, []))]:
        below = [_n_items(content, name) for name in subtasks]
        return None if None in below else sum(map(int, filter(None, below)))
    length = content["results"].get(task, {}).get("sample_len")
    return None if length is None else int(length)


def _metrics(sample: Content) -> list[str]:
    listed = sample.get("metrics")
    if isinstance(listed, list):
        return [str(name) for name in listed]
    return [
        key for key, v in sample.items() if key not in _NOT_METRICS and isinstance(v, (int, float))
    ]


def _date(content: Content) -> str | None:
    stamp = content.get("date")
    return rows.utc_date(stamp) if isinstance(stamp, (int, float)) else None


FORMATS = (
    Importer(
        "lm_eval_results",
        "lm-evaluation-harness results",
        Shape.DOCUMENT,
        results,
        keys=("results", "config"),
        accepts=_match_results,
        holds="the results by task",
        tasks=tasks,
    ),
    Importer(
        "lm_eval_samples",
        "lm-evaluation-harness samples",
        Shape.LINES,
        samples,
        keys=("doc_id",),
        accepts=lambda sample: bool(
            {"doc", "target", "resps", "filtered_resps", "metrics"} & set(sample)
        ),
        holds="its document, target, answers or metrics",
    ),
)
