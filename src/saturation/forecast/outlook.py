"""What is to be expected of every benchmark: its best score month by month, and when it is reached.

Of the usable range, which goes from what guessing gives to all; thresholds are shares of it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.errors import InputError
from saturation.forecast import backtest, models, schemas
from saturation.forecast.backtest import LABELS, WALK, Known, Settings
from saturation.forecast.models import SHARED, History, Link, Posterior, evidence, shared_posterior
from saturation.forecast.schemas import BEST, COVARIANCES, MEANS, TOP
from saturation.forecast.scoring import METHOD, RECENT
from saturation.forecast.series import FEWEST_DATES, months_after

Floats = NDArray[np.float64]
# In the order of `COVARIANCES`.
ROWS, COLUMNS = np.tril_indices(len(SHARED))
MONTHS = 24
MONTHS_AHEAD = np.arange(1.0, MONTHS + 1)
QUANTILES = (0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975)
THRESHOLDS = (0.5, 0.8, 0.9, 0.95)
ABOUT = ["series", "benchmark", "kind"]
ABSTENTIONS = [*ABOUT, "origin", "best", "reason"]


def shared(what: Known, weights: pd.DataFrame) -> pd.DataFrame:
    """Every member of the stack with its weight and the posterior of its shared numbers."""
    pooled, rows = what.made().histories, []
    for member in weights.to_dict("records"):
        row = {name: member[name] for name in [*LABELS, "weight"]}
        if member["form"] != WALK:
            link = Link(member["form"], member["ceiling"])
            mode, covariance = shared_posterior(evidence(pooled, link, member["half_life"]))
            row |= dict(zip(MEANS, mode, strict=True))
            row |= dict(zip(COVARIANCES, covariance[ROWS, COLUMNS], strict=True))
        rows.append(row)
    return pd.DataFrame(rows, columns=list(schemas.KEPT.columns))


def forecast(
    kept: pd.DataFrame,
    histories: Sequence[History],
    horizons: Floats,
    draws: int,
    rng: np.random.Generator,
) -> Floats:
    """Draws of the best share of benchmarks by what others taught.

    Shape (benchmarks, draws, horizons), as many draws of each member as its weight says; never
    below the best score so far.
    """
    best = np.array([history.best[-1] for history in histories])
    each = []
    of_each = models.shares(kept["weight"].to_numpy(float), draws)
    for member, own in zip(kept.to_dict("records"), of_each, strict=True):
        if member["form"] == WALK:
            each.append(models.forecast(WALK, histories, horizons, own, rng))
            continue
        link = Link(member["form"], member["ceiling"])
        found = evidence(histories, link, member["half_life"])
        posterior = _posterior([member[name] for name in [*MEANS, *COVARIANCES]])
        each.append(models.predicted_shares(posterior, found, best, link, horizons, own, rng))
    return np.concatenate(each, axis=1)


def accuracy(summary: pd.DataFrame, tops: pd.DataFrame) -> pd.DataFrame:
    """How past forecasts did, as a card says it beside its own.

    ``about`` (`BEST`: how many outcomes 80 % intervals held; `TOP`: how many tops became
    indistinguishable), ``ahead``, ``forecasts``, ``benchmarks``, ``said``, ``came`` with its
    limits, and for tops the ``shift`` that the log odds of forecasts get.
    """
    own = summary[(summary["group"] == RECENT) & (summary["method"] == METHOD)]
    best = own.rename(columns={"horizon": "ahead", "coverage_80": "came"} | {
        f"coverage_80_{end}": f"came_{end}" for end in ("lower", "upper")
    })  # fmt: skip
    table = pd.concat([best.assign(about=BEST, said=0.8), tops.assign(about=TOP)])
    return table[list(schemas.ACCURACY.columns)].reset_index(drop=True)


def outlook(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    weights: pd.DataFrame,
    origin: pd.Timestamp,
    settings: Settings,
) -> dict[str, pd.DataFrame]:
    """The forecasts from a day on, for all benchmarks that do not give a reason to abstain.

    ``bands`` (quantiles by month), ``reach`` (month in which thresholds are reached, with the
    limits of the central 80 %, months ahead; empty beyond two years) and ``abstentions``.
    """
    what = backtest.known(series, frontier, origin)
    rng = seeds.generator(settings.seed, "forecast", "outlook", f"{origin:%Y-%m-%d}")
    made = what.made()
    if not made.rows:
        raise InputError(
            f"forecast: on {origin:%Y-%m-%d} no benchmark has {FEWEST_DATES} dates and a score in "
            f"the last {backtest.ASLEEP} months; choose another forecast.as_of"
        )
    kept = shared(what, weights)
    draws = forecast(kept, made.histories, MONTHS_AHEAD, settings.draws, rng)
    about = _about(made, origin)
    abstained = what.of(reason != "" for reason in what.reasons)
    abstentions = pd.DataFrame(_about(abstained, origin), columns=ABSTENTIONS[:-1])
    return {
        "bands": pd.concat([_bands(*one) for one in zip(about, draws, strict=True)]),
        "reach": pd.concat([_reach(*one) for one in zip(about, draws, strict=True)]),
        "abstentions": abstentions.assign(reason=abstained.reasons),
    }


def when(there: NDArray[np.bool_], already: bool) -> dict[str, Any]:
    """The first month in which something is so; a quantile that falls beyond two years is empty.

    ``reached_already``, ``earliest``, ``median`` and ``latest`` (months ahead, the central 80 %)
    and ``not_in_two_years``, a probability.
    """
    first = np.where(there.any(axis=1), there.argmax(axis=1) + 1.0, np.inf)
    limits = np.quantile(first, [0.1, 0.5, 0.9], method="inverted_cdf")
    earliest, median, latest = np.where(np.isinf(limits) | already, np.nan, limits)
    return {
        "reached_already": already,
        "earliest": earliest,
        "median": median,
        "latest": latest,
        "not_in_two_years": 0.0 if already else float(np.isinf(first).mean()),
    }


def said(when: Mapping[Any, Any], origin: pd.Timestamp) -> str:
    """A forecast in words, such as ``by March 2027 (80 %: May 2026 to after July 2028)``."""
    end = _month(MONTHS, origin)
    earliest, median, latest = (
        f"after {end}" if pd.isna(when[name]) else _month(when[name], origin)
        for name in ("earliest", "median", "latest")
    )
    if pd.isna(when["earliest"]):
        return f"{median} (with at least 90 % probability)"
    return f"{'' if pd.isna(when['median']) else 'by '}{median} (80 %: {earliest} to {latest})"


def _posterior(numbers: Sequence[float]) -> Posterior:
    mode, below = np.split(np.asarray(numbers, float), [len(SHARED)])
    covariance = np.empty((len(SHARED), len(SHARED)))
    covariance[ROWS, COLUMNS] = below
    covariance[COLUMNS, ROWS] = below
    return Posterior(mode, covariance)


def _about(what: Known, origin: pd.Timestamp) -> list[dict[str, Any]]:
    return [
        {
            **{name: row[name] for name in ABOUT},
            "origin": f"{origin:%Y-%m-%d}",
            "best": one.best[-1],
        }
        for row, one in zip(what.rows, what.histories, strict=True)
    ]


def _bands(about: dict[str, Any], draws: Floats) -> pd.DataFrame:
    limits = np.quantile(draws, QUANTILES, axis=0)
    table = pd.DataFrame(limits.T, columns=[f"q{quantile * 100:g}" for quantile in QUANTILES])
    return table.assign(month=np.arange(1, MONTHS + 1), **about)[list(schemas.BANDS.columns)]


def _reach(about: dict[str, Any], draws: Floats) -> pd.DataFrame:
    rows = [when(draws >= share, bool(about["best"] >= share)) for share in THRESHOLDS]
    return pd.DataFrame(rows).assign(threshold=THRESHOLDS, **about)[list(schemas.REACH.columns)]


def _month(months: float, origin: pd.Timestamp) -> str:
    return f"{months_after(origin, months):%B %Y}"
