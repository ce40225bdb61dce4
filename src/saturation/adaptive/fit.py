"""Fitting the two-parameter model where respondents are few and items many.

Abilities are precise then and items are not, so items are what has to be integrated out: a joint
fit, which takes each item at its single best place, pulls in the abilities at both ends.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from saturation.adaptive.kernels import item_log_likelihoods, item_sums, person_sums
from saturation.adaptive.model import MISSING, Floats, Responses, information

Slopes = Literal["positive", "signed"]

MAX_ROUNDS = 200
# A fiftieth of the standard errors that some thousand items give.
ABILITY_TOLERANCE = 1e-3
PRIOR_TOLERANCE = 5e-3
SMALLEST_SPREAD = 0.05
# Where most respondents guess, checkpoints of one model agree by more than ability and the log
# slopes' spread would grow without end. Within 1, 95 % of slopes lie within a factor of 7.
LARGEST_LOG_SPREAD = 1.0
# Within a round abilities are only provisional: few steps are enough.
_NEWTON_STEPS = 4
_MOST_NEWTON_STEPS = 50
_SMALLEST_STEP = 2e-2
_LARGEST_STEP = 2.0
# Rounds close in by a constant factor: it shows in this many, and the rest of the way is leapt.
_STATES = 3
_LARGEST_FACTOR = 0.9
# Newton's curvature is used where it keeps this share of the determinant of scoring's.
_LEAST_CURVATURE = 0.1


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
        The estimated hyperparameters: means, standard deviations and correlation of the items'
        prior.
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


@dataclass(frozen=True)
class _Prior:
    """Bivariate normal prior of the items' coordinates."""

    mean: Floats
    covariance: Floats

    @property
    def precision(self) -> Floats:
        return np.asarray(np.linalg.inv(self.covariance))

    def described(self, names: tuple[str, str]) -> dict[str, float]:
        """Means, standard deviations and correlation by name."""
        spreads = np.sqrt(np.diag(self.covariance))
        found: dict[str, float] = {}
        for name, mean, spread in zip(names, self.mean, spreads, strict=True):
            found |= {f"{name}_mean": float(mean), f"{name}_sd": float(spread)}
        return found | {"correlation": float(self.covariance[0, 1] / spreads.prod())}

    def log_density(self, items: Floats) -> Floats:
        """Up to a constant; any number of leading axes."""
        away = items - self.mean
        return np.asarray(-0.5 * ((away @ self.precision) * away).sum(axis=-1))


@dataclass(frozen=True)
class _Posterior:
    """Weighted places in each item's posterior: items by places by 2, and items by places."""

    places: Floats
    shares: Floats

    def moments(self) -> tuple[Floats, Floats]:
        """Mean (items by 2) and covariance (items by 2 by 2)."""
        first, second = self.places[..., 0], self.places[..., 1]
        means = [(self.shares * one).sum(axis=1) for one in (first, second)]
        first, second = first - means[0][:, None], second - means[1][:, None]
        cross = (self.shares * first * second).sum(axis=1)
        variances = [(self.shares * one * one).sum(axis=1) for one in (first, second)]
        return np.column_stack(means), _matrices(variances[0], cross, cross, variances[1])


class _Positive:
    """Coordinates log slope and difficulty: slopes are positive."""

    names = ("log_discrimination", "difficulty")
    start = _Prior(np.array([0.0, 0.0]), np.diag([1.0, 4.0]))
    largest_spread = np.array([LARGEST_LOG_SPREAD, np.inf])

    @staticmethod
    def lines(items: Floats) -> tuple[Floats, Floats]:
        slope = np.exp(items[..., 0])
        return slope, -slope * items[..., 1]

    @staticmethod
    def jacobian(items: Floats) -> Floats:
        slope, intercept = _Positive.lines(items)
        return _matrices(slope, np.zeros_like(slope), intercept, -slope)

    @staticmethod
    def bend(gradient: Floats) -> Floats:
        """Part of the curvature that comes from the coordinates, in which logits bend."""
        return _matrices(gradient[:, 0], gradient[:, 1], gradient[:, 1], 0 * gradient[:, 0])

    @staticmethod
    def rescaled(centre: float, spread: float) -> tuple[Floats, Floats]:
        return np.diag([1.0, 1.0 / spread]), np.array([np.log(spread), -centre / spread])

    @staticmethod
    def parameters(mean: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        slope = np.exp(mean[:, 0])
        slope_sd = slope * np.sqrt(covariance[:, 0, 0])
        return slope, slope_sd, mean[:, 1].copy(), np.sqrt(covariance[:, 1, 1])


class _Signed:
    """Coordinates slope and intercept: an item may be answered rightly less often by the abler."""

    names = ("slope", "intercept")
    start = _Prior(np.array([1.0, 0.0]), np.diag([1.0, 4.0]))
    largest_spread = np.array([np.inf, np.inf])

    @staticmethod
    def lines(items: Floats) -> tuple[Floats, Floats]:
        return items[..., 0].copy(), items[..., 1].copy()

    @staticmethod
    def jacobian(items: Floats) -> Floats:
        return np.broadcast_to(np.eye(2), (len(items), 2, 2))

    @staticmethod
    def bend(gradient: Floats) -> Floats:
        return np.zeros((len(gradient), 2, 2))

    @staticmethod
    def rescaled(centre: float, spread: float) -> tuple[Floats, Floats]:
        return np.array([[spread, 0.0], [centre, 1.0]]), np.zeros(2)

    @staticmethod
    def parameters(mean: Floats, covariance: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        slope, intercept = mean.T
        gradient = np.column_stack([intercept / slope**2, -1.0 / slope])
        difficulty_var = (gradient * _products(covariance, gradient)).sum(axis=1)
        return slope, np.sqrt(covariance[:, 0, 0]), -intercept / slope, np.sqrt(difficulty_var)


_COORDINATES: dict[Slopes, type[_Positive] | type[_Signed]] = {
    "positive": _Positive,
    "signed": _Signed,
}
_Coordinates = type[_Positive] | type[_Signed]


def fit(responses: Responses, slopes: Slopes = "positive") -> Fit:
    """Abilities by maximum a posteriori with the items integrated out, under hierarchical priors.

    Ability has a standard normal prior; the items' prior is bivariate normal with mean and
    covariance estimated: of log slope and difficulty (``positive``, the paper's model, after
    Natesan et al. 2016, with their correlation), or of slope and intercept (``signed``). Rounds
    of expectation-maximisation: each item's posterior by adaptive quadrature (3 x 3 places about
    its mode), a Newton step of the abilities on the expected log posterior, the prior's moments;
    then abilities are brought to mean 0 and standard deviation 1, and the items with them.

    Parameters
    ----------
    responses
        Respondents by items; every respondent and item needs an observed cell.
    slopes
        The sign that slopes may have. The scale starts from the shares of right answers, which
        gives it its direction where slopes have either sign.

    Returns
    -------
    Fit
        Items are posterior means. Items and respondents that are all right or all wrong are held
        by their priors.
    """
    form = _COORDINATES[slopes]
    by_item = np.ascontiguousarray(responses.T)
    by_person = np.ascontiguousarray(responses)
    ability, prior = _start(responses), form.start
    items = np.tile(prior.mean, (responses.shape[1], 1))
    states: list[Floats] = []
    rule, steps, rounds, converged = _COARSE, _MOST_NEWTON_STEPS, 0, False
    while not converged and rounds < MAX_ROUNDS:
        rounds += 1
        items, curvature = _modes(by_person, ability, items, prior, form, steps)
        posterior = _posterior(by_person, ability, items, curvature, prior, form, rule)
        moved = _moved(by_item, ability, posterior, form)
        turn, shift = form.rescaled(moved.mean(), moved.std())
        moved = (moved - moved.mean()) / moved.std()
        items = items @ turn.T + shift
        mean, covariance = posterior.moments()
        mean, covariance = mean @ turn.T + shift, turn @ covariance @ turn.T
        updated = _estimated(mean, covariance, form)
        converged = rule is _FINE and bool(
            np.abs(moved - ability).max() < ABILITY_TOLERANCE
            and _distance(updated, prior) < PRIOR_TOLERANCE
        )
        ability, prior, steps = moved, updated, _NEWTON_STEPS
        states.append(np.concatenate([ability, prior.mean, prior.covariance.ravel()]))
        if len(states) == _STATES and not converged:
            ability, prior = _restored(_extrapolated(states), prior)
            rule, states = _FINE, []
    ability_se, carried = _errors(responses, ability, mean, covariance, form)
    slope, slope_se, difficulty, difficulty_se = form.parameters(mean, covariance + carried)
    return Fit(
        discrimination=slope,
        discrimination_se=slope_se,
        difficulty=difficulty,
        difficulty_se=difficulty_se,
        ability=ability,
        ability_se=ability_se,
        prior=prior.described(form.names),
        rounds=rounds,
        converged=converged,
    )


def signed_slopes(responses: Responses, ability: Floats) -> tuple[Floats, Floats]:
    """Slope of each item on known abilities, free in sign, and its standard error.

    A logistic regression per item under a wide normal prior (standard deviation 5 on slope and
    intercept), which only keeps items that are all right or all wrong finite.
    """
    wide = _Prior(np.zeros(2), np.diag([25.0, 25.0]))
    start = np.zeros((responses.shape[1], 2))
    by_person = np.ascontiguousarray(responses)
    items, covariance = _modes(by_person, ability, start, wide, _Signed, _MOST_NEWTON_STEPS)
    return items[:, 0], np.sqrt(covariance[:, 0, 0])


def _start(responses: Responses) -> Floats:
    """Standardised log odds of each respondent's share of right answers."""
    seen = (responses != MISSING).sum(axis=1)
    right = (responses == 1).sum(axis=1)
    odds = np.log((right + 0.5) / (seen - right + 0.5))
    spread = odds.std()
    return (odds - odds.mean()) / spread if spread > 0 else odds - odds.mean()


def _modes(
    by_person: Responses,
    ability: Floats,
    start: Floats,
    prior: _Prior,
    form: _Coordinates,
    most_steps: int,
) -> tuple[Floats, Floats]:
    """Climb each item's log posterior by Newton steps, halved where they overshoot.

    Returns the places and the inverse curvatures there. Items that have arrived are left alone.
    """
    trial, best = start.copy(), start.copy()
    best_value, curvature = np.full(len(start), -np.inf), np.empty((len(start), 2, 2))
    moving = np.arange(len(start))
    for _ in range(most_steps):
        cells = (
            np.ascontiguousarray(by_person[:, moving]) if len(moving) < len(start) else by_person
        )
        here = trial[moving]
        value = item_log_likelihoods(cells, ability, *form.lines(here)) + prior.log_density(here)
        step, inverse = _newton(cells, ability, here, prior, form)
        better = value >= best_value[moving]
        risen = moving[better]
        best[risen], best_value[risen], curvature[risen] = (
            here[better],
            value[better],
            inverse[better],
        )
        trial[moving] = np.where(better[:, None], here + step, 0.5 * (here + best[moving]))
        far = np.abs(trial[moving] - best[moving]).max(axis=1) > _SMALLEST_STEP
        best[moving[~far]] = trial[moving[~far]]
        moving = moving[far]
        if not len(moving):
            break
    return best, curvature


def _newton(
    by_person: Responses, ability: Floats, items: Floats, prior: _Prior, form: _Coordinates
) -> tuple[Floats, Floats]:
    """Step of each item towards its posterior mode, and the inverse curvature that it uses.

    Where the posterior does not curve down, Fisher's scoring stands in for Newton.
    """
    sums = item_sums(by_person, ability, *form.lines(items))
    jacobian = form.jacobian(items)
    gradient = _products(np.swapaxes(jacobian, 1, 2), sums[:2].T)
    line = _matrices(sums[2], sums[3], sums[3], sums[4])
    scoring = np.swapaxes(jacobian, 1, 2) @ line @ jacobian + prior.precision
    newton = scoring - form.bend(gradient)
    size = newton[:, 0, 0] * newton[:, 1, 1] - newton[:, 0, 1] ** 2
    full = scoring[:, 0, 0] * scoring[:, 1, 1] - scoring[:, 0, 1] ** 2
    safe = (newton[:, 0, 0] > 0) & (size > _LEAST_CURVATURE * full)
    inverse = _inverted(np.where(safe[:, None, None], newton, scoring))
    step = _products(inverse, gradient - (items - prior.mean) @ prior.precision)
    longest = np.abs(step).max(axis=1, keepdims=True)
    return step * (_LARGEST_STEP / np.maximum(longest, _LARGEST_STEP)), inverse


def _posterior(
    by_person: Responses,
    ability: Floats,
    modes: Floats,
    covariance: Floats,
    prior: _Prior,
    form: _Coordinates,
    rule: tuple[Floats, Floats],
) -> _Posterior:
    """Each item's posterior on a quadrature rule that is centred and scaled at the item's own."""
    nodes, weights = rule
    places = modes[:, None] + nodes @ np.swapaxes(_roots(covariance), 1, 2)
    slope, intercept = form.lines(places)
    log_share = prior.log_density(places) + 0.5 * (nodes**2).sum(axis=1) + np.log(weights)
    for place in range(len(nodes)):
        log_share[:, place] += item_log_likelihoods(
            by_person,
            ability,
            np.ascontiguousarray(slope[:, place]),
            np.ascontiguousarray(intercept[:, place]),
        )
    shares = np.exp(log_share - log_share.max(axis=1, keepdims=True))
    return _Posterior(places, shares / shares.sum(axis=1, keepdims=True))


def _moved(
    by_item: Responses, ability: Floats, posterior: _Posterior, form: _Coordinates
) -> Floats:
    """Abilities after a Newton step on their expected log posterior."""
    slope, intercept = form.lines(posterior.places)
    score, info = person_sums(by_item, ability, slope, intercept, posterior.shares)
    return np.asarray(ability + np.clip((score - ability) / (info + 1.0), -1.0, 1.0))


def _estimated(mean: Floats, inner: Floats, form: _Coordinates) -> _Prior:
    """The prior that the items' posteriors suggest: their mean, and spread between and within."""
    covariance = np.cov(mean.T, bias=True) + inner.mean(axis=0)
    spread = np.sqrt(np.diag(covariance))
    factor = np.clip(spread, SMALLEST_SPREAD, form.largest_spread) / spread
    return _Prior(mean.mean(axis=0), covariance * np.outer(factor, factor))


def _extrapolated(states: list[Floats]) -> Floats:
    """Where a sequence ends that closes in by a constant factor (Aitken)."""
    before, last = states[-2] - states[-3], states[-1] - states[-2]
    factor = float(np.clip(before @ last / (before @ before), 0.0, _LARGEST_FACTOR))
    return np.asarray(states[-1] + factor / (1.0 - factor) * last)


def _restored(state: Floats, fallback: _Prior) -> tuple[Floats, _Prior]:
    """Abilities and prior out of a state; the prior only if it is one."""
    ability, mean, covariance = state[:-6], state[-6:-4], state[-4:].reshape(2, 2)
    prior = _Prior(mean, covariance)
    if np.linalg.eigvalsh(covariance)[0] <= 0:
        prior = fallback
    return (ability - ability.mean()) / ability.std(), prior


def _distance(one: _Prior, other: _Prior) -> float:
    """Largest difference in means and standard deviations."""
    spreads = [np.sqrt(np.diag(prior.covariance)) for prior in (one, other)]
    return float(max(np.abs(one.mean - other.mean).max(), np.abs(spreads[0] - spreads[1]).max()))


def _errors(
    responses: Responses, ability: Floats, mean: Floats, covariance: Floats, form: _Coordinates
) -> tuple[Floats, Floats]:
    """Standard errors of abilities, and what the abilities' errors add to the items' covariances.

    The abilities' information is what known items would give less what the items' uncertainty
    takes (Louis 1982). It is inverted on the surface where the abilities keep mean 0 and standard
    deviation 1, as the scale demands.
    """
    slope, intercept = form.lines(mean)
    # p (1 - p) times the slope squared
    known = np.where(responses == MISSING, 0.0, information(ability, slope, -intercept / slope))
    root = _roots(covariance)
    lever = form.jacobian(mean) @ root / slope[:, None, None]
    taken = [known * (ability[:, None] * lever[:, 0, m] + lever[:, 1, m]) for m in range(2)]
    left = np.diag(known.sum(axis=1) + 1.0) - sum(one @ one.T for one in taken)
    scale = np.column_stack([np.ones_like(ability), ability])
    free = np.linalg.qr(scale, mode="complete")[0][:, 2:]
    value, direction = np.linalg.eigh(free.T @ left @ free)
    direction = free @ direction
    # What is left is at least the abilities' prior.
    error = (direction / np.maximum(value, 1.0)) @ direction.T
    carried = np.array([[(one * (error @ two)).sum(axis=0) for two in taken] for one in taken])
    carried = root @ np.moveaxis(carried, 2, 0) @ np.swapaxes(root, 1, 2)
    return np.sqrt(np.diag(error)), carried


def _matrices(first: Floats, second: Floats, third: Floats, fourth: Floats) -> Floats:
    """Stack of 2 x 2 matrices from their entries, row by row."""
    return np.stack([first, second, third, fourth], axis=-1).reshape(-1, 2, 2)


def _products(blocks: Floats, vectors: Floats) -> Floats:
    """Products of 2 x 2 matrices and vectors."""
    return np.asarray(blocks[:, :, 0] * vectors[:, :1] + blocks[:, :, 1] * vectors[:, 1:])


def _inverted(blocks: Floats) -> Floats:
    """Inverses of 2 x 2 matrices."""
    a, b, c, d = blocks[:, 0, 0], blocks[:, 0, 1], blocks[:, 1, 0], blocks[:, 1, 1]
    return np.asarray(_matrices(d, -b, -c, a) / (a * d - b * c)[:, None, None])


def _roots(blocks: Floats) -> Floats:
    """Lower triangular roots of positive 2 x 2 matrices."""
    first = np.sqrt(blocks[:, 0, 0])
    second = blocks[:, 1, 0] / first
    third = np.sqrt(np.maximum(blocks[:, 1, 1] - second**2, 0.0))
    return _matrices(first, np.zeros_like(first), second, third)


def _square_rule() -> tuple[Floats, Floats]:
    """Four points on the axes: exact to the third degree."""
    return np.sqrt(2.0) * np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]), np.ones(4)


def _product_rule(points: int) -> tuple[Floats, Floats]:
    """Gauss-Hermite points in both dimensions."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(points)
    first, second = np.meshgrid(nodes, nodes)
    return np.column_stack([first.ravel(), second.ravel()]), np.outer(weights, weights).ravel()


# The first rounds need the posteriors' spread only.
_COARSE, _FINE = _square_rule(), _product_rule(3)
