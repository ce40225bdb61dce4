"""Make past forecasts again, and count which came true.

Known at an origin are the scores of models released by then. A benchmark that was not yet released
is left out. When a score was published is not on record: a score of an old model may be newer.
"""

from collections.abc import Iterator, Sequence

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import Row
from saturation.forecast import reach
from saturation.forecast.names import AHEAD, ALL_ORIGINS, TARGET
from saturation.forecast.schemas import RECORD
from saturation.forecast.series import months_after
from studies.forecast import pooling, scoring

# States of a past forecast. A series that was not scored again for so long has no outcome.
CAME, FAILED, UNKNOWN = ("reached", "not reached", "not scored again")
BINS = (0.0, 0.1, 0.3, 0.5, 1.0)


def repeat_forecasts(
    series: pd.DataFrame, frontier: pd.DataFrame, days: Sequence[pd.Timestamp]
) -> pd.DataFrame:
    """Forecast at every origin, and compare with the best score a year later.

    Pooled are all series that had a forecast at the origin; forecast are
    those below the target whose scores are not of papers alone.
    """
    newest = frontier["date"].max()
    rows: list[Row] = []
    for origin in days:
        if months_after(origin, AHEAD) > newest:
            continue
        rows += _repeat_origin(series, frontier, origin)
    if not rows:
        raise InputError(
            f"forecast: at no origin from {days[0]:%Y-%m-%d} to {days[-1]:%Y-%m-%d} are there "
            f"{pooling.FEWEST_SERIES} benchmarks with enough dates; choose other origins"
        )
    return pd.DataFrame(rows)


def histories_at(
    series: pd.DataFrame, frontier: pd.DataFrame, day: pd.Timestamp
) -> dict[str, pooling.History]:
    """Return the histories of released benchmarks that are forecast on a day."""
    released = set(series[(series["released"] <= day) | series["papers"]]["series"])
    histories = pooling.histories(frontier, day)
    return {name: history for name, history in histories.items() if name in released}


def _repeat_origin(
    series: pd.DataFrame, frontier: pd.DataFrame, origin: pd.Timestamp
) -> Iterator[Row]:
    histories = histories_at(series, frontier, origin)
    if len(histories) < pooling.FEWEST_SERIES:
        return
    rises = pooling.year_rises(list(histories.values()))
    due = months_after(origin, AHEAD)
    best_then = frontier[frontier["date"] <= due].groupby("series")["best"].last()
    for row in series[~series["papers"] & series["series"].isin(histories)].to_dict("records"):
        name = row["series"]
        best = histories[name].best[-1]
        if best >= TARGET:
            continue
        watched = row["last"] >= due
        state = CAME if best_then[name] >= TARGET else FAILED if watched else UNKNOWN
        yield {
            "origin": f"{origin:%Y-%m-%d}",
            "series": name,
            "benchmark": row["benchmark"],
            "best": best,
            "probability": reach.probability(best, rises),
            "state": state,
            "scored_again": watched,
        }


def record(forecasts: pd.DataFrame, level: float) -> pd.DataFrame:
    """Count forecasts and outcomes by origin and in all; columns of `RECORD`.

    Scored are benchmarks with a score a year after the origin or later, whatever came before:
    counting also those that reached the target and were then given up would favour "reached".
    The skill is against the share that came, known only in hindsight, and against "never".
    """
    parts = [(str(origin), part) for origin, part in forecasts.groupby("origin")]
    rows = [_counted(name, part, level) for name, part in [*parts, (ALL_ORIGINS, forecasts)]]
    return pd.DataFrame(rows, columns=list(RECORD.columns))


def _counted(name: str, part: pd.DataFrame, level: float) -> Row:
    scored = part[part["scored_again"]]
    came = (scored["state"] == CAME).to_numpy(float)
    row = {
        "origin": name,
        "forecasts": len(part),
        "benchmarks": scored["benchmark"].nunique(),
        "scored": len(scored),
        "came": came.sum(),
        "unknown": (part["state"] == UNKNOWN).sum(),
        "expected": scored["probability"].sum(),
    }
    if name != ALL_ORIGINS:
        return row
    errors = pd.DataFrame(
        {
            "score": (scored["probability"] - came) ** 2,
            "rate": (came.mean() - came) ** 2,
            "never": came,
            "cluster": scored["benchmark"],
        }
    )
    row |= {"brier": errors["score"].mean(), "brier_rate": errors["rate"].mean()}
    row["brier_never"] = errors["never"].mean()
    for skill, reference in (("skill", "rate"), ("skill_never", "never")):
        limits = scoring.skill(errors.assign(reference=errors[reference]), level)
        row |= zip(scoring.limits(skill), limits)
    return row


def reliability(forecasts: pd.DataFrame, level: float) -> pd.DataFrame:
    """Compare the probabilities of scored forecasts with the share that came, in bins.

    ``lowest`` and ``highest`` of the bin, ``forecasts``, ``benchmarks``, the mean ``said``, and
    the share ``came`` with limits over benchmarks.
    """
    scored = forecasts[forecasts["scored_again"]]
    came = (scored["state"] == CAME).astype(float)
    bins = pd.cut(scored["probability"], BINS, right=False).cat.remove_unused_categories()
    rows = []
    for interval, part in scored.groupby(bins):
        share = scoring.clustered_share(came[part.index], part["benchmark"], level)
        rows.append(
            [interval.left, interval.right, len(part), part["benchmark"].nunique(),
             part["probability"].mean(), *share]
        )  # fmt: skip
    columns = ["lowest", "highest", "forecasts", "benchmarks", "said", *scoring.limits("came")]
    return pd.DataFrame(rows, columns=columns)
