"""What all benchmarks taught, kept so that one more can be forecast without fitting the others."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.forecast import baselines, records, schemas, stacking
from saturation.forecast.backtest import LABELS, METHOD, WALK, Known
from saturation.forecast.links import Link
from saturation.forecast.records import (
    SHARED,
    Evidence,
    History,
    Posterior,
    evidence,
    shared_posterior,
)
from saturation.forecast.schemas import BEST, COVARIANCES, MEANS, TOP
from saturation.forecast.summary import RECENT

Floats = NDArray[np.float64]

# In the order of `COVARIANCES`.
ROWS, COLUMNS = np.tril_indices(len(SHARED))


def shared(what: Known, weights: pd.DataFrame) -> pd.DataFrame:
    """Every member of the stack with its weight and the posterior of its shared numbers.

    Parameters
    ----------
    what
        At the origin.
    weights
        :func:`saturation.forecast.backtest.weights_by_origin` of that origin.

    Returns
    -------
    pandas.DataFrame
        Columns of `schemas.KEPT`; the walk shares nothing.
    """
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

    Parameters
    ----------
    kept
        Of :func:`shared`.
    histories
        One a benchmark.
    horizons
        Months ahead, rising, shape (horizons,).
    draws
        How many.
    rng
        Random numbers.

    Returns
    -------
    numpy.ndarray
        Shape (benchmarks, draws, horizons), as many draws of each member as its weight says; never
        below the best score so far.
    """
    best = np.array([history.best[-1] for history in histories])
    each = []
    of_each = stacking.shares(kept["weight"].to_numpy(float), draws)
    for member, own in zip(kept.to_dict("records"), of_each, strict=True):
        if member["form"] == WALK:
            each.append(baselines.forecast(WALK, histories, horizons, own, rng))
            continue
        link = Link(member["form"], member["ceiling"])
        found: Evidence = evidence(histories, link, member["half_life"])
        posterior = _posterior([member[name] for name in [*MEANS, *COVARIANCES]])
        each.append(records.forecast(posterior, found, best, link, horizons, own, rng))
    return np.concatenate(each, axis=1)


def _posterior(numbers: Sequence[float]) -> Posterior:
    mode, below = np.split(np.asarray(numbers, float), [len(SHARED)])
    covariance = np.empty((len(SHARED), len(SHARED)))
    covariance[ROWS, COLUMNS] = below
    covariance[COLUMNS, ROWS] = below
    return Posterior(mode, covariance)


def accuracy(summary: pd.DataFrame, tops: pd.DataFrame) -> pd.DataFrame:
    """How past forecasts did, as a card says it beside its own.

    Parameters
    ----------
    summary
        Of :func:`saturation.forecast.summary.summary`.
    tops
        Of :func:`saturation.forecast.tops.accuracy`.

    Returns
    -------
    pandas.DataFrame
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
