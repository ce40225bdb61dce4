"""Fitting the two-parameter model where respondents are few and items many.

Abilities are precise then and items are not, so items are what has to be integrated out: a joint
fit, which takes each item at its single best place, pulls in the abilities at both ends.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from saturation.adaptive.abilities import errors
from saturation.adaptive.kernels import item_log_likelihoods, item_sums, person_sums
from saturation.adaptive.model import (
    MISSING,
    POSITIVE,
    SIGNED,
    Coordinates,
    Normal,
    Responses,
    determinants,
    floor_odds,
    inverted,
    matrices,
    probability,
    products,
    roots,
)
from saturation.arrays import Floats, Integers
from saturation.errors import InputError, refuse


def check_cells(responses: Responses) -> None:
    """Refuse a matrix of responses that holds anything but right, wrong and not observed."""
    if responses.ndim != 2 or 0 in responses.shape:
        raise InputError(
            f"responses: shape {responses.shape}; expected respondents by items, at least one each"
        )
    bad = ~((responses == 1) | (responses == 0) | (responses == MISSING))
    refuse(
        f"responses, row {row}, column {column}: value {responses[row, column]} is not allowed; "
        f"expected 0 (wrong), 1 (right) or {MISSING} (not observed)"
        for row, column in np.argwhere(bad)
    )


def check_parameters(discrimination: Floats, difficulty: Floats, n_items: int) -> None:
    """Refuse invalid item parameters."""
    for name, values in (("discrimination", discrimination), ("difficulty", difficulty)):
        if values.shape != (n_items,):
            raise InputError(
                f"item parameters: {name} has shape {values.shape} and the bank {n_items} items; "
                "give one value an item, in the bank's order"
            )
        refuse(
            f"item parameters, item {item}: {name} {values[item]} is not a finite number; leave "
            "the item out of the bank"
            for item in np.flatnonzero(~np.isfinite(values))
        )


MAX_ROUNDS = 200
# A fiftieth of the standard errors that some thousand items give.
ABILITY_TOLERANCE = 1e-3
PRIOR_TOLERANCE = 5e-3
# Later rounds settle at a tenth of those errors: with few items, whose abilities' errors are many
# times larger, the items' modes keep moving abilities by some thousandths.
LATE_TOLERANCE = 5e-3
SMALLEST_SPREAD = 0.05
# Within a round abilities are only provisional: few steps are enough. With a floor modes that are
# only approached move from round to round, and the fit does not settle.
_NEWTON_STEPS, _FLOORED_STEPS = 4, 10
_MOST_NEWTON_STEPS = 50
_SMALLEST_STEP, _FLOORED_STEP = 2e-2, 2e-3
_LARGEST_STEP = 2.0
# Rounds close in by a constant factor: it shows in this many, and the rest of the way is leapt.
_STATES = 3
_LARGEST_FACTOR = 0.9
_LEAPING = 30
# Later abilities step half as far: whole steps can go back and forth about steep items.
_LATE_STEP = 0.5
# Newton's curvature is used where it keeps this share of the determinant of scoring's.
_LEAST_CURVATURE = 0.1
# Prior standard deviation of slope and intercept where an item is regressed on known abilities.
_WIDE = 5.0

FEWEST_RESPONDENTS, FEWEST_ITEMS = 5, 3
# Where items have nothing in common slopes shrink and difficulties grow without end. In standard
# deviations of the abilities.
LARGEST_MEAN = 100.0
# Of the abilities' variance: with more of it error, most of what the abilities say is error.
MOST_ERROR = 0.5
Rule = tuple[Floats, Floats]


def _product_rule(points: int) -> Rule:
    """Gauss-Hermite points in both dimensions."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(points)
    first, second = np.meshgrid(nodes, nodes)
    return np.column_stack([first.ravel(), second.ravel()]), np.outer(weights, weights).ravel()


# The first rounds need the posteriors' spread only: four points on the axes, exact to degree 3.
_AXES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
_COARSE, _FINE = (np.sqrt(2.0) * _AXES, np.ones(4)), _product_rule(3)


@dataclass(frozen=True)
class Fit:
    """A fitted model, on the scale on which the abilities have mean 0 and standard deviation 1.

    Attributes
    ----------
    discrimination, discrimination_se
        Slope of each item and its standard error (delta method from the log slope).
    difficulty, difficulty_se
        Ability at which each item is answered rightly half of the time, and its standard error.
    ability, ability_se
        Ability of each respondent and its standard error, the uncertainty of the items included.
    prior
        The estimated hyperparameters: means, standard deviations and correlation of the items'
        prior.
    rounds
        Rounds of the alternation until it settled.
    log_likelihood
        Of the responses, the items integrated out over their prior, at these abilities.
    floor
        The chance of a right answer by guessing that the model was given.
    covariance
        Of each item's log discrimination and difficulty, items by 2 by 2.
    state
        The alternation's last state, from which a fit of similar responses may start.
    """

    discrimination: Floats
    discrimination_se: Floats
    difficulty: Floats
    difficulty_se: Floats
    ability: Floats
    ability_se: Floats
    prior: dict[str, float]
    rounds: int
    log_likelihood: float
    covariance: Floats
    state: "State" = field(repr=False)
    floor: float = 0.0

    def chance(self, ability: Floats | None = None) -> Floats:
        """Probability of a right answer at abilities, by default those of the respondents."""
        at = self.ability if ability is None else ability
        return probability(at, self.discrimination, self.difficulty, self.floor)


@dataclass(frozen=True)
class _Posterior:
    """Weighted places in each item's posterior: items by places by 2, and items by places.

    `log_likelihood` is the logarithm of what the posteriors were divided by.
    """

    places: Floats
    shares: Floats
    log_likelihood: float

    def moments(self) -> tuple[Floats, Floats]:
        """Mean (items by 2) and covariance (items by 2 by 2)."""
        first, second = self.places[..., 0], self.places[..., 1]
        means = [(self.shares * place).sum(axis=1) for place in (first, second)]
        first, second = first - means[0][:, None], second - means[1][:, None]
        cross = (self.shares * first * second).sum(axis=1)
        variances = [(self.shares * away * away).sum(axis=1) for away in (first, second)]
        return np.column_stack(means), matrices(variances[0], cross, cross, variances[1])


@dataclass(frozen=True)
class _Cells:
    """The responses in both layouts, contiguous, as compiled sums want them; the floor's odds."""

    by_person: Responses
    by_item: Responses
    odds: float | None = None

    def select_items(self, chosen: Integers) -> "_Cells":
        """Those of some items, by their numbers."""
        if len(chosen) == len(self.by_item):
            return self
        by_person = np.ascontiguousarray(self.by_person[:, chosen])
        return _Cells(by_person, by_person.T, self.odds)


@dataclass(frozen=True)
class State:
    """State of the alternation after a round.

    The next round starts from `ability` and `prior`, its climbs from `modes`. `mean` and
    `covariance` are the moments of the items' posteriors. `trail` has abilities and prior of the
    last rounds, one vector a round, up to the leap. `log_likelihood` is exact once the quadrature
    is fine.
    """

    ability: Floats
    prior: Normal
    modes: Floats
    mean: Floats
    covariance: Floats
    rule: Rule = _COARSE
    newton_steps: int = _MOST_NEWTON_STEPS
    trail: tuple[Floats, ...] = ()
    rounds: int = 0
    converged: bool = False
    log_likelihood: float = np.nan


def fit(responses: Responses, floor: float = 0.0, start: Fit | None = None) -> Fit:
    """Abilities by maximum a posteriori with the items integrated out, under hierarchical priors.

    Ability has a standard normal prior; the prior of the items' log slope and difficulty is
    bivariate normal with mean and covariance estimated (the paper's model, after Natesan et al.
    2016, with their correlation). Rounds of expectation-maximisation: each item's posterior by
    adaptive quadrature (3 x 3 places about its mode), a Newton step of the abilities on the
    expected log posterior, the prior's moments; then abilities are brought to mean 0 and standard
    deviation 1, and the items with them.

    Parameters
    ----------
    responses
        Respondents by items. Every respondent needs an observed cell, and not all may have the
        same share of right answers; an item without one is as its prior says.
    floor
        Chance of a right answer by guessing, for all items: with one this is the three-parameter
        model with a common guessing parameter, p = floor + (1 - floor) logistic(a (theta - b)).
        :func:`saturation.adaptive.misfit.estimated` finds it.
    start
        Fit of similar responses to the same items by the same respondents: fewer rounds are
        needed from there.

    Returns
    -------
    Fit
        Items are posterior means. Items and respondents that are all right or all wrong are held
        by their priors.

    Raises
    ------
    InputError
        If the responses cannot be fitted, the fit does not settle in :data:`MAX_ROUNDS`, or what
        it settles on tells no two respondents apart.
    """
    _check_responses(responses)
    cells = _Cells(
        np.ascontiguousarray(responses), np.ascontiguousarray(responses.T), floor_odds(floor)
    )
    if start is None:
        state = _begun(responses)
    else:  # another alternation, with the fine quadrature from its first round
        state = replace(start.state, rule=_FINE, trail=(), rounds=0, converged=False)
    while not state.converged:
        state = _round(cells, state)
        _check_state(state, responses)
    return _settled(responses, state, floor)


def _settled(responses: Responses, state: State, floor: float) -> Fit:
    """Build the fit from the final state, with its errors."""
    ability_se, carried = errors(responses, state.ability, state.mean, state.covariance, floor)
    error = np.square(ability_se).mean()
    if error > MOST_ERROR:
        raise _explain_failure(
            responses, f"the abilities' squared errors are {error:.2f} of their variance on average"
        )
    covariance = state.covariance + carried
    slope, slope_se, difficulty, difficulty_se = POSITIVE.parameters(state.mean, covariance)
    return Fit(
        discrimination=slope,
        discrimination_se=slope_se,
        difficulty=difficulty,
        difficulty_se=difficulty_se,
        ability=state.ability,
        ability_se=ability_se,
        prior=state.prior.described(POSITIVE.names),
        rounds=state.rounds,
        log_likelihood=state.log_likelihood + np.log1p(-floor) * (responses != MISSING).sum(),
        covariance=covariance,
        state=state,
        floor=floor,
    )


def signed_slopes(responses: Responses, ability: Floats) -> tuple[Floats, Floats]:
    """Slope of each item on known abilities, free in sign, and its standard error.

    A logistic regression per item under a wide normal prior (standard deviation 5 on slope and
    intercept), which only keeps items that are all right or all wrong finite.
    """
    wide = Normal(np.zeros(2), _WIDE**2 * np.eye(2))
    start = np.zeros((responses.shape[1], 2))
    by_person = np.ascontiguousarray(responses)
    items, covariance = _modes(
        _Cells(by_person, by_person.T), ability, start, wide, SIGNED, _MOST_NEWTON_STEPS
    )
    return items[:, 0], np.sqrt(covariance[:, 0, 0])


def _check_responses(responses: Responses) -> None:
    """Refuse responses on which no ability can be found."""
    check_cells(responses)
    persons, items = responses.shape
    if persons < FEWEST_RESPONDENTS or items < FEWEST_ITEMS:
        raise InputError(
            f"responses: {persons} respondents and {items} items; at least {FEWEST_RESPONDENTS} "
            f"respondents and {FEWEST_ITEMS} items are needed to fit the model"
        )
    seen = (responses != MISSING).sum(axis=1)
    refuse(
        f"responses, row {row}: no cell is observed; leave it out"
        for row in np.flatnonzero(seen == 0)
    )
    if np.ptp((responses == 1).sum(axis=1) / seen) == 0:
        raise InputError(
            "responses: all respondents have the same share of right answers; no ability can be "
            "told from them; add weaker or stronger models"
        )


def _explain_failure(responses: Responses, how: str) -> InputError:
    """Explain why the responses determine no ability, and suggest a remedy."""
    lacking = (responses == MISSING).mean()
    holes = f"; models lack {100 * lacking:.0f} % of the items: give items that all answered"
    return InputError(
        "responses: no ability that items have in common tells the respondents apart; right "
        f"answers look like guesses ({how}); add models whose scores differ more, or items that "
        f"separate them{holes if lacking else ''}"
    )


def _check_state(state: State, responses: Responses) -> None:
    """Refuse to go on where the fit is lost."""
    numbers = np.concatenate([state.ability, state.prior.mean, state.prior.covariance.ravel()])
    if not np.isfinite(numbers).all() or np.abs(state.prior.mean).max() > LARGEST_MEAN:
        raise _explain_failure(responses, f"after {state.rounds} rounds the slopes vanish")
    if state.rounds >= MAX_ROUNDS and not state.converged:
        raise InputError(
            f"responses: the fit has not settled after {MAX_ROUNDS} rounds; its numbers cannot be "
            "used"
        )


def _begun(responses: Responses) -> State:
    """Build the state before the first round: every item at its prior."""
    items = responses.shape[1]
    mean = np.tile(POSITIVE.start.mean, (items, 1))
    return State(
        ability=_start(responses),
        prior=POSITIVE.start,
        modes=mean,
        mean=mean,
        covariance=np.tile(POSITIVE.start.covariance, (items, 1, 1)),
    )


def _round(cells: _Cells, state: State) -> State:
    """One round: the items' posteriors, the abilities' step, the prior's moments, the scale.

    After every :data:`_STATES` rounds the rest of the way is leapt, and the quadrature is fine.
    Later rounds do not leap, and take half steps: leaps and whole steps can go in a circle about a
    respondent between steep items.
    """
    modes, curvature = _modes(
        cells, state.ability, state.modes, state.prior, POSITIVE, state.newton_steps
    )
    posterior = _posterior(cells, state, modes, curvature)
    early = state.rounds < _LEAPING
    moved = _moved(cells, state.ability, posterior, 1.0 if early else _LATE_STEP)
    turn, shift = POSITIVE.rescaled(moved.mean(), moved.std())
    ability = (moved - moved.mean()) / moved.std()
    mean, covariance = posterior.moments()
    mean, covariance = mean @ turn.T + shift, turn @ covariance @ turn.T
    prior = _estimated(mean, covariance)
    tolerance = ABILITY_TOLERANCE if early else LATE_TOLERANCE
    converged = state.rule is _FINE and bool(
        np.abs(ability - state.ability).max() < tolerance
        and _distance(prior, state.prior) < PRIOR_TOLERANCE
    )
    rule = state.rule
    trail = (*state.trail, np.concatenate([ability, prior.mean, prior.covariance.ravel()]))
    if len(trail) == _STATES and not converged and early:
        ability, prior = _restored(_extrapolated(trail), prior)
        rule, trail = _FINE, ()
    return State(
        ability=ability,
        prior=prior,
        modes=modes @ turn.T + shift,
        mean=mean,
        covariance=covariance,
        rule=rule,
        newton_steps=_NEWTON_STEPS if cells.odds is None else _FLOORED_STEPS,
        trail=trail,
        rounds=state.rounds + 1,
        converged=converged,
        log_likelihood=posterior.log_likelihood,
    )


def _start(responses: Responses) -> Floats:
    """Standardised log odds of each respondent's share of right answers."""
    seen = (responses != MISSING).sum(axis=1)
    right = (responses == 1).sum(axis=1)
    odds = np.log((right + 0.5) / (seen - right + 0.5))
    spread = odds.std()
    return np.asarray((odds - odds.mean()) / (spread if spread > 0 else 1.0))


def _modes(
    all_cells: _Cells,
    ability: Floats,
    start: Floats,
    prior: Normal,
    form: Coordinates,
    most_steps: int,
) -> tuple[Floats, Floats]:
    """Climb each item's log posterior by Newton steps, halved where they overshoot.

    Returns the places and the inverse curvatures there. Items that have arrived are left alone.
    """
    trial, best = start.copy(), start.copy()
    best_value, curvature = np.full(len(start), -np.inf), np.empty((len(start), 2, 2))
    moving = np.arange(len(start))
    smallest = _SMALLEST_STEP if all_cells.odds is None else _FLOORED_STEP
    for _ in range(most_steps):
        cells = all_cells.select_items(moving)
        tried = trial[moving]
        value = item_log_likelihoods(cells.by_person, ability, *form.lines(tried), cells.odds)
        value += prior.log_density(tried)
        step, inverse = _newton(cells, ability, tried, prior, form)
        better = value >= best_value[moving]
        risen = moving[better]
        best[risen], best_value[risen] = tried[better], value[better]
        curvature[risen] = inverse[better]
        trial[moving] = np.where(better[:, None], tried + step, 0.5 * (tried + best[moving]))
        far = np.abs(trial[moving] - best[moving]).max(axis=1) > smallest
        best[moving[~far]] = trial[moving[~far]]
        moving = moving[far]
        if not len(moving):
            break
    return best, curvature


def _newton(
    cells: _Cells, ability: Floats, items: Floats, prior: Normal, form: Coordinates
) -> tuple[Floats, Floats]:
    """Step each item towards its posterior mode; return the inverse curvature as well.

    Where the posterior does not curve down, Fisher's scoring stands in for Newton.
    """
    sums = item_sums(cells.by_person, ability, *form.lines(items), cells.odds)
    jacobian = form.jacobian(items)
    gradient = products(np.swapaxes(jacobian, 1, 2), sums[:2].T)
    line = matrices(sums[2], sums[3], sums[3], sums[4])
    scoring = np.swapaxes(jacobian, 1, 2) @ line @ jacobian + prior.precision
    newton = scoring - form.bend(gradient)
    enough = determinants(newton) > _LEAST_CURVATURE * determinants(scoring)
    safe = (newton[:, 0, 0] > 0) & enough
    inverse = inverted(np.where(safe[:, None, None], newton, scoring))
    step = products(inverse, gradient - (items - prior.mean) @ prior.precision)
    longest = np.abs(step).max(axis=1, keepdims=True)
    return step * (_LARGEST_STEP / np.maximum(longest, _LARGEST_STEP)), inverse


def _posterior(cells: _Cells, state: State, modes: Floats, covariance: Floats) -> _Posterior:
    """Each item's posterior on a quadrature rule that is centred and scaled at the item's own."""
    nodes, weights = state.rule
    places = modes[:, None] + nodes @ np.swapaxes(roots(covariance), 1, 2)
    slope, intercept = POSITIVE.lines(places)
    log_share = state.prior.log_density(places) + 0.5 * (nodes**2).sum(axis=1) + np.log(weights)
    for place in range(len(nodes)):
        log_share[:, place] += item_log_likelihoods(
            cells.by_person,
            state.ability,
            np.ascontiguousarray(slope[:, place]),
            np.ascontiguousarray(intercept[:, place]),
            cells.odds,
        )
    largest = log_share.max(axis=1, keepdims=True)
    shares = np.exp(log_share - largest)
    total = shares.sum(axis=1, keepdims=True)
    # The weights add to 2 pi, and so does what the prior's density leaves out.
    log_likelihood = (largest + np.log(total)).sum() + 0.5 * np.log(determinants(covariance)).sum()
    log_likelihood -= len(modes) * (
        np.log(2.0 * np.pi) + 0.5 * np.linalg.slogdet(state.prior.covariance)[1]
    )
    return _Posterior(places, shares / total, float(log_likelihood))


def _moved(cells: _Cells, ability: Floats, posterior: _Posterior, length: float) -> Floats:
    """Abilities after a share of a Newton step on their expected log posterior."""
    slope, intercept = POSITIVE.lines(posterior.places)
    score, info = person_sums(
        cells.by_item, ability, slope, intercept, posterior.shares, cells.odds
    )
    return ability + length * np.clip((score - ability) / (info + 1.0), -1.0, 1.0)


def _estimated(mean: Floats, inner: Floats) -> Normal:
    """Estimate the prior from the items' posteriors: mean, and spread between and within items."""
    covariance = np.cov(mean.T, bias=True) + inner.mean(axis=0)
    spread = np.sqrt(np.diag(covariance))
    factor = np.clip(spread, SMALLEST_SPREAD, POSITIVE.largest_spread) / spread
    return Normal(mean.mean(axis=0), covariance * np.outer(factor, factor))


def _extrapolated(trail: tuple[Floats, ...]) -> Floats:
    """Extrapolate the limit of a geometrically converging sequence (Aitken)."""
    before, last = trail[-2] - trail[-3], trail[-1] - trail[-2]
    factor = np.clip(before @ last / (before @ before), 0.0, _LARGEST_FACTOR)
    return trail[-1] + factor / (1.0 - factor) * last


def _restored(leapt: Floats, fallback: Normal) -> tuple[Floats, Normal]:
    """Split a vector into abilities and prior; use the fallback if the prior is invalid."""
    ability, mean, covariance = leapt[:-6], leapt[-6:-4], leapt[-4:].reshape(2, 2)
    prior = Normal(mean, covariance)
    if np.linalg.eigvalsh(covariance)[0] <= 0:
        prior = fallback
    return (ability - ability.mean()) / ability.std(), prior


def _distance(first: Normal, second: Normal) -> float:
    """Largest difference in means and standard deviations."""
    spreads = [np.sqrt(np.diag(prior.covariance)) for prior in (first, second)]
    apart = np.abs(first.mean - second.mean), np.abs(spreads[0] - spreads[1])
    return float(max(difference.max() for difference in apart))
