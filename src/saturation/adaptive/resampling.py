"""Statistics over models under resampling of models, however many benchmarks each has."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation.adaptive.model import Floats

Ints = npt.NDArray[np.int64]


class Cells(NamedTuple):
    """A measure of one method and size.

    Attributes
    ----------
    values
        Shape (draws, cells): of random subsets, and of models on benchmarks.
    models
        The model of each cell.
    """

    values: Floats
    models: npt.NDArray[np.object_]


def cells(group: pd.DataFrame, columns: Sequence[str]) -> dict[str, Cells]:
    """The measures in some columns by draw and by model and benchmark.

    Parameters
    ----------
    group
        Rows `draw`, `model`, maybe `bank`, and the measures, of one method and size.
    columns
        The measures.
    """
    # As a pivot table has them, which takes many times as long and is made a thousand times.
    row, draws = group["draw"].factorize(sort=True, use_na_sentinel=False)
    unit, names = group["model"].factorize(sort=True)
    if "bank" in group:
        unit = group["bank"].factorize(sort=True)[0] * len(names) + unit
    units, place = np.unique(unit, return_inverse=True)
    models = np.asarray(names, dtype=object)[units % len(names)]
    found = {}
    for column in columns:
        values = np.full((len(draws), len(units)), np.nan)
        values[row, place] = group[column]
        known = ~np.isnan(values).all(axis=0)
        found[column] = Cells(values[:, known], models[known])
    return found


def drawn(
    names: Sequence[str], groups: Sequence[str], resamples: int, random: np.random.Generator
) -> pd.DataFrame:
    """How often each model is in each resample of groups: a column a model.

    Parameters
    ----------
    names
        The models.
    groups
        The group of each model: its own name where models are resampled, its family where
        families are.
    resamples
        Number of resamples.
    random
        Source of randomness.
    """
    place, whole = pd.factorize(np.asarray(groups, dtype=object))
    counts = random.multinomial(len(whole), np.full(len(whole), 1 / len(whole)), resamples)
    return pd.DataFrame(counts[:, place], columns=list(names))


def mean(values: Floats, weights: Ints) -> Floats:
    """Weighted mean along the last axis; infinite where a value with weight is.

    Parameters
    ----------
    values
        Shape (resamples, cells) or (cells,).
    weights
        Shape (resamples, cells): how often each cell counts.
    """
    infinite = np.isinf(values)
    total = weights.sum(axis=-1).astype(float)
    found = (weights * np.where(infinite, 0.0, values)).sum(axis=-1)
    ratio = np.divide(found, total, out=np.full(total.shape, np.nan), where=total > 0)
    return np.where((weights * infinite).sum(axis=-1) > 0, np.inf, ratio)


def median(values: Floats, weights: Ints) -> Floats:
    """Median along the last axis of each value taken as often as its weight.

    Parameters
    ----------
    values, weights
        As for :func:`mean`.
    """
    if values.ndim == 1:
        order = np.argsort(values, kind="stable")
        ordered, reached = values[order], weights[..., order].cumsum(axis=-1)
    else:
        places = np.argsort(values, axis=-1, kind="stable")
        ordered = np.take_along_axis(values, places, axis=-1)
        reached = np.take_along_axis(weights, places, axis=-1).cumsum(axis=-1)
    half = reached[..., -1:] / 2
    ordered = np.broadcast_to(ordered, reached.shape)
    lower = np.take_along_axis(ordered, (reached >= half).argmax(axis=-1)[..., None], axis=-1)
    upper = np.take_along_axis(ordered, (reached > half).argmax(axis=-1)[..., None], axis=-1)
    return np.asarray((lower + upper)[..., 0] / 2)
