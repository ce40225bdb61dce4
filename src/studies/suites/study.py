"""Describe the embedded suites: ranks that their tasks separate, and how few tasks keep them."""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from saturation.files.formats import ITEM, TASK
from saturation.files.tables import NamedTables, Row
from saturation.suite import report
from saturation.suite.report import BY_RANK, FRONTIER, KEPT, TOP, Lite, Suite, Table
from studies.quantity import Quantity, frame
from studies.style import BLUE, GREY, VERMILION, caption

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MTEB, LIVEBENCH = "mteb_eng_v2", "livebench"
V1, V2, HELM = "open_llm_v1", "open_llm_v2", "helm_capabilities"
# Columns of the Open LLM Leaderboards: model, date, tasks, and the highest score.
OPEN_LLM = {
    V1: ("Model", "date", ["ARC", "HellaSwag", "MMLU", "TruthfulQA", "Winogrande", "GSM8K"], 100),
    V2: (
        "fullname",
        "Submission Date",
        [f"{task} Raw" for task in ("IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO")],
        1,
    ),
}
DIGITS = 5


def mteb(scores: pd.DataFrame, models: pd.DataFrame, tasks: pd.DataFrame) -> Table:
    """Join the embedded tables of MTEB."""
    models = models.set_index("model")
    return Table(
        scores.set_index("model"),
        tasks.set_index("task")["family"],
        models["family"],
        models["released"],
    )


def livebench(answers: pd.DataFrame) -> Table:
    """Average LiveBench's graded answers by task; models and tasks are families of their own."""
    scores = answers.drop(columns=ITEM).groupby(TASK).mean().T
    names, kinds = pd.Series(scores.index, scores.index), pd.Series(scores.columns, scores.columns)
    return Table(scores, kinds, names, pd.Series(dtype="str"))


def plain_suite(scores: pd.DataFrame) -> Table:
    """Take a table of ``model, family, released`` and tasks; each task is a family of its own."""
    scores = scores.set_index("model")
    released = scores.pop("released") if "released" in scores else pd.Series(dtype="str")
    families = scores.pop("family")
    return Table(scores, pd.Series(scores.columns, scores.columns), families, released)


def compact_open_llm(name: str, evaluations: pd.DataFrame) -> pd.DataFrame:
    """Return the embedded table of an Open LLM Leaderboard from its pinned source.

    Of several evaluations of a model the newest counts; the models with the best means are kept,
    as many as a suite ranks. A family is the account that a model's name begins with.
    """
    model, date, tasks, highest = OPEN_LLM[name]
    dated = evaluations.assign(released=evaluations[date].str[:10])
    newest = dated.sort_values([model, "released"], kind="stable", na_position="first")
    newest = newest.drop_duplicates(model, keep="last").set_index(model)
    scores = (newest[tasks] / highest).dropna().round(DIGITS)
    best = scores.loc[scores.mean(axis=1).nlargest(report.MOST_MODELS).index]
    table = best.rename(columns=lambda task: task.removesuffix(" Raw")).rename_axis("model")
    table.insert(0, "family", table.index.str.partition("/").get_level_values(0))
    table.insert(1, "released", newest["released"].reindex(table.index))
    return table.reset_index().sort_values("model", ignore_index=True)


def compact_helm(scores: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Return the embedded table of HELM Capabilities; a family is the first word of a name."""
    table = pd.DataFrame(scores).T.round(DIGITS).rename_axis("model").sort_index(axis=1)
    table.insert(0, "family", table.index.str.partition(" ").get_level_values(0))
    return table.reset_index().sort_values("model", ignore_index=True)


def study(tables: Mapping[str, Table], seed: int = 0) -> NamedTables:
    """Describe each suite.

    Tables by the names of their files: ``rankings``, a row a suite and aggregate: separated ranks,
    models possibly best; ``tasks``, a row a suite and task: what the other tasks predict, its place
    to be kept; ``lite``, a row a suite, group of later models and number of tasks; ``quantities``.
    """
    suites = {name: report.describe(table, seed=seed) for name, table in tables.items()}
    tasks = [
        pd.DataFrame(map(dataclasses.asdict, suite.tasks)).assign(suite=name)
        for name, suite in suites.items()
    ]
    return {
        "rankings": pd.DataFrame(_ranking_rows(suites)),
        "tasks": pd.concat(tasks).astype({"kept_as": "Int64"}),
        "lite": pd.DataFrame(
            {"suite": name, **dataclasses.asdict(trial)}
            for name, suite in suites.items()
            for trial in (suite.lite.trials if suite.lite else ())
        ),
        "quantities": frame(_quantities(suites)),
    }


def _ranking_rows(suites: Mapping[str, Suite]) -> Iterator[Row]:
    """Yield a row for each suite and aggregate."""
    for name, suite in suites.items():
        for aggregate in suite.aggregates:
            yield {
                "suite": name,
                "aggregate": aggregate.name,
                "models": suite.models,
                "tasks": len(suite.tasks),
                "leader": aggregate.leader,
                "adjacent_separated_by_tasks": aggregate.adjacent_by_tasks,
                "possibly_best_by_tasks": len(aggregate.possibly_best_by_tasks),
                "possibly_best_by_families": len(aggregate.possibly_best_by_families),
            }


def _quantities(suites: Mapping[str, Suite]) -> Iterator[Quantity]:
    """Yield the headline numbers of each suite."""
    for name, suite in suites.items():
        mean, lite_suite = suite.aggregates[0], suite.lite
        numbers = {
            "models": suite.models,
            "tasks": len(suite.tasks),
            "adjacent_separated": mean.adjacent_by_tasks,
            "possibly_best_by_tasks": len(mean.possibly_best_by_tasks),
            "possibly_best_by_families": len(mean.possibly_best_by_families),
            "dimensions": suite.dimensions,
            "dimensions_of_the_best": suite.dimensions_of_the_best,
        }
        if lite_suite:
            numbers |= _lite_numbers(lite_suite)
        for quantity, value in numbers.items():
            yield Quantity(f"{name}__{quantity}", value)


def _lite_numbers(lite_suite: Lite) -> Iterator[tuple[str, float]]:
    """Yield what fewer tasks keep; nothing where too few pairs are separated."""
    third = lite_suite.third()
    yield "later_models", lite_suite.models_later
    yield "separated_pairs", third.pairs
    if third.pairs >= report.FEWEST_PAIRS:
        yield "third_kept", third.kept
        yield "third_kept_by_rank", lite_suite.third(chosen_by=BY_RANK).kept
    if trial := lite_suite.fewest():
        yield "fewest_tasks", trial.tasks
    if trial := lite_suite.fewest(FRONTIER):
        yield "fewest_tasks_at_the_frontier", trial.tasks


def figure(tables: NamedTables) -> "Figure":
    """Draw which share of the separated pairs of later models a number of MTEB's tasks keeps."""
    import matplotlib.pyplot as plt

    rows = tables["lite"].query("suite == @MTEB")
    canvas, axes = plt.subplots(figsize=(5.5, 3.2))
    looks = {
        (report.LATER, report.BY_ERROR): ("all later models", BLUE, "-"),
        (report.LATER, report.BY_RANK): (
            "all later, tasks by rank correlation",
            GREY,
            "--",
        ),
        (report.FRONTIER, report.BY_ERROR): (f"best {TOP} later models", VERMILION, "-"),
    }
    for (models, chosen_by), (label, colour, style) in looks.items():
        part = rows[(rows["models"] == models) & (rows["chosen_by"] == chosen_by)]
        axes.plot(part["tasks"], 100 * part["kept"], style, color=colour, label=label)
    axes.axhline(100 * KEPT, color=GREY, lw=0.8, ls=":")
    axes.set_xlabel("tasks kept")
    axes.set_ylabel("separated pairs kept, %")
    axes.set_ylim(0, 102)
    axes.legend(fontsize=7, loc="lower right")
    value = tables["quantities"].set_index("quantity")["value"]
    caption(
        canvas,
        _title(value),
        f"MTEB (eng, v2): {value[f'{MTEB}__models']:.0f} models; tasks are chosen on the older "
        f"ones and tried on {value[f'{MTEB}__later_models']:.0f} later ones.",
    )
    return canvas


def _title(value: "pd.Series[float]") -> str:
    """Say how few tasks keep the separated pairs of later models, and of the best of them."""
    pairs = f"{100 * KEPT:.0f} % of the separated pairs of later models"
    fewest, at_top = f"{MTEB}__fewest_tasks", f"{MTEB}__fewest_tasks_at_the_frontier"
    if fewest not in value:
        return f"No smaller suite keeps {pairs}"
    frontier = f"it takes {value[at_top]:.0f}" if at_top in value else "no smaller suite does"
    tasks = f"{value[fewest]:.0f} of {value[f'{MTEB}__tasks']:.0f} tasks"
    return f"{tasks} keep {pairs}; for the best {TOP} {frontier}"
