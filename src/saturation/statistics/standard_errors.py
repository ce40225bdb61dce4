"""Standard errors of scores beyond the binomial, chosen by the available data.

The plateau paper (equation 1) gives every score the binomial error of n items. That holds for
accuracies on independent items. Here a model's error comes from the best source that its data
offer: the responses to the items, repeated runs, an error supplied with the score, and only then
the binomial formula.
"""

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtr

from saturation.arrays import Bools, Floats, Places
from saturation.errors import InputError
from saturation.statistics import intervals

# Share of a normal distribution within one standard error.
ONE_ERROR = float(ndtr(1) - ndtr(-1))

# Families for which p(1 - p)/n is the error, and those for which it is at least an upper bound:
# no variable on [0, 1] varies more than the one that is only 0 or 1.
BINOMIAL = "accuracy"
# Source of a number of items that tells no error: each item has words that are right or wrong.
UTTERANCES = "utterances"
BOUNDED = ("accuracy", "pass_at_k", "bounded_mean")

# With fewer degrees of freedom nothing is known of a clustered error: one cluster holds nearly all
# items, or there are two.
FEWEST_DEGREES = 1.5
# Errors this small are the rounding of a zero.
NOTHING = 1e-9

ESTIMATE_COLUMNS = ["model", "score", "standard_error", "lower", "upper", "n_items", "error_source"]
# Items by models, mean responses, and the cluster of each item.
Items = tuple[pd.DataFrame, pd.Series]


def binomial_error(score: ArrayLike, n: ArrayLike) -> Floats:
    """Binomial standard error of proportions (plateau paper, equation 1 with alpha = 1).

    At exactly 0 or 1 the formula gives zero, which no finite test can show; there half the width
    of the 68 % Wilson interval stands in, which is one standard error elsewhere.

    Parameters
    ----------
    score, n
        Proportions in [0, 1] and numbers of items, broadcast against each other.
    """
    p, size = np.asarray(score, float), np.asarray(n, float)
    low, high = intervals.wilson(p * size, size, ONE_ERROR)
    error: Floats = np.where((p <= 0) | (p >= 1), (high - low) / 2, np.sqrt(p * (1 - p) / size))
    return error


def clustered_error(values: ArrayLike, clusters: ArrayLike) -> float:
    """Compute the standard error of a mean of item values that form clusters.

    The residuals are summed within clusters before they are squared (Liang and Zeger's sandwich
    with the factor G/(G - 1)). With every item its own cluster this is the usual error of a mean.
    NaN with fewer than two clusters: one says nothing about variation between them.
    """
    x = np.asarray(values, float)
    sums = _cluster_sums(x[:, None], clusters)
    groups = len(sums)
    if groups < 2:
        return np.nan
    return float(np.sqrt(groups / (groups - 1) * (sums**2).sum()) / len(x))


def satterthwaite(sizes: Floats) -> Floats:
    """Return the degrees of freedom of the CR2 error of a mean over clusters of these sizes.

    R. M. Bell and D. F. McCaffrey (2002), Survey Methodology 28, 169-181. At the working
    correlation the items of a cluster of typical size, the mean size over items, share half of the
    variance of its mean: independent items give too many degrees where two or three clusters hold
    most items. Equal clusters have their number less one.

    Parameters
    ----------
    sizes
        Items of each cluster along the first axis; 0 for a cluster without any.
    """
    items = sizes.sum(axis=0)
    share = sizes / items
    correlation = 1 / (1 + (sizes * share).sum(axis=0))
    variance = sizes**2 * correlation + sizes * (1 - correlation)
    total, weight = variance.sum(axis=0), 1 / (1 - share)
    a, b, c = ((weight * part).sum(axis=0) for part in (share**2, variance**2, share * variance))
    mixed = share**2 * total - 2 * share * variance
    trace = (weight * (variance + mixed)).sum(axis=0)
    own = (weight**2 * (variance**2 + 2 * variance * mixed)).sum(axis=0)
    square = total**2 * a**2 + 2 * a * b - 4 * total * a * c + 2 * c**2 + own
    degrees: Floats = trace**2 / square
    return degrees


class ClusterError(NamedTuple):
    """The error of a mean over clusters.

    Of `effective` equal clusters items that are wholly dependent would be worth; `degrees` of
    freedom, with fewer than `FEWEST_DEGREES` of which nothing is known of the error.
    """

    error: float
    degrees: float
    effective: float


def mean_error(values: ArrayLike, clusters: ArrayLike) -> ClusterError:
    """Return the CR2 error of the mean of item values, with its degrees of freedom.

    NaN without two clusters. Of equal clusters, or items that stand alone, the error is that of
    :func:`clustered_error`; a large cluster, which pulls the mean to itself, counts for more.
    """
    x = np.asarray(values, float)
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1]
    sizes = np.bincount(codes).astype(float)
    effective = len(x) ** 2 / (sizes**2).sum()
    if len(sizes) < 2:
        return ClusterError(np.nan, 0.0, effective)
    sums = np.bincount(codes, x - x.mean())
    error = np.sqrt((sums**2 / (1 - sizes / len(x))).sum()) / len(x)
    return ClusterError(error if error > NOTHING else 0.0, float(satterthwaite(sizes)), effective)


def separate_errors(values: ArrayLike, clusters: ArrayLike) -> Floats:
    """Errors of the means of columns, apart from what all columns share.

    Models that answer the same items share how hard the items are, which cancels in every
    difference. These are the independent errors e that give the variances of the differences back
    as e_i^2 + e_j^2, by least squares over all pairs: quasi-variances (Firth and de Menezes 2004,
    Biometrika 91, 65-80). They need row sums of the covariances only, so that thousands of models
    take no longer than reading their answers.
    Takes at least three columns and two clusters; 0 where least squares give a negative variance.
    """
    x = np.asarray(values, float)
    sums = _cluster_sums(x, clusters)
    groups, models = sums.shape
    own = (sums**2).sum(axis=0)
    with_all = sums.T @ sums.sum(axis=1)
    # Sums over the other models of the variance of the difference.
    differences = models * own + own.sum() - 2 * with_all
    total = differences.sum() / (2 * (models - 1))
    variances = groups / (groups - 1) * (differences - total) / (models - 2) / len(x) ** 2
    errors: Floats = np.sqrt(np.maximum(variances, 0.0))
    return errors


def _cluster_sums(x: Floats, clusters: ArrayLike) -> Floats:
    """Deviations from the columns' means, summed within clusters: clusters by columns."""
    away = pd.DataFrame(x - x.mean(axis=0))
    return away.groupby(np.asarray(clusters)).sum().to_numpy()


def right_or_wrong(values: ArrayLike) -> Bools:
    """Mask values that are 0, 1 or missing; of any shape."""
    x = np.asarray(values, float)
    found: Bools = (x == 0) | (x == 1) | np.isnan(x)
    return found


def repeated_runs_error(between: ArrayLike, runs: ArrayLike, single: ArrayLike) -> Any:
    """Compute the standard error of the mean over repeated runs on fixed items.

    One run's variance, such as p(1 - p)/n, is made of the choice of items, which all runs share,
    and of the run itself. Averaging R runs shrinks only the second part, whose size s2 the runs
    show: the single run's variance less s2 (R - 1)/R, and never less than s2/R; with few runs that
    bound makes the error somewhat too large. Without the single run's error only s2/R is known:
    the noise of evaluation, without that of the choice of items.
    The variance between the runs' scores has R - 1 in its denominator; the error of a single run
    may be NaN. R is at least two.
    """
    variance, count = np.asarray(between, float), np.asarray(runs, float)
    noise = variance / count
    # fmax: without a single run's error the noise alone.
    return np.sqrt(np.fmax(np.square(single) - variance * (count - 1) / count, noise))


def estimates(
    scores: pd.DataFrame, items: pd.DataFrame, clusters: pd.Series, family: str, level: float
) -> pd.DataFrame:
    """One row a model: score, standard error, interval, n and where the error comes from.

    Parameters
    ----------
    scores
        Aggregate scores as :func:`saturation.leaderboard.read.tidy.scores` gives them.
    items
        Item by model matrix of responses (see :func:`item_matrix`); may be empty.
    clusters
        Cluster of each item of the matrix.
    family
        Metric family: ``accuracy``, ``pass_at_k``, ``bounded_mean``, ``rating`` or ``other``.

    Returns
    -------
    pandas.DataFrame
        Columns `ESTIMATE_COLUMNS`, best score first. ``error_source`` is ``items``,
        ``clustered_items``, ``runs``, ``supplied``, ``binomial``, ``upper_bound`` (bounded means
        of which only n is known) or ``unknown``. Models with responses take score and error from
        them, whatever an aggregate says. Their interval is Wilson's, with the number of
        effective items (:func:`saturation.statistics.intervals.share`) unless the
        answers are independent and right or wrong; where all answers are the same, a cluster counts
        as one item.
    """
    codes = pd.factorize(clusters)[0]
    columns = items.to_numpy(float).T
    rows = [
        _errors_from_items(str(name), column, codes, level) for name, column in zip(items, columns)
    ]
    frame = pd.DataFrame(rows, columns=ESTIMATE_COLUMNS)
    others = scores[~scores["model"].isin(set(frame["model"]))]
    if len(others):
        told = _errors_from_scores(others, family, level)
        frame = pd.concat([frame, told], ignore_index=True) if rows else told
    return frame.sort_values(["score", "model"], ascending=[False, True], ignore_index=True)


def item_matrix(responses: pd.DataFrame) -> Items:
    """Item by model matrix of mean responses, and the items' clusters.

    A model's response to an item is the mean over its runs in each configuration, and then over its
    configurations; an item that it did not answer in each of its configurations is missing. Runs
    and configurations of an item are one value, so that they never count as further items. Items
    without a cluster stand alone, and so do all items of a single cluster, which says nothing about
    variation between clusters.
    Takes the table of :mod:`saturation.leaderboard.read.tidy`, which may be empty.
    """
    if responses.empty:
        return pd.DataFrame(), pd.Series(dtype=str)
    cells = responses.groupby(["model", "configuration", "item"])["response"]
    by_setting = cells.mean().unstack("item")
    models = by_setting.groupby(level="model")
    matrix = _sort_names(models.mean().where(models.count().eq(models.size(), axis=0)).T)
    pairs = responses[["item", "cluster"]].drop_duplicates().astype(object)
    pairs = pairs.fillna("").astype(str)
    if (moved := pairs.duplicated("item")).any():
        item, other = pairs[moved].iloc[0]
        cluster = pairs.set_index("item")["cluster"][item].iloc[0]
        raise InputError(
            f"item '{item}' is in two clusters, '{cluster}' and '{other}'; an item belongs to one: "
            "correct the column cluster, or leave it out"
        )
    named = pairs.set_index("item")["cluster"].reindex(matrix.index)
    alone = (named == "") | (len(set(named)) == 1)
    return matrix, named.where(~alone, "item " + matrix.index.astype(str))


def first_answers(responses: pd.DataFrame) -> pd.DataFrame:
    """Item by model matrix of the first response in the table of each model to each item."""
    first = responses.drop_duplicates(["model", "item"])
    return _sort_names(first.pivot(index="item", columns="model", values="response").astype(float))


def _sort_names(matrix: pd.DataFrame) -> pd.DataFrame:
    """Sort items and models by their names, which may have been categories."""
    matrix.index, matrix.columns = matrix.index.astype(str), matrix.columns.astype(str)
    return matrix.sort_index().sort_index(axis=1)


def implied_alpha(s_1: float, s_k: float, standard_error: float, n: float) -> float:
    """Compute the alpha at which the paper's SE of a difference equals the items' SE.

    Solves [s_1(1 - s_1) + s_k(1 - s_k)]/n^alpha = SE^2. Above 1: models agree on which items are
    hard, so the paired difference is surer than the formula says; below 1: items are clustered.
    NaN where either side is zero, and with a single item.
    """
    variance = s_1 * (1 - s_1) + s_k * (1 - s_k)
    if variance <= 0 or not standard_error > 0 or n <= 1:
        return np.nan
    return float(np.log(variance / standard_error**2) / np.log(n))


def _errors_from_items(
    name: str, column: Floats, clusters: Places, level: float
) -> tuple[Any, ...]:
    given = ~np.isnan(column)
    if not given.any():
        raise InputError(
            f"model {name!r}: its configurations share no item; give one configuration, or the "
            "answers to the same items in each"
        )
    values, cluster = column[given], clusters[given]
    n, score = len(values), values.mean()
    groups = np.count_nonzero(np.bincount(cluster))
    source = "items" if groups == n else "clustered_items"
    error, degrees, effective = mean_error(values, cluster)
    if error > 0 and degrees >= FEWEST_DEGREES:
        limits = intervals.share(score, error, degrees, level)
    else:  # no variation, or clusters that show none: a cluster counts as one item
        error = float(binomial_error(score, effective))
        limits = intervals.wilson(score * effective, effective, level)
    if source == "items" and right_or_wrong(values).all():
        limits = intervals.wilson(score * n, n, level)
    return (name, score, error, *map(float, limits), n, source)


def _errors_from_scores(scores: pd.DataFrame, family: str, level: float) -> pd.DataFrame:
    """Means over configurations; they share their items, so that their errors are averaged."""
    parts = _configurations(scores, family)
    models = parts.groupby("model")
    means, first = models[["score", "standard_error"]].mean(), models.first()
    n = models["n_items"].min()
    known = models["standard_error"].count() == models.size()
    score, error = means["score"], means["standard_error"].where(known)
    limits = np.array(intervals.normal(score, error, level))
    if family in BOUNDED:
        limits = limits.clip(0.0, 1.0)
    binomial = (first["error_source"] == "binomial").to_numpy()
    limits[:, binomial] = intervals.wilson((score * n)[binomial], n[binomial], level)
    return pd.DataFrame(
        dict(zip(ESTIMATE_COLUMNS, [score.index.astype(str), score.to_numpy(), error.to_numpy(),
                                    *limits, n.to_numpy(), first["error_source"].to_numpy()]))
    )  # fmt: skip


def _configurations(scores: pd.DataFrame, family: str) -> pd.DataFrame:
    """Score of each model in each configuration with its error and where that comes from."""
    squared = scores.assign(
        squared=scores["standard_error"].astype(float) ** 2, n_items=scores["n_items"].astype(float)
    )
    groups = squared.groupby(["model", "configuration"])
    score, n = groups["score"].mean(), groups["n_items"].min()
    supplied, runs = np.sqrt(groups["squared"].mean()), groups["run"].nunique()
    bounded = np.isfinite(n) & (family in BOUNDED)
    if "n_source" in scores:
        bounded &= groups["n_source"].first() != UTTERANCES
    binomial = binomial_error(score.where(bounded, 0.5), n.where(bounded, 1))
    by_n = "binomial" if family == BINOMIAL else "upper_bound"
    # Evaluations on the same items share their error: its mean square, not that over their number.
    error = supplied.where(supplied.notna(), pd.Series(binomial, n.index).where(bounded))
    source = pd.Series("unknown", n.index).mask(bounded, by_n).mask(supplied.notna(), "supplied")
    several = runs > 1
    of_runs = repeated_runs_error(groups["score"].var(), groups["score"].size(), error)
    error, source = error.mask(several, of_runs), source.mask(several, "runs")
    without = bounded & ~(error > 0)
    error, source = error.mask(without, binomial), source.mask(without, "binomial")
    # Runs that all agree, or an error of 0, leave the error unknown.
    known = error > 0
    error, source = error.where(known), source.where(known, "unknown")
    return pd.DataFrame(
        {"score": score, "standard_error": error, "n_items": n, "error_source": source}
    ).reset_index()
