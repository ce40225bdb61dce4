"""Each effect on the index if the test-set sizes were dealt out at random over the benchmarks.

The scores stay where they are, and so do groups, ages and citations; the sizes lose every relation
to them. The mean over the deals is the part of an effect that the scores give under the same
distribution of sizes; what the observed effect has beyond it comes from which benchmark has which
size.
"""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import EPSILON, SATURATED_FROM, saturation_index
from saturation.plateau.conclusions import CONCLUSIONS, RANK, SHARE, Sample, contrast
from saturation.statistics import permutation
from saturation.statistics.ranks import ranks as ranked

Array = NDArray[np.float64]
Ranks = NDArray[np.floating]

# Deals that are held in memory at a time, and numbers of all of them together.
DEALS, NUMBERS = 10_000, 2**19
# Up to so many benchmarks the index of each with the size of every other is computed beforehand.
CROSSED = 1000


def dealt_effects(
    data: pd.DataFrame,
    samples: Mapping[tuple[str, str], Sample],
    drawn: permutation.Orders,
    saturated_from: float = SATURATED_FROM,
    epsilon: float = EPSILON,
) -> dict[tuple[str, str], Array]:
    """Every effect on the index under every deal of the sizes.

    Parameters
    ----------
    data
        Columns ``s_1, s_k, n_test, alpha``, one row a benchmark.
    samples
        The benchmarks of each effect (:func:`saturation.plateau.conclusions.samples`).
    drawn
        Deals: orders of the benchmarks (:func:`saturation.statistics.permutation.orders`).
    saturated_from, epsilon
        See :func:`saturation.plateau.controls.controls`.

    Returns
    -------
    dict of numpy.ndarray
        Effects by the key of their sample, one a deal; NaN where an effect is not defined.
    """
    n_test = data["n_test"].to_numpy(float)
    index_of = _dealer(data, epsilon)
    size_ranks: Ranks = ranked(n_test)
    weights = {
        key: _weights(chosen, len(data))
        for key, chosen in samples.items()
        if CONCLUSIONS[key[0]].measure != RANK
    }
    parts: dict[tuple[str, str], list[Array]] = {key: [] for key in samples}
    rows_at_a_time = min(DEALS, max(1, NUMBERS // len(data)))
    for start in range(0, len(drawn), rows_at_a_time):
        deal = drawn[start : start + rows_at_a_time].astype(np.intp)
        dealt = index_of(deal)
        shares = (dealt >= saturated_from).astype(float)
        ranks: dict[bytes, Ranks] = {}
        for key, chosen in samples.items():
            conclusion = CONCLUSIONS[key[0]]
            if key in weights:
                values = shares if conclusion.measure == SHARE else dealt
                parts[key].append(values @ weights[key])
                continue
            rows = chosen.rows.tobytes()
            if rows not in ranks:
                ranks[rows] = ranked(dealt[:, chosen.rows])
            of_size = conclusion.variable == "n_test"
            variable: Ranks = size_ranks[deal] if of_size else ranked(chosen.variable)[None]
            parts[key].append(_correlations(variable, ranks[rows], chosen.given))
    return {key: np.concatenate([np.empty(0), *found]) for key, found in parts.items()}


def _weights(chosen: Sample, n: int) -> Array:
    """What every benchmark's outcome counts in an effect; all missing where there is none."""
    slope = contrast(chosen)
    weights = np.full(n, 0.0 if np.isfinite(slope).all() else np.nan)
    weights[chosen.rows] = slope
    return weights


def _dealer(data: pd.DataFrame, epsilon: float) -> Callable[[NDArray[np.intp]], Array]:
    """What gives every benchmark's index under deals of the sizes, shape (deals, n)."""
    s_1, s_k = data["s_1"].to_numpy(), data["s_k"].to_numpy()
    n_test, alpha = data["n_test"].to_numpy(float), float(data["alpha"].iloc[0])
    if len(data) > CROSSED:
        return lambda deal: saturation_index(s_1, s_k, n_test[deal], alpha, epsilon)
    # Of every benchmark with the size of every other: a deal picks one of each row.
    crossed = saturation_index(s_1[:, None], s_k[:, None], n_test[None], alpha, epsilon)
    return lambda deal: crossed[np.arange(len(data)), deal]


def _correlations(variable: Ranks, ranks: Ranks, given: Array) -> Array:
    """Correlation of each row of ranks with the variable, the ranks of the covariates held fixed.

    `variable` has one row for all, or one a row of `ranks`.
    """
    held = [ranked(column) for column in given.T]
    basis = np.linalg.qr(np.column_stack([np.ones(ranks.shape[1]), *held]))[0]

    def product(left: Ranks, right: Ranks) -> Array:
        """Inner products of what the covariates leave of two rows."""
        inner: Array = np.einsum("ij,ij->i", left, right)
        inner -= np.einsum("ij,ij->i", left @ basis, right @ basis)
        return inner

    with np.errstate(divide="ignore", invalid="ignore"):
        found: Array = product(variable, ranks) / np.sqrt(
            product(variable, variable) * product(ranks, ranks)
        )
    return found
