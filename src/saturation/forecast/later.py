"""H1 to H6 asked of what came: how far, and how fast, scores of the annotated benchmarks rose.

The plateau paper asks its hypotheses of the gaps of one day. Here the same groups are compared by
the dated best scores of those benchmarks that the histories have.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.forecast import schemas
from saturation.forecast.lifespans import SMALLEST_GROUP
from saturation.forecast.links import LOGISTIC
from saturation.forecast.names import ALIASES
from saturation.forecast.series import months_after
from saturation.plateau.groupings import comparisons
from saturation.statistics import intervals, permutation

Floats = NDArray[np.float64]

PERMUTATIONS = 9999
OUTCOMES = ("reached", "a_year", "since")
COURSES = ["benchmark_id", "series", "age", "year", "reached", "a_year", "since"]


def courses(series: pd.DataFrame, frontier: pd.DataFrame, observed: pd.Timestamp) -> pd.DataFrame:
    """What became of each annotated benchmark that has a history.

    Parameters
    ----------
    series
        Those that give forecasts, of :func:`saturation.forecast.series.described`.
    frontier
        Of :func:`saturation.forecast.series.frontier`.
    observed
        Day of the paper's scores.

    Returns
    -------
    pandas.DataFrame
        Columns `COURSES`: years from release to the last score, the year of that score, logits
        reached then, logits gained a year since the first score, and since the paper's day where
        scores go on by half a year.
    """
    names = {alias: annotated for annotated, alias in ALIASES.items()}
    parts = {str(name): part for name, part in frontier.groupby("series")}
    rows = []
    for row in series[series["benchmark"].isin(names)].to_dict("records"):
        own = parts[row["series"]]
        place = LOGISTIC.steps(own["best"])
        first, last = own["date"].iloc[0], own["date"].iloc[-1]
        start = first if pd.isna(row["released"]) else row["released"]
        known = int((own["date"] <= observed).sum())
        goes_on = known and last >= months_after(observed, 6)
        rows.append(
            {
                "benchmark_id": names[row["benchmark"]],
                "series": row["series"],
                "age": (last - start).days / 365.25,
                "year": last.year + last.day_of_year / 365.25,
                "reached": place[-1],
                "a_year": (place[-1] - place[0]) / ((last - first).days / 365.25),
                "since": place[-1] - place[known - 1] if goes_on else np.nan,
            }
        )
    return pd.DataFrame(rows, columns=COURSES)


def later(
    table: pd.DataFrame, benchmarks: pd.DataFrame, level: float, rng: np.random.Generator
) -> pd.DataFrame:
    """The primary comparison of every hypothesis, by each outcome.

    Parameters
    ----------
    table
        Of :func:`courses`.
    benchmarks
        The annotated benchmarks as the plateau study prepares them.
    level
        Of the intervals.
    rng
        Draws the permutations.

    Returns
    -------
    pandas.DataFrame
        Columns of `schemas.LATER`: the difference in logits between the group that the hypothesis
        expects to saturate faster and the other, age and the year of the last score held fixed
        (least squares; limits by Student's t, p-values by permutation), Holm over the comparisons
        of an outcome; no number and a note where a group is too small.
    """
    asked = [one for one in comparisons(benchmarks) if one.grouping == "primary"]
    rows: list[dict[str, Any]] = []
    for outcome in OUTCOMES:
        part = [
            {"hypothesis": one.hypothesis, "outcome": outcome, "first": one.first}
            | _compared(
                table.assign(group=table["benchmark_id"].map(one.groups)),
                one.first,
                outcome,
                level,
                rng,
            )
            for one in asked
        ]
        tested = [row for row in part if not row["note"]]
        for row, p in zip(tested, intervals.holm([row["p_value"] for row in tested]), strict=True):
            row["p_holm"] = float(p)
        rows += part
    return pd.DataFrame(rows, columns=list(schemas.LATER.columns))


def _compared(
    table: pd.DataFrame, first: str, outcome: str, level: float, rng: np.random.Generator
) -> dict[str, Any]:
    from statsmodels.regression.linear_model import OLS
    from statsmodels.tools.tools import add_constant

    own = table.dropna(subset=["group", outcome])
    in_first = (own["group"] == first).to_numpy(float)
    row: dict[str, Any] = {"benchmarks": len(own), "in_first": int(in_first.sum())}
    if min(in_first.sum(), (1 - in_first).sum()) < SMALLEST_GROUP:
        return row | {"note": f"a group has fewer than {SMALLEST_GROUP} benchmarks"}
    value = own[outcome].to_numpy(float)
    controls = np.column_stack([np.log(own["age"]), own["year"]])
    fit = OLS(value, np.column_stack([in_first, add_constant(controls)])).fit()
    lower, upper = fit.conf_int(1 - level)[0]
    orders = permutation.orders(len(own), PERMUTATIONS, rng)
    _, p = permutation.adjusted_f_test(value, in_first, controls, orders)
    found = {"difference": float(fit.params[0]), "lower": float(lower), "upper": float(upper)}
    return row | found | {"p_value": p, "note": ""}
