"""The fluid benchmarking paper's measures of evaluation quality (section 4.2), and their tables."""

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation.adaptive import resampling
from saturation.adaptive.model import Floats
from saturation.statistics.ranks import ranks

Names = npt.NDArray[np.object_]
# Method, number of items, draw.
Key = tuple[str, int, int]
_RESAMPLES = 1000
# The mean of total variation is the paper's; a model that gains nothing makes it infinite, so the
# median over models stands beside it.
STATISTICS: dict[str, tuple[str, Callable[..., Floats]]] = {
    "rank_distance": ("rank_distance", resampling.mean),
    "total_variation": ("total_variation", resampling.median),
    "total_variation__mean": ("total_variation", resampling.mean),
    "monotonicity": ("monotonicity", resampling.mean),
}
SUMMARY = ["method", "n_items", "measure", "value", "lower", "upper", "n_models", "draws"]


def rank_distance(scores: Floats, partner: Floats) -> Floats:
    """Distance between each respondent's rank by score and its rank on a partner benchmark.

    Ranks run over all respondents given; ties share their mean rank. The mean over respondents
    is the paper's measure of validity (lower is better).

    Parameters
    ----------
    scores, partner
        Scores on the two benchmarks, respondents in the same order along the last axis.
    """
    return np.asarray(np.abs(ranks(scores) - ranks(partner)))


def total_variation(curves: Floats) -> Floats:
    """Normalised total variation of training curves (equation 6); lower is better.

    Parameters
    ----------
    curves
        Scores, checkpoints in training order along the last axis.

    Returns
    -------
    numpy.ndarray
        At least n / (n - 1) for n checkpoints; infinite where a curve ends where it began, not
        a number for fewer than two checkpoints.
    """
    curves = np.asarray(curves, dtype=float)
    n = curves.shape[-1]
    if n < 2:
        return np.full(curves.shape[:-1], np.nan)
    path = np.abs(np.diff(curves, axis=-1)).sum(axis=-1)
    gain = np.abs(curves[..., -1] - curves[..., 0])
    ratio = np.divide(path, gain, out=np.full(np.shape(path), np.inf), where=gain > 0)
    return np.asarray(n / (n - 1) * ratio)


def monotonicity(curves: Floats) -> Floats:
    """Absolute Spearman correlation of checkpoint order and score; 1 is unsaturated.

    A constant curve carries no signal and gives 0; fewer than two checkpoints give no number.
    """
    curves = np.asarray(curves, dtype=float)
    n = curves.shape[-1]
    if n < 2:
        return np.full(curves.shape[:-1], np.nan)
    order = np.arange(n) - (n - 1) / 2
    ranked = ranks(curves) - (n + 1) / 2
    spread = np.sqrt((order**2).sum() * (ranked**2).sum(axis=-1))
    moved = (ranked * order).sum(axis=-1)
    return np.asarray(
        np.abs(np.divide(moved, spread, out=np.zeros(np.shape(moved)), where=spread > 0))
    )


def by_model(
    scores: Mapping[Key, Floats], respondents: pd.DataFrame, partners: Mapping[str, Floats]
) -> pd.DataFrame:
    """Rank distance, total variation and monotonicity of each model, method, size and draw.

    Rank distance is over all respondents, averaged over the partner benchmarks; without a
    partner it is missing.

    Parameters
    ----------
    scores
        Scores of all respondents by method, number of items and draw.
    respondents
        Rows with `model`, `family` and `checkpoint`, in the scores' order.
    partners
        Accuracies of the same respondents by partner benchmark.
    """
    keys = pd.DataFrame(list(scores), columns=["method", "n_items", "draw"])
    matrix = np.vstack(list(scores.values()))
    distance = np.full(matrix.shape, np.nan)
    if partners:
        each = [rank_distance(matrix, partner) for partner in partners.values()]
        distance = np.mean(each, axis=0)
    tables = []
    for model, group in respondents.groupby("model", sort=True):
        place = group.sort_values("checkpoint").index.to_numpy()
        curves = matrix[:, place]
        tables.append(
            keys.assign(
                model=model,
                family=group["family"].iloc[0],
                rank_distance=distance[:, place].mean(axis=1),
                total_variation=total_variation(curves),
                monotonicity=monotonicity(curves),
            )
        )
    return pd.concat(tables, ignore_index=True)


def summarise(table: pd.DataFrame, random: np.random.Generator) -> pd.DataFrame:
    """Each measure by method and size, over models, averaged over draws.

    Parameters
    ----------
    table
        What :func:`by_model` returns, possibly of several banks (column `bank`): a model on
        several banks is one unit, since its results on them are not independent.
    random
        Draws models with replacement and one random subset per resample: the interval holds the
        luck of both.
    """
    rows = []
    for (method, size), group in table.groupby(["method", "n_items"], sort=True):
        by_column = resampling.cells(group, [column for column, _ in STATISTICS.values()])
        for measure, (column, statistic) in STATISTICS.items():
            values, models = by_column[column]
            if values.size == 0:
                continue
            value, lower, upper = _interval(values, models, statistic, random)
            rows.append(
                {
                    "method": method,
                    "n_items": size,
                    "measure": measure,
                    "value": value,
                    "lower": lower,
                    "upper": upper,
                    "n_models": len(set(models)),
                    "draws": values.shape[0],
                }
            )
    return pd.DataFrame(rows, columns=SUMMARY)


def comparable(models: pd.DataFrame) -> pd.DataFrame:
    """Rows of the banks that can be averaged over; 0 stands for all items.

    These are the banks with a partner, where any has one, and of them those whose tests are as long
    as the longest: an average over sizes that mixed in a small bank for the short tests only would
    compare banks, not sizes.
    """
    whole = models["method"].isin(["full_accuracy", "full_irt"])
    table = models.assign(n_items=models["n_items"].mask(whole, 0))
    partnered = table.loc[table["rank_distance"].notna(), "bank"].unique()
    if len(partnered):
        table = table[table["bank"].isin(partnered)]
    longest = table[table["method"] == "random"].groupby("bank")["n_items"].max()
    return table[table["bank"].isin(longest.index[longest == longest.max()])]


def _interval(
    values: Floats, models: Names, statistic: Callable[..., Floats], random: np.random.Generator
) -> tuple[float, float, float]:
    names = sorted(set(models))
    weights = resampling.drawn(names, names, _RESAMPLES, random)[list(models)].to_numpy()
    draw = random.integers(len(values), size=_RESAMPLES)
    resampled = statistic(values[draw], weights)
    lower, upper = np.quantile(resampled, [0.025, 0.975], method="inverted_cdf")
    once = np.ones(values.shape, dtype=np.int64)
    return float(np.mean(statistic(values, once))), float(lower), float(upper)
