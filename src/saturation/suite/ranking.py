"""Rank models by the tasks of a suite, and say which ranks the tasks separate.

Tasks are taken as a sample of the tasks that the suite stands for. Two models that are equal on
that population differ on each task by chance: the signs of their differences are exchangeable. The
largest standardised difference over all pairs is therefore compared with its distribution when the
signs of whole tasks, or of whole families of tasks, are flipped (J. P. Romano and M. Wolf (2005),
Journal of the American Statistical Association 100, 94, in a single step).
"""

import itertools
from typing import NamedTuple

import numpy as np
from scipy import stats

from saturation.arrays import Bools, Floats, Places
from saturation.statistics.intervals import CONFIDENCE

FLIPS = 4000
# Random weights of the tasks.
DRAWS = 10_000
# Up to so many families every pattern of signs is tried: 2^12 patterns.
MOST_ENUMERATED = 12
# Standardised differences that are closer are the rounding of a tie.
ROUNDING = 1e-9


class Ranking(NamedTuple):
    """Models from the best to the worst, and which of them differ.

    ``order`` has the models' places in the table. ``separated`` says of each pair of ranks whether
    the two models differ, one error rate over all pairs; ``possibly_best`` which models may be the
    best of all.
    """

    order: Places
    separated: Bools
    possibly_best: Bools

    @property
    def adjacent_separated(self) -> int:
        """Count the neighbouring ranks that are separated."""
        return int(np.diagonal(self.separated, 1).sum())


def win_rates(scores: Floats) -> Floats:
    """Return the share of the other models that each model beats on each task, ties counting half.

    The mean over tasks is the mean win rate; times the number of other models it is the Borda
    count, so that both order the models alike.

    Examples
    --------
    >>> win_rates(np.array([[0.9], [0.5], [0.5]])).ravel().tolist()
    [1.0, 0.25, 0.25]
    """
    ranks: Floats = stats.rankdata(scores, axis=0)
    return (ranks - 1) / (len(scores) - 1)


def rank(
    scores: Floats, families: Places | None = None, confidence: float = CONFIDENCE, seed: int = 0
) -> Ranking:
    """Rank models by their mean over tasks, and test all pairs at a joint error rate.

    Parameters
    ----------
    scores
        Models by tasks, without missing cells.
    families
        Family of each task, as codes from 0: signs are flipped by family. By default each task
        stands alone.
    confidence
        One minus the probability that any two equal models are separated, and one minus that of
        excluding the best model from ``possibly_best``.
    seed
        Seed of the random signs; with few families all patterns are enumerated.
    """
    order = np.argsort(-scores.mean(axis=1), kind="stable")
    sums = scores[order]
    if families is not None:
        sums = sums @ (families[:, None] == np.arange(families.max() + 1))
    signs = _signs(sums.shape[1], np.random.default_rng(seed))
    observed = np.zeros((len(sums), len(sums)))
    highest = np.zeros((len(sums), signs.shape[1]))
    for model, own_sums in enumerate(sums):
        leads = own_sums - sums
        length = np.linalg.norm(leads, axis=1, keepdims=True)
        leads = np.divide(leads, length, out=np.zeros_like(leads), where=length > ROUNDING)
        observed[model] = leads.sum(axis=1)
        np.maximum(highest, leads @ signs, out=highest)
    error = 1 - confidence
    limit = _critical(highest.max(axis=0), error)
    limits = np.array([_critical(row, error) for row in highest])
    return Ranking(
        order=order,
        separated=np.abs(observed) > limit + ROUNDING,
        possibly_best=np.all(observed <= limits + ROUNDING, axis=0),
    )


def first_by_weights(scores: Floats, seed: int) -> Floats:
    """Return how often each model is first when the tasks' weights are random.

    Weights are uniform over all that sum to 1 (a flat Dirichlet distribution). Models that tie
    share the place.
    """
    rng = np.random.default_rng(seed)
    weights = rng.dirichlet(np.ones(scores.shape[1]), size=DRAWS)
    means = weights @ scores.T
    leaders = means >= means.max(axis=1, keepdims=True) - ROUNDING
    shares: Floats = (leaders / leaders.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares


def participation_ratio(scores: Floats) -> float:
    """Return how many dimensions the tasks have: their participation ratio.

    (sum of eigenvalues)^2 / sum of their squares, of the correlations of tasks over models: 1 where
    all tasks order the models alike, the number of tasks where none says anything of another. Tasks
    on which all models are equal are left out.
    """
    varying = scores[:, np.ptp(scores, axis=0) > ROUNDING]
    if varying.shape[1] < 2:
        return np.nan
    eigenvalues = np.linalg.eigvalsh(np.corrcoef(varying.T))
    return float(eigenvalues.sum() ** 2 / (eigenvalues**2).sum())


def _signs(families: int, rng: np.random.Generator) -> Floats:
    """Return patterns of signs, families by patterns; the first leaves all as they are."""
    if families <= MOST_ENUMERATED:
        return np.array(list(itertools.product((1.0, -1.0), repeat=families))).T
    signs = rng.choice((-1.0, 1.0), size=(families, FLIPS))
    signs[:, 0] = 1.0
    return signs


def _critical(statistics: Floats, error: float) -> float:
    """Return the value that at most this share of the patterns exceeds."""
    allowed = int(error * len(statistics) + ROUNDING)
    return float(np.sort(statistics)[::-1][allowed])
