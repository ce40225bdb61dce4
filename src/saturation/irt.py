"""Two-parameter logistic item response model: probability, information, fitting, ability.

Responses are int8 matrices, respondents in rows and items in columns, with 1 for correct, 0 for
wrong and :data:`MISSING` for cells that were not observed. The model is equation 2 of the fluid
benchmarking paper, p = logistic(a (theta - b)).

The compiled loops use no fast-math and no parallel sums, so that the same input gives the same
bytes on every run.
"""

from dataclasses import dataclass
from typing import Literal

import numba
import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

MISSING = -1
Floats = npt.NDArray[np.float64]
Responses = npt.NDArray[np.int8]
Slopes = Literal["positive", "signed"]

MAX_ROUNDS = 100
ABILITY_TOLERANCE = 1e-3
PRIOR_TOLERANCE = 5e-3
SMALLEST_SPREAD = 0.05
# Where most respondents sit at chance, checkpoints of one model agree by more than ability and
# the log slopes' spread would grow without end. Within 0.75, 95 % of slopes lie within a factor
# of 4.4 of their median.
LARGEST_LOG_SPREAD = 0.75
# Within a round the other side is only provisional: a few steps are enough.
_STEPS_PER_ROUND = 3
_MOST_STEPS = 50
_SMALLEST_STEP = 1e-3
# Products of factors in (1, 2] stay finite over this many cells: one logarithm for all of them.
_CELLS_PER_LOGARITHM = 512
_QUADRATURE_NODES = 21


@dataclass(frozen=True)
class Fit:
    """A fitted model, on the scale on which the abilities have mean 0 and standard deviation 1.

    Attributes
    ----------
    discrimination, discrimination_se
        Slope of each item and its standard error (delta method from the log slope when slopes
        are positive).
    difficulty, difficulty_se
        Ability at which each item is answered rightly half of the time, and its standard error.
    ability, ability_se
        Ability of each respondent and its standard error, the uncertainty of the items included.
    prior
        The estimated hyperparameters: means and standard deviations of the items' two priors.
    rounds, converged
        Rounds of the alternation, and whether it settled before :data:`MAX_ROUNDS`.
    """

    discrimination: Floats
    discrimination_se: Floats
    difficulty: Floats
    difficulty_se: Floats
    ability: Floats
    ability_se: Floats
    prior: dict[str, float]
    rounds: int
    converged: bool


def probability(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Probability of a right answer, respondents by items (equation 2)."""
    return expit(_logit(ability, discrimination, difficulty))


def information(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Fisher information of each item at each ability, abilities by items (equation 4)."""
    logit = _logit(ability, discrimination, difficulty)
    return np.square(discrimination) * expit(logit) * expit(-logit)


def test_information(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Information of the whole item set at each ability: the sum over items."""
    return information(ability, discrimination, difficulty).sum(axis=1)


test_information.__test__ = False  # type: ignore[attr-defined]  # pytest takes the name for a test


def log_likelihood(
    responses: Responses, ability: Floats, discrimination: Floats, difficulty: Floats
) -> Floats:
    """Log-likelihood of each observed response; cells that are missing give 0."""
    logit = _logit(ability, discrimination, difficulty)
    found = np.where(responses == 1, log_expit(logit), log_expit(-logit))
    return np.where(responses == MISSING, 0.0, found)


def fit(responses: Responses, slopes: Slopes = "positive") -> Fit:
    """Joint maximum a posteriori fit with hierarchical priors and Laplace standard errors.

    Ability has a standard normal prior. The items' priors are normal with means and standard
    deviations that are estimated: on log slope and difficulty (``positive``, the paper's model,
    after Natesan et al. 2016), or on slope and intercept (``signed``, where an item may be
    answered rightly less often by abler respondents). Rounds alternate Newton steps on items and
    on respondents; after each, the hyperparameters take their expected values under the Laplace
    approximation of the items' posterior, and abilities are brought to mean 0 and standard
    deviation 1. A benchmark has few respondents and many items, so that abilities are precise
    and the uncertainty lies in the items.

    Parameters
    ----------
    responses
        Respondents by items; every respondent and item needs an observed cell.
    slopes
        The sign that slopes may have. With ``signed``, the direction of the scale is the one in
        which ability rises with the share of right answers.

    Returns
    -------
    Fit
        Items and respondents that are all right or all wrong are held by their priors.
    """
    signed = slopes == "signed"
    by_item = np.ascontiguousarray(responses.T)
    by_person = np.ascontiguousarray(responses)
    ability = _start(responses)
    items = np.zeros((responses.shape[1], 2))
    items[:, 0] = 1.0 if signed else 0.0
    prior = np.array([[items[0, 0], 1.0], [0.0, 2.0]])
    variance = np.empty_like(items)
    rounds, converged = 0, False
    while not converged and rounds < MAX_ROUNDS:
        rounds += 1
        _step_items(by_item, ability, items, variance, prior, signed, _STEPS_PER_ROUND)
        slope, intercept = _lines(items, signed)
        moved = _step_persons(by_person, slope, intercept, ability.copy())
        centre, spread = moved.mean(), moved.std()
        moved = (moved - centre) / spread
        _rescale(items, centre, spread, signed)
        updated = _hyperparameters(items, variance)
        if not signed:
            updated[0, 1] = min(updated[0, 1], LARGEST_LOG_SPREAD)
        converged = bool(
            np.abs(moved - ability).max() < ABILITY_TOLERANCE
            and np.abs(updated - prior).max() < PRIOR_TOLERANCE
        )
        ability, prior = moved, updated
    return _described(responses, ability, items, prior, signed, rounds, converged)


def map_ability(
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    prior_mean: float = 0.0,
    prior_sd: float = 1.0,
) -> tuple[Floats, Floats]:
    """Maximum a posteriori ability of each respondent for known items (equation 3 with a prior).

    Returns
    -------
    tuple
        Ability, and its standard error 1 / sqrt(information + 1 / prior variance).
    """
    start = np.full(len(responses), prior_mean)
    ability = _persons_by_items(
        np.ascontiguousarray(responses), discrimination, difficulty, start, prior_mean, prior_sd
    )
    info = _observed_information(responses, ability, discrimination, difficulty)
    return ability, 1.0 / np.sqrt(info + prior_sd**-2)


def eap_ability(
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    prior_mean: float = 0.0,
    prior_sd: float = 1.0,
) -> tuple[Floats, Floats]:
    """Expected a posteriori ability and posterior standard deviation of each respondent.

    Gauss-Hermite quadrature with nodes centred and scaled at each respondent's own posterior
    mode: a grid that is the same for all would miss posteriors that thousands of items make
    narrow.
    """
    mode, spread = map_ability(responses, discrimination, difficulty, prior_mean, prior_sd)
    nodes, weights = np.polynomial.hermite_e.hermegauss(_QUADRATURE_NODES)
    places = mode[:, None] + spread[:, None] * nodes
    log_posterior = np.column_stack(
        [
            log_likelihood(responses, at, discrimination, difficulty).sum(axis=1)
            - 0.5 * ((at - prior_mean) / prior_sd) ** 2
            for at in places.T
        ]
    )
    log_weight = log_posterior + 0.5 * nodes**2 + np.log(weights)
    share = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    mean = (share * places).sum(axis=1)
    return mean, np.sqrt((share * (places - mean[:, None]) ** 2).sum(axis=1))


def signed_slopes(responses: Responses, ability: Floats) -> tuple[Floats, Floats]:
    """Slope of each item on known abilities, free in sign, and its standard error.

    A logistic regression per item under a wide normal prior (standard deviation 5 on slope and
    intercept), which only keeps items that are all right or all wrong finite.
    """
    items = np.zeros((responses.shape[1], 2))
    variance = np.empty_like(items)
    prior = np.array([[0.0, 5.0], [0.0, 5.0]])
    _step_items(np.ascontiguousarray(responses.T), ability, items, variance, prior, True, _MOST_STEPS)
    return items[:, 0], np.sqrt(variance[:, 0])


def link(ability: Floats, reference: Floats) -> tuple[float, float]:
    """Slope and intercept that bring one fit's abilities onto another's scale (mean and sigma).

    Parameters
    ----------
    ability, reference
        The same respondents' abilities in the two fits.
    """
    slope = float(reference.std() / ability.std())
    return slope, float(reference.mean() - slope * ability.mean())


def _logit(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    return np.asarray(ability)[:, None] * discrimination - discrimination * difficulty


def _observed_information(
    responses: Responses, ability: Floats, discrimination: Floats, difficulty: Floats
) -> Floats:
    info = information(ability, discrimination, difficulty)
    return np.where(responses == MISSING, 0.0, info).sum(axis=1)


def _start(responses: Responses) -> Floats:
    """Standardised log odds of each respondent's share of right answers."""
    seen = (responses != MISSING).sum(axis=1)
    right = (responses == 1).sum(axis=1)
    odds = np.log((right + 0.5) / (seen - right + 0.5))
    spread = odds.std()
    return (odds - odds.mean()) / spread if spread > 0 else odds - odds.mean()


def _lines(items: Floats, signed: bool) -> tuple[Floats, Floats]:
    """Slope and intercept of each item's logit."""
    if signed:
        return items[:, 0].copy(), items[:, 1].copy()
    slope = np.exp(items[:, 0])
    return slope, -slope * items[:, 1]


def _rescale(items: Floats, centre: float, spread: float, signed: bool) -> None:
    """Carry a change of the ability scale to the items; no probability changes."""
    if signed:
        items[:, 1] += items[:, 0] * centre
        items[:, 0] *= spread
    else:
        items[:, 1] = (items[:, 1] - centre) / spread
        items[:, 0] += np.log(spread)


def _hyperparameters(items: Floats, variance: Floats) -> Floats:
    """Means and standard deviations of the priors, given the items' Laplace posteriors."""
    mean = items.mean(axis=0)
    spread = np.sqrt(((items - mean) ** 2 + variance).mean(axis=0))
    return np.column_stack([mean, np.maximum(spread, SMALLEST_SPREAD)])


def _described(
    responses: Responses,
    ability: Floats,
    items: Floats,
    prior: Floats,
    signed: bool,
    rounds: int,
    converged: bool,
) -> Fit:
    if signed and np.corrcoef(ability, (responses == 1).mean(axis=1))[0, 1] < 0:
        ability, items = -ability, items * np.array([-1.0, 1.0])
        prior = prior * np.array([[-1.0, 1.0], [1.0, 1.0]])
    ability_se, covariance = _laplace(responses, ability, items, prior, signed)
    if signed:
        slope, intercept = items.T
        names = ("slope", "intercept")
        discrimination, difficulty = slope, -intercept / slope
        discrimination_se = np.sqrt(covariance[:, 0, 0])
        gradient = np.column_stack([intercept / slope**2, -1.0 / slope])
        difficulty_se = np.sqrt(np.einsum("ji,jik,jk->j", gradient, covariance, gradient))
    else:
        names = ("log_discrimination", "difficulty")
        discrimination, difficulty = np.exp(items[:, 0]), items[:, 1]
        discrimination_se = discrimination * np.sqrt(covariance[:, 0, 0])
        difficulty_se = np.sqrt(covariance[:, 1, 1])
    moments = {
        f"{name}_{moment}": float(prior[row, column])
        for row, name in enumerate(names)
        for column, moment in enumerate(("mean", "sd"))
    }
    return Fit(
        discrimination=discrimination.copy(),
        discrimination_se=discrimination_se,
        difficulty=difficulty.copy(),
        difficulty_se=difficulty_se,
        ability=ability,
        ability_se=ability_se,
        prior=moments,
        rounds=rounds,
        converged=converged,
    )


def _laplace(
    responses: Responses, ability: Floats, items: Floats, prior: Floats, signed: bool
) -> tuple[Floats, Floats]:
    """Standard errors of abilities and covariances of items from the joint information matrix.

    The matrix is an arrow: diagonal in respondents, 2 x 2 blocks in items. Its inverse needs only
    one dense matrix of respondents, the Schur complement, which is inverted on the surface where
    the abilities keep mean 0 and standard deviation 1, as the fit's scale demands.
    """
    slope, intercept = _lines(items, signed)
    logit = ability[:, None] * slope + intercept
    weight = np.where(responses == MISSING, 0.0, expit(logit) * expit(-logit))
    if signed:
        first, second = np.broadcast_to(ability[:, None], logit.shape), np.ones_like(logit)
    else:
        first, second = logit, np.broadcast_to(-slope, logit.shape)
    block = np.empty((len(items), 2, 2))
    block[:, 0, 0] = (weight * first * first).sum(axis=0) + prior[0, 1] ** -2
    block[:, 1, 1] = (weight * second * second).sum(axis=0) + prior[1, 1] ** -2
    block[:, 0, 1] = block[:, 1, 0] = (weight * first * second).sum(axis=0)
    inverse = np.linalg.inv(block)
    cross = np.stack([weight * slope * first, weight * slope * second], axis=2)
    pulled = np.einsum("ijk,jkl->ijl", cross, inverse)
    persons = np.diag((weight * slope**2).sum(axis=1) + 1.0)
    flat = (len(ability), -1)
    schur = persons - pulled.reshape(flat) @ cross.reshape(flat).T
    scale = np.column_stack([np.ones_like(ability), ability])
    free = np.linalg.qr(scale, mode="complete")[0][:, 2:]
    covariance = free @ np.linalg.inv(free.T @ schur @ free) @ free.T
    carried = np.tensordot(covariance, pulled, axes=1)
    return (
        np.sqrt(np.maximum(np.diag(covariance), 0.0)),
        inverse + np.einsum("ijk,ijl->jkl", pulled, carried),
    )


@numba.njit(cache=True)
def _step_items(  # pragma: no cover - compiled
    by_item: Responses,
    ability: Floats,
    items: Floats,
    variance: Floats,
    prior: Floats,
    signed: bool,
    most_steps: int,
) -> None:
    """Climb each item's log posterior by scoring steps, halved where they overshoot; in place."""
    for item in range(by_item.shape[0]):
        row = by_item[item]
        first, second = items[item, 0], items[item, 1]
        last_first, last_second, last_value = first, second, -np.inf
        for _ in range(most_steps):
            slope = first if signed else np.exp(first)
            intercept = second if signed else -slope * second
            value, product, cells = 0.0, 1.0, 0
            g1 = g2 = h11 = h12 = h22 = total = bend = 0.0
            for person in range(row.size):
                answer = row[person]
                if answer == MISSING:
                    continue
                logit = slope * ability[person] + intercept
                tail = np.exp(-abs(logit))
                product *= 1.0 + tail
                cells += 1
                if cells == _CELLS_PER_LOGARITHM:
                    value -= np.log(product)
                    product, cells = 1.0, 0
                inverse = 1.0 / (1.0 + tail)
                p = inverse if logit >= 0 else tail * inverse
                value += min(logit, 0.0) - (0.0 if answer == 1 else logit)
                residual = answer - p
                weight = tail * inverse * inverse
                d1 = ability[person] if signed else logit
                d2 = 1.0 if signed else -slope
                total += residual
                bend += residual * logit
                g1 += residual * d1
                g2 += residual * d2
                h11 += weight * d1 * d1
                h12 += weight * d1 * d2
                h22 += weight * d2 * d2
            value -= np.log(product)
            z1 = (first - prior[0, 0]) / prior[0, 1]
            z2 = (second - prior[1, 0]) / prior[1, 1]
            value -= 0.5 * (z1 * z1 + z2 * z2)
            if value < last_value:
                first, second = 0.5 * (first + last_first), 0.5 * (second + last_second)
                continue
            g1 -= z1 / prior[0, 1]
            g2 -= z2 / prior[1, 1]
            h11 += prior[0, 1] ** -2
            h22 += prior[1, 1] ** -2
            determinant = h11 * h22 - h12 * h12
            variance[item, 0], variance[item, 1] = h22 / determinant, h11 / determinant
            last_first, last_second, last_value = first, second, value
            if not signed:
                # Newton instead of scoring where the posterior curves down: fewer passes.
                curved11, curved12 = h11 - bend, h12 + slope * total
                curved = curved11 * h22 - curved12 * curved12
                if curved11 > 0.0 and curved > 0.1 * determinant:
                    h11, h12, determinant = curved11, curved12, curved
            step1 = (h22 * g1 - h12 * g2) / determinant
            step2 = (h11 * g2 - h12 * g1) / determinant
            if abs(step1) + abs(step2) < _SMALLEST_STEP:
                break
            shrink = min(1.0, 2.0 / max(abs(step1), abs(step2)))
            first, second = first + shrink * step1, second + shrink * step2
        items[item, 0], items[item, 1] = last_first, last_second


@numba.njit(cache=True)
def _climb(  # pragma: no cover - compiled
    row: Responses,
    slope: Floats,
    intercept: Floats,
    theta: float,
    prior_mean: float,
    prior_sd: float,
    most_steps: int,
) -> float:
    """Newton's way to one respondent's posterior mode; the posterior is log-concave."""
    for _ in range(most_steps):
        gradient = -(theta - prior_mean) / prior_sd**2
        curvature = prior_sd**-2
        for item in range(row.size):
            if row[item] == MISSING:
                continue
            tail = np.exp(-abs(slope[item] * theta + intercept[item]))
            inverse = 1.0 / (1.0 + tail)
            p = inverse if slope[item] * theta + intercept[item] >= 0 else tail * inverse
            gradient += slope[item] * (row[item] - p)
            curvature += slope[item] ** 2 * tail * inverse * inverse
        step = min(max(gradient / curvature, -1.0), 1.0)
        theta += step
        if abs(step) < 1e-6:
            break
    return theta


@numba.njit(cache=True)
def _step_persons(  # pragma: no cover - compiled
    by_person: Responses, slope: Floats, intercept: Floats, ability: Floats
) -> Floats:
    for person in range(ability.size):
        ability[person] = _climb(by_person[person], slope, intercept, ability[person], 0.0, 1.0, _STEPS_PER_ROUND)
    return ability


@numba.njit(cache=True)
def _persons_by_items(  # pragma: no cover - compiled
    by_person: Responses,
    discrimination: Floats,
    difficulty: Floats,
    ability: Floats,
    prior_mean: float,
    prior_sd: float,
) -> Floats:
    intercept = -discrimination * difficulty
    for person in range(ability.size):
        ability[person] = _climb(
            by_person[person], discrimination, intercept, ability[person], prior_mean, prior_sd, _MOST_STEPS
        )
    return ability
