"""The fluid benchmarking paper's measures of evaluation quality (section 4.2), and their tables."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import scipy

from saturation.adaptive.model import Floats

# Method, number of items, draw.
Key = tuple[str, int, int]
_RESAMPLES = 1000
# The mean of total variation is the paper's; a model that gains nothing makes it infinite, so the
# median over models stands beside it.
STATISTICS: dict[str, tuple[str, Callable[..., Floats]]] = {
    "rank_distance": ("rank_distance", np.mean),
    "total_variation": ("total_variation", np.median),
    "total_variation__mean": ("total_variation", np.mean),
    "monotonicity": ("monotonicity", np.mean),
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
    return np.asarray(
        np.abs(scipy.stats.rankdata(scores, axis=-1) - scipy.stats.rankdata(partner, axis=-1))
    )


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
    ranks = scipy.stats.rankdata(curves, axis=-1) - (n + 1) / 2
    spread = np.sqrt((order**2).sum() * (ranks**2).sum(axis=-1))
    moved = (ranks * order).sum(axis=-1)
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
        Rows with `model` and `checkpoint`, in the scores' order.
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
        What :func:`by_model` returns, possibly of several banks (column `bank`): models of
        different banks then count as units of their own.
    random
        Draws models with replacement and one random subset per resample: the interval holds the
        luck of both.
    """
    rows = []
    units = ["bank", "model"] if "bank" in table else ["model"]
    for (method, size), group in table.groupby(["method", "n_items"], sort=True):
        for measure, (column, statistic) in STATISTICS.items():
            values = group.pivot_table(
                index="draw", columns=units, values=column, aggfunc="first", sort=True
            ).to_numpy()
            if values.size == 0 or np.isnan(values).all():
                continue
            value, lower, upper = _interval(values, statistic, random)
            rows.append(
                {
                    "method": method,
                    "n_items": size,
                    "measure": measure,
                    "value": value,
                    "lower": lower,
                    "upper": upper,
                    "n_models": values.shape[1],
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
    values: Floats, statistic: Callable[..., Floats], random: np.random.Generator
) -> tuple[float, float, float]:
    draws, models = values.shape
    draw = random.integers(draws, size=_RESAMPLES)
    chosen = random.integers(models, size=(_RESAMPLES, models))
    resampled = statistic(values[draw[:, None], chosen], axis=1)
    lower, upper = np.quantile(resampled, [0.025, 0.975], method="inverted_cdf")
    return float(np.mean(statistic(values, axis=1))), float(lower), float(upper)
