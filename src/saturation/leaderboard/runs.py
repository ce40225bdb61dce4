"""Compare two models by repeated runs, and value a further run or item."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from saturation.arrays import PlainNumbers
from saturation.index import K
from saturation.statistics import components
from saturation.statistics.intervals import CONFIDENCE

# With fewer items or runs an error's parts are not worth an interval.
FEWEST_ITEMS, FEWEST_RUNS = 10, 3
# Share of the items that a run has to have: one that broke off counts for nothing.
LEAST_COVERAGE = 0.9


@dataclass(frozen=True)
class Elsewhere:
    """Share of runs in a difference's variance at a single run, on leaderboards of a kind."""

    kind: str
    boards: int
    lowest: float
    middle: float
    highest: float
    abstains: None = None


# From results/boards/noise.csv, column run_share: 16 leaderboards of some fifty open models at
# temperature 0.7 (all-the-noises at 929a82c). A test compares them with the results.
ANY_KIND = Elsewhere("any kind", 16, 0.23, 0.56, 0.95)
KINDS = {
    r"aime|math|gsm8?k|amc|olymp": Elsewhere("mathematics", 3, 0.71, 0.93, 0.95),
    r"code|crux|human.?eval|mbpp|swe.?bench|ds.?1000": Elsewhere("code", 7, 0.23, 0.42, 0.63),
    r"exam|gpqa|mmlu|lsat|gmat|^ap$|gre_|jeebench": Elsewhere("exams", 6, 0.44, 0.57, 0.74),
}


@dataclass(frozen=True)
class Runs(PlainNumbers):
    """The two errors of the difference between two models, by their repeated runs."""

    first: str  #: the better model
    kth: str
    n_items: int  #: that both answered in every run
    n_runs: int  #: of the model that has fewer
    gap: float  #: difference of their mean scores
    error: float  #: standard error of the gap with these runs
    lower: float
    upper: float
    items: float  #: its part that would remain with infinitely many runs
    runs: float  #: its part that they would take away
    run_share: float  #: of the variance at a single run
    one_more_run: float  #: the error then
    as_many_items: float  #: and with as many answers to new items instead
    settles: str  #: "nothing more", "runs" or "items": what would show that the two differ
    #: P-value of the F test that a whole run moves all of a model's answers; the smaller one of
    #: two, doubled.
    run_effect_p: float
    printed: bool = False  #: whether the source prints errors
    #: How many times too small they are, or errors over runs alone if it prints none: least and
    #: most of the listed models. None where most printed ones are nearer to those over items.
    times_least: float | None = None
    times_most: float | None = None
    abstains: None = None


def elsewhere(benchmark: str) -> Elsewhere:
    """Return the runs' share on similar leaderboards, chosen by the benchmark's name."""
    return next(
        (kind for name, kind in KINDS.items() if re.search(name, benchmark, re.I)), ANY_KIND
    )


def times(n: int, k: int, level: float) -> float:
    """Return the errors in half the width of intervals of all pairs of the top k, by Bonferroni."""
    return float(special.stdtrit(n - 1, 1 - (1 - level) / (k * (k - 1))))


def errors_of_source(
    responses: pd.DataFrame, models: Sequence[str], stated: pd.Series
) -> dict[str, Any]:
    """Compare the errors that a source prints, or errors over runs alone, with those over items.

    Fields of :class:`Runs`. Models without enough whole runs and items are left out; `stated` is
    the printed error of each model, by its name.
    """
    tables = {model: _table(responses, model) for model in models}
    errors = {
        model: [side.sem() for side in (x.mean(axis=1), x.mean())]
        for model, x in tables.items()
        if x.shape[1] >= FEWEST_RUNS and len(x) >= FEWEST_ITEMS
    }
    alone = pd.DataFrame.from_dict(errors, orient="index", columns=["items", "runs"])
    alone = alone[(alone > 0).all(axis=1)].assign(stated=stated)
    measured = alone[alone["stated"] > 0]
    printed = len(measured) > 0
    ratio = measured["items"] / measured["stated"] if printed else alone["items"] / alone["runs"]
    # Printed errors leave items out where they are nearer to those over runs.
    nearer = measured["stated"] ** 2 < measured["items"] * measured["runs"]
    if ratio.empty or (printed and nearer.mean() <= 0.5):
        return {"printed": printed}
    return {"printed": printed, "times_least": ratio.min(), "times_most": ratio.max()}


def unusable(responses: pd.DataFrame, one: str, other: str) -> str | None:
    """Explain why the runs of two models do not measure the runs' part, or None if they do."""
    tables = {model: _table(responses, model) for model in (one, other)}
    for model, table in tables.items():
        if table.shape[1] < FEWEST_RUNS:
            return f"{model} has {table.shape[1]} whole runs; {FEWEST_RUNS} are needed"
    shared = len(tables[one].index.intersection(tables[other].index))
    if shared < FEWEST_ITEMS:
        return f"the runs of {one} and {other} share {shared} items; {FEWEST_ITEMS} are needed"
    return None


def repeated(
    responses: pd.DataFrame, one: str, other: str, k: int = K, level: float = CONFIDENCE
) -> Runs:
    """Estimate the difference of two models by their runs, after :func:`unusable` found nothing.

    An item counts where a model answered it in all its runs. More runs settle a difference that is
    large beside what infinitely many would leave, among all pairs of the top k.
    """
    tables = {model: _table(responses, model) for model in (one, other)}
    items = tables[one].index.intersection(tables[other].index)
    first, second = sorted(tables, key=lambda model: -tables[model].loc[items].to_numpy().mean())
    answers = [tables[model].loc[items].to_numpy() for model in (first, second)]
    difference = components.decompose(components.estimate_from_runs(answers))
    n, m = len(items), min(table.shape[1] for table in answers)
    gap = answers[0].mean() - answers[1].mean()
    error, alone = difference.error(m, level=level), difference.error(np.inf).value
    single, reach = difference.variance(n, 1), times(n, k, level)
    unsettled = "runs" if gap > reach * alone else "items"
    return Runs(
        first=first,
        kth=second,
        n_items=n,
        n_runs=m,
        gap=gap,
        error=error.value,
        lower=error.lower,
        upper=error.upper,
        items=alone,
        runs=np.sqrt(max(error.value**2 - alone**2, 0.0)),
        run_share=1 - alone**2 / single if single > 0 else np.nan,
        one_more_run=difference.error(m + 1).value,
        as_many_items=difference.error(m, n * (1 + 1 / m)).value,
        settles="nothing more" if gap > reach * error.value else unsettled,
        run_effect_p=min(1.0, 2 * min(_run_effect(table) for table in answers)),
    )


def _table(responses: pd.DataFrame, model: str) -> pd.DataFrame:
    """Items by runs of a model, without runs that lack many items and items that a run lacks."""
    rows = responses[responses["model"] == model].astype({"item": str, "run": str})
    table = rows.pivot(index="item", columns="run", values="response")
    return table.dropna(axis=1, thresh=int(LEAST_COVERAGE * len(table))).dropna().astype(float)


def _run_effect(answers: np.ndarray) -> float:
    """Test equality of the means of a model's runs; return the F test's p-value."""
    n, m = answers.shape
    within = answers - answers.mean(axis=1, keepdims=True)
    means = within.mean(axis=0)
    degrees = (n - 1) * (m - 1)
    noise = ((within - means) ** 2).sum() / degrees
    if noise == 0:
        return 1.0
    return float(special.fdtrc(m - 1, degrees, n * means.var(ddof=1) / noise))
