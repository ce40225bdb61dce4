"""How far a score can be trusted: standard errors beyond the binomial, chosen by what is known.

The plateau paper (equation 1) gives every score the binomial error of n items. That holds for
accuracies on independent items. Here a model's error comes from the best source that its data
offer: the responses to the items, repeated runs, an error supplied with the score, and only then
the binomial formula.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

Floats = NDArray[np.float64]

# Families for which p(1 - p)/n is the error, and those for which it is at least an upper bound:
# no variable on [0, 1] varies more than the one that is only 0 or 1.
BINOMIAL = "accuracy"
BOUNDED = ("accuracy", "pass_at_k", "bounded_mean")

ESTIMATE_COLUMNS = ["model", "score", "standard_error", "lower", "upper", "n_items", "error_source"]


def wilson_interval(score: ArrayLike, n: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Wilson's score interval of a proportion; never of zero width, not even at 0 % or 100 %.

    Parameters
    ----------
    score, n
        Proportions in [0, 1] and numbers of items, broadcast against each other.
    level
        Confidence level, for example 0.95.

    Returns
    -------
    tuple of arrays
        Lower and upper limits.
    """
    p, size = np.asarray(score, float), np.asarray(n, float)
    z2 = float(norm.ppf(0.5 + level / 2)) ** 2
    centre = (p + z2 / (2 * size)) / (1 + z2 / size)
    half = np.sqrt(z2 * (p * (1 - p) / size + z2 / (4 * size**2))) / (1 + z2 / size)
    return np.clip(centre - half, 0, 1), np.clip(centre + half, 0, 1)


def newcombe_interval(
    score_a: float, n_a: float, score_b: float, n_b: float, level: float
) -> tuple[float, float]:
    """Newcombe's hybrid score interval of the difference of two independent proportions, a - b.

    Source: R. G. Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.
    """
    (low_a, low_b), (high_a, high_b) = wilson_interval([score_a, score_b], [n_a, n_b], level)
    difference = score_a - score_b
    return (
        float(difference - np.hypot(score_a - low_a, high_b - score_b)),
        float(difference + np.hypot(high_a - score_a, score_b - low_b)),
    )


def binomial_error(score: ArrayLike, n: ArrayLike) -> Floats:
    """Binomial standard error of proportions (plateau paper, equation 1 with alpha = 1).

    At exactly 0 or 1 the formula gives zero, which no finite test can show; there half the width
    of the 68 % Wilson interval stands in, which is one standard error elsewhere.
    """
    p, size = np.broadcast_arrays(np.asarray(score, float), np.asarray(n, float))
    low, high = wilson_interval(p, size, level=float(norm.cdf(1) - norm.cdf(-1)))
    return np.where((p <= 0) | (p >= 1), (high - low) / 2, np.sqrt(p * (1 - p) / size))


def clustered_error(values: ArrayLike, clusters: ArrayLike) -> float:
    """Standard error of the mean of item values that hang together in clusters.

    The residuals are summed within clusters before they are squared (Liang and Zeger's sandwich
    with the factor G/(G - 1)). With every item its own cluster this is the usual standard error.

    Parameters
    ----------
    values
        Item values, shape (n,).
    clusters
        Cluster of each item, shape (n,).

    Returns
    -------
    float
        NaN with fewer than two clusters: one cluster says nothing about variation between them.
    """
    x = np.asarray(values, float)
    _, index = np.unique(np.asarray(clusters), return_inverse=True)
    groups = int(index.max()) + 1
    if groups < 2:
        return float("nan")
    sums = np.bincount(index, weights=x - x.mean())
    return float(np.sqrt(groups / (groups - 1) * np.sum(sums**2)) / len(x))


def repeated_runs_error(scores: ArrayLike, n: float | None) -> float:
    """Standard error of the mean over repeated runs on the same items.

    One run's variance p(1 - p)/n is made of the choice of items, which all runs share, and of the
    run itself. Averaging R runs shrinks only the second part, whose size s2 the runs show:
    p(1 - p)/n - s2 (R - 1)/R, and never less than s2/R; with few runs that bound makes the error
    somewhat too large. Without n only s2/R is known: the noise of evaluation, without that of the
    choice of items.

    Parameters
    ----------
    scores
        Scores of the runs, shape (R,), R >= 2.
    n
        Number of items, or None.
    """
    x = np.asarray(scores, float)
    between, runs = float(x.var(ddof=1)), len(x)
    noise = between / runs
    if n is None or not np.isfinite(n):
        return float(np.sqrt(noise))
    single = float(binomial_error(x.mean(), n)) ** 2
    return float(np.sqrt(max(single - between * (runs - 1) / runs, noise)))


def estimates(
    scores: pd.DataFrame, items: pd.DataFrame, clusters: pd.Series, family: str, level: float
) -> pd.DataFrame:
    """One row a model: score, standard error, interval, n and where the error comes from.

    Parameters
    ----------
    scores
        Aggregate scores as :func:`saturation.board.importers.tidy.scores` gives them.
    items
        Item by model matrix of responses (see :func:`item_matrix`); may be empty.
    clusters
        Cluster of each item of the matrix.
    family
        Metric family: ``accuracy``, ``pass_at_k``, ``bounded_mean``, ``rating`` or ``other``.
    level
        Level of the intervals.

    Returns
    -------
    pandas.DataFrame
        Columns `ESTIMATE_COLUMNS`, best score first. ``error_source`` is ``items``,
        ``clustered_items``, ``runs``, ``supplied``, ``binomial``, ``upper_bound`` (bounded means
        of which only n is known) or ``unknown``. Models with responses take score and error from
        them, whatever an aggregate says.
    """
    rows = [_from_items(str(name), items[name], clusters, level) for name in items.columns]
    known = {row["model"] for row in rows}
    for name, group in scores.groupby("model", sort=True):
        if name not in known:
            rows.append(_from_scores(str(name), group, family, level))
    frame = pd.DataFrame(rows, columns=ESTIMATE_COLUMNS)
    return frame.sort_values(["score", "model"], ascending=[False, True], ignore_index=True)


def item_matrix(responses: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Item by model matrix of mean responses over runs and configurations, and item clusters.

    Items without a cluster stand alone, and so do all items of a single cluster, which says
    nothing about variation between clusters. A model's missing items stay missing.
    """
    if responses.empty:
        return pd.DataFrame(), pd.Series(dtype=str)
    matrix = responses.pivot_table(index="item", columns="model", values="response", aggfunc="mean")
    first = responses.fillna({"cluster": ""}).groupby("item")["cluster"].first()
    alone = (first == "") | (len(set(first)) == 1)
    clusters = first.where(~alone, "item " + first.index.astype(str))
    return matrix, clusters.reindex(matrix.index)


def discounted(standard_error: float, n: float, alpha: float) -> float:
    """A standard error with n items, as it would be with n^alpha effective ones.

    For binomial errors this gives the plateau paper's equations 1 and 2; others are carried over.
    With alpha = 1 nothing changes and n may be NaN.
    """
    return standard_error if alpha == 1 else float(standard_error * n ** ((1 - alpha) / 2))


def implied_alpha(s_1: float, s_k: float, standard_error: float, n: float) -> float:
    """The alpha at which the paper's SE of a difference equals the one that the items show.

    Solves [s_1(1 - s_1) + s_k(1 - s_k)]/n^alpha = SE^2. Above 1: models agree on which items are
    hard, so the paired difference is surer than the formula says; below 1: items are clustered.
    NaN where either side is zero.
    """
    variance = s_1 * (1 - s_1) + s_k * (1 - s_k)
    if variance <= 0 or not standard_error > 0 or n <= 1:
        return float("nan")
    return float(np.log(variance / standard_error**2) / np.log(n))


def _from_items(name: str, column: pd.Series, clusters: pd.Series, level: float) -> dict[str, Any]:
    values = column.dropna()
    own = clusters.loc[values.index]
    n, score = len(values), float(values.mean())
    error = clustered_error(values, own)
    if not error > 0:  # all items alike: 0 %, 100 %, or a single cluster
        error = float(binomial_error(score, n))
    source = "items" if own.nunique() == n else "clustered_items"
    binary = bool(values.isin([0, 1]).all()) and source == "items"
    return _row(name, score, error, n, source, level, wilson=binary)


def _from_scores(name: str, group: pd.DataFrame, family: str, level: float) -> dict[str, Any]:
    score = float(group["score"].mean())
    n = float(group["n_items"].min())
    source, error = _error(group, score, n, family)
    if family in BOUNDED and not error > 0 and np.isfinite(n):
        source, error = "binomial", float(binomial_error(score, n))
    return _row(name, score, error, n, source, level, wilson=source == "binomial")


def _error(group: pd.DataFrame, score: float, n: float, family: str) -> tuple[str, float]:
    """Source and size of the error of a model that has aggregate scores only."""
    supplied = group["standard_error"].dropna()
    if len(set(group["run"])) > 1:
        size = n if family in BOUNDED else None
        return "runs", repeated_runs_error(group["score"], size)
    if len(supplied):
        return "supplied", float(np.sqrt((supplied**2).sum()) / len(supplied))
    if family in BOUNDED and np.isfinite(n):
        source = "binomial" if family == BINOMIAL else "upper_bound"
        return source, float(binomial_error(score, n))
    return "unknown", float("nan")


def _row(
    name: str, score: float, error: float, n: float, source: str, level: float, wilson: bool
) -> dict[str, Any]:
    interval: Callable[[], tuple[Any, Any]] = (
        (lambda: wilson_interval(score, n, level))
        if wilson
        else (lambda: tuple(score + side * norm.ppf(0.5 + level / 2) * error for side in (-1, 1)))
    )
    lower, upper = interval()
    return dict(zip(ESTIMATE_COLUMNS, [name, score, error, float(lower), float(upper), n, source]))
