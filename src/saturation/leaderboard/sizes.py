"""Numbers of items that detect a difference, or show equivalence, with a stated power."""

import numpy as np
import pandas as pd
from scipy import special

from saturation.arrays import Bools, Floats, Integers
from saturation.statistics import pairs as statistics_pairs
from saturation.statistics import power
from saturation.statistics.intervals import symmetric_root
from saturation.statistics.pairs import CLUSTERED_T, MCNEMAR, POOLED_Z, Pairs

Counts = int | Integers

# Leaderboards that are simulated, and the most models on them: the maximum over more grows slowly.
DRAWS, MOST_MODELS = 1000, 100
SEED = 0
# Doublings of the number of items that are searched, down and up, and halvings of their range.
FEWER, MORE, STEPS = -8, 40, 17


def shared_items(ranked: pd.DataFrame, pairs: Pairs, one: Counts, other: Counts) -> Floats:
    """Count the items behind the difference of two models; NaN if unknown."""
    shared, n = pairs.items[one, other], ranked["n_items"].to_numpy(float)
    items: Floats = np.where(np.isfinite(shared), shared, np.fmin(n[one], n[other]))
    return items


def unpooled_error(ranked: pd.DataFrame, pairs: Pairs, one: Counts, other: Counts) -> Floats:
    """Compute the error of two models' difference: paired if items allow, else unpaired."""
    paired, single = pairs.standard_error[one, other], ranked["standard_error"].to_numpy(float)
    by_items = np.isfinite(pairs.items[one, other]) & (paired > 0)
    error: Floats = np.where(by_items, paired, np.hypot(single[one], single[other]))
    return error


def contrast(
    ranked: pd.DataFrame, pairs: Pairs, one: int, other: int, bounded: bool
) -> power.Contrast:
    """Return the contrast of two models for the power of their test, the better model first."""
    if pairs.difference[one, other] < 0:
        one, other = other, one
    pair, method = [one, other], int(pairs.method[one, other])
    shared = pairs.items[one, other]
    items = (shared, shared) if np.isfinite(shared) else tuple(ranked["n_items"].iloc[pair])
    scores = tuple(ranked["score"].iloc[pair])
    return power.Contrast(
        difference=pairs.difference[one, other],
        standard_error=float(unpooled_error(ranked, pairs, one, other)),
        method=method,
        degrees=pairs.degrees[one, other],
        items=items,
        scores=scores if bounded or method in (MCNEMAR, POOLED_Z) else None,
        errors=tuple(ranked["standard_error"].iloc[pair]),
        wins=(pairs.wins[one, other], pairs.wins[other, one]),
        clusters=pairs.clusters[one, other],
    )


def items_to_separate(contrast: power.Contrast, alpha: float, chance: float) -> float | None:
    """Return the items that a difference would need; None where their number is not known."""
    if not np.isfinite(contrast.items).all():
        return None
    return power.items_needed(contrast, alpha, chance)


def items_to_show_equivalence(
    ranked: pd.DataFrame,
    pairs: Pairs,
    equal: Bools,
    margin: float,
    wrong: float,
    chance: float,
    k: int,
) -> float | None:
    """Items at which the top k would be shown equivalent, if the models marked `equal` are.

    Scores of equal models are drawn with the errors of the measured differences, ordered, and the
    first k of them held to the equivalence tests at a number of items; found is the number at which
    all tests pass in the share `chance` of the draws. None where no number of items is known.
    `wrong` is the level to which each test is held.
    """
    rivals = np.flatnonzero(equal[: pairs.difference.shape[1]])[:MOST_MODELS]
    rivals = np.union1d(rivals, np.arange(k))
    n = shared_items(ranked, pairs, rivals[:, None], rivals)
    if not np.isfinite(n).all():
        return None
    error = unpooled_error(ranked, pairs, rivals[:, None], rivals)
    np.fill_diagonal(error, 0.0)
    draws = _equal_scores(error)
    order = np.argsort(-draws, axis=1, kind="stable")
    behind, ahead = order[:, None, :k], order[:, :, None]
    rows = np.arange(len(draws))[:, None, None]
    gap = draws[rows, ahead] - draws[rows, behind]
    part = pairs.select(np.ix_(rivals, rivals))
    score = ranked["score"].to_numpy(float)[rivals]

    def passed(doublings: float) -> bool:
        times = 2.0**doublings
        limit = _widest_gap(part, score, n, error, margin, wrong, times)
        within = gap / np.sqrt(times) <= limit[ahead, behind]
        return bool((within | (ahead == behind)).all((1, 2)).mean() >= chance)

    low, high = float(FEWER), float(MORE)
    if not passed(high):
        return np.inf
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if passed(middle) else (middle, high)
    return float(np.ceil(n[0, k - 1] * 2.0**high))


def _equal_scores(error: Floats) -> Floats:
    """Scores of equal models whose differences have these errors, (draws, models)."""
    centre = np.eye(len(error)) - 1 / len(error)
    root = symmetric_root(-centre @ error**2 @ centre / 2)
    return np.random.default_rng(SEED).standard_normal((DRAWS, len(error))) @ root


def _widest_gap(
    pairs: Pairs, score: Floats, n: Floats, error: Floats, margin: float, wrong: float, times: float
) -> Floats:
    """Compute the largest lead at which each pair would pass, with so many times the items.

    As :func:`saturation.statistics.pairs.lead_p_values` tests them.
    """
    size, degrees = n * times, (pairs.degrees + 1) * times - 1
    pair_error = error / np.sqrt(times)
    clustered = pairs.method == CLUSTERED_T
    least = np.sqrt(margin * (1 - margin) / (degrees + 1)) if margin < 1 else 0.0
    pair_error = np.where(clustered, np.fmax(pair_error, least), pair_error)
    quantile = special.stdtrit(np.where(degrees > 0, degrees, np.nan), 1 - wrong)
    widest = margin - quantile * pair_error
    half = (pairs.wins + pairs.wins.T) / 2 * times
    common = (score[:, None] + score) / 2
    for method, p in (
        (MCNEMAR, statistics_pairs.paired_score(half, half, size, margin)),
        (POOLED_Z, statistics_pairs.independent_score(common, size, common, size, margin)),
    ):
        # Standard errors from equal scores, up to which the margin is so many of.
        room = np.maximum(margin - 0.5 / size, 0.0)
        with np.errstate(divide="ignore"):
            by_score = room * (1 - special.ndtri(1 - wrong) / np.maximum(-special.ndtri(p), 1e-9))
        widest = np.where(pairs.method == method, by_score, widest)
    return np.where(np.isnan(widest), -np.inf, widest)
