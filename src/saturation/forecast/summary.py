"""The table of scores: how good forecasts were, by benchmark kind, horizon and method."""

from collections.abc import Iterator

import pandas as pd

from saturation.forecast import scoring
from saturation.forecast.names import NLP_KIND

RECENT = "since 2023"
REFERENCE = "persistence"


def summary(forecasts: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mean scores by group of benchmarks, horizon and method, with intervals over benchmarks.

    Parameters
    ----------
    forecasts
        Of :func:`backtest`.
    level
        Of the intervals.

    Returns
    -------
    pandas.DataFrame
        ``group`` (all since 2023, each kind, or those abstained from), ``horizon``, ``method``,
        ``forecasts``, ``benchmarks``, mean scores, ``crps``, ``skill`` and coverage with limits.
    """
    rows = []
    for group, part in _groups(forecasts):
        for horizon, ahead in part.groupby("horizon"):
            reference = ahead[ahead["method"] == REFERENCE]
            for method, own in ahead.groupby("method"):
                rows.append(
                    {
                        "group": group,
                        "horizon": horizon,
                        "method": method,
                        **_means(own, reference, level),
                    }
                )
    return pd.DataFrame(rows)


def _groups(forecasts: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    made = forecasts[~forecasts["abstains"]]
    recent = made["kind"] != NLP_KIND
    yield RECENT, made[recent]
    for kind, part in made.groupby("kind"):
        yield str(kind), part
    for reason, part in forecasts[forecasts["abstains"]].groupby("reason"):
        yield f"abstained: {reason}", part


def _means(own: pd.DataFrame, reference: pd.DataFrame, level: float) -> dict[str, float]:
    clusters = own["benchmark"].to_numpy()
    pair = pd.DataFrame(
        {
            "score": own["crps"].to_numpy(),
            "reference": reference["crps"].to_numpy(),
            "cluster": clusters,
        }
    )
    row: dict[str, float] = {"forecasts": len(own), "benchmarks": own["benchmark"].nunique()}
    row |= _named("crps", scoring.clustered_mean(own["crps"], clusters, level))
    row |= _named("skill", scoring.skill(pair, level))
    for share in scoring.LEVELS:
        inside = scoring.covered(own["below"], own["upto"], share)
        name = f"{share * 100:.0f}"
        row |= _named(f"coverage_{name}", scoring.clustered_share(inside, clusters, level))
        row[f"interval_{name}"] = float(own[f"interval_{name}"].mean())
    row["log_score"] = float(own["log_score"].mean())
    for number, share in enumerate(scoring.fifths(own["below"], own["upto"]), start=1):
        row[f"fifth_{number}"] = float(share)
    return row


def _named(name: str, values: scoring.Limits) -> dict[str, float]:
    return dict(zip((name, f"{name}_lower", f"{name}_upper"), values, strict=True))
