"""A common floor of guessing: how high it is, and whether a model with one predicts better.

With a floor c the chance of a right answer is c + (1 - c) logistic(a (theta - b)): the
three-parameter model with one guessing parameter for all items. How high it is follows from the
likelihood in which items are integrated out over their prior (for each floor at the abilities and
the prior that fit best with it: a profile); whether it is needed, from answers that are held out
as well. What one bank says of a floor rests on the form of the items' prior, which has normal
difficulties and log slopes: a floor that does not predict better is not believed.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd
import scipy

from saturation import seeds
from saturation.adaptive.coordinates import Slopes
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import LEAST_FLOOR, MISSING, Floats, Responses
from saturation.errors import InputError
from saturation.statistics.standard_errors import clustered_error

_Made = TypeVar("_Made")

# Parts of the cells, each held out in turn.
PARTS = 5
# Items that are looked at, of banks that have more. A floor shows in so many cells: with many
# respondents fewer items are fitted, some ninety times over.
MOST_ITEMS = 1000
_CELLS_ENOUGH, _FEWEST_ITEMS = 90_000, 200
LEVEL = 0.95
HIGHEST = 0.6
# Floors are tried in these steps up to where the likelihood has clearly fallen, then to this width.
_STEP, _WIDTH = 0.05, 0.004
_FALLEN = 8.0
_LEAST_CHANCE = 1e-6


class Guessing(NamedTuple):
    """The floor of guessing that a bank is used with.

    Attributes
    ----------
    value
        Chance of a right answer by guessing; 0 where the two-parameter model is kept.
    lower, upper
        Its 95 % interval, as :class:`Floor` has it.
    """

    value: float
    lower: float
    upper: float

    def said(self) -> str:
        """What its reader must know, a sentence; nothing where there is no floor."""
        if self.value == 0.0:
            return ""
        return (
            f"right answers are guessed with a chance of {chance(*self)}: the model with this "
            "floor predicts answers held out better than the one without, and is used"
        )


NONE = Guessing(0.0, 0.0, 0.0)


class Floor(NamedTuple):
    """A floor of guessing that was estimated.

    Attributes
    ----------
    value
        The most likely floor.
    lower, upper
        Its 95 % interval: floors whose log-likelihood is less than half of the chi-squared
        quantile below the highest, as if respondents were independent. The upper end is NaN where
        the responses cannot be fitted with a higher floor before it is less likely.
    fitted
        The fit with it.
    """

    value: float
    lower: float
    upper: float
    fitted: Fit


class _Profile:
    """Log-likelihoods by floor; -inf where the responses cannot be fitted. Each is fitted once."""

    def __init__(self, responses: Responses, slopes: Slopes, plain: Fit) -> None:
        self._responses, self._slopes = responses, slopes
        self.fits: dict[float, Fit | None] = {0.0: plain}

    def __call__(self, floor: float) -> float:
        floor = 0.0 if floor < LEAST_FLOOR else float(floor)
        if floor not in self.fits:
            try:
                self.fits[floor] = fit(self._responses, self._slopes, floor)
            except InputError:
                # Too little is known once so much is taken for guessed.
                self.fits[floor] = None
        fitted = self.fits[floor]
        return -np.inf if fitted is None else fitted.log_likelihood

    def best(self) -> float:
        """The most likely of the floors tried."""
        return max(self.fits, key=self)


def estimated(responses: Responses, slopes: Slopes, plain: Fit) -> Floor:
    """The most likely floor, and its interval.

    Parameters
    ----------
    responses
        Respondents by items.
    slopes
        The sign that slopes may have.
    plain
        The fit without a floor.
    """
    profile = _highest(responses, slopes, plain)
    value = profile.best()
    least = profile(value) - 0.5 * float(scipy.special.chdtri(1, 1 - LEVEL))
    outside = [floor for floor in profile.fits if profile(floor) < least]
    above = min([floor for floor in outside if floor > value], default=HIGHEST)
    below = max([floor for floor in outside if floor < value], default=0.0)
    fitted = profile.fits[value]
    assert fitted is not None
    lower, upper = (_edge(lambda at: profile(at) < least, end, value) for end in (below, above))
    return Floor(value, lower, upper if np.isfinite(profile(upper)) else np.nan, fitted)


def _highest(responses: Responses, slopes: Slopes, plain: Fit) -> _Profile:
    """A profile that has been climbed: in steps, then between the neighbours of the best."""
    profile = _Profile(responses, slopes, plain)
    for floor in np.linspace(_STEP, HIGHEST, round(HIGHEST / _STEP)):
        if profile(floor) < profile(profile.best()) - _FALLEN:
            break
    _climb(profile, profile.best())
    return profile


def _climb(profile: _Profile, middle: float) -> None:
    """Look for the most likely floor within a step of one."""
    scipy.optimize.minimize_scalar(
        # Bounded search compares and interpolates: it needs numbers.
        lambda floor: min(-profile(floor), 1e12),
        bounds=(max(middle - _STEP, 0.0), min(middle + _STEP, HIGHEST)),
        method="bounded",
        options={"xatol": _WIDTH},
    )


def _edge(is_outside: Callable[[float], bool], outside: float, inside: float) -> float:
    """Where an interval ends, by halving; the outer place itself if it is not outside."""
    if not is_outside(outside):
        return outside
    while abs(outside - inside) > _WIDTH:
        middle = 0.5 * (outside + inside)
        outside, inside = (middle, inside) if is_outside(middle) else (outside, middle)
    return outside


def compare(
    responses: Responses, models: Sequence[str], slopes: Slopes, plain: Fit, seed: int, name: str
) -> tuple[pd.DataFrame, Fit]:
    """Estimate a floor, and predict each fifth of the cells from the others with one and without.

    Parameters
    ----------
    responses
        Respondents by items.
    models
        The model of each respondent: its cells are one unit.
    slopes
        The sign that slopes may have.
    plain
        The fit without a floor.
    seed, name
        Of the run, and the bank's name, from which the random stream derives.

    Returns
    -------
    tuple
        One row `floor, floor_lower, floor_upper, gain, lower, upper, needed`, and the fit with
        this floor. The gain is that in mean log-likelihood of a held-out cell over the model
        without a floor, for the floor that the other cells suggest, with its 95 % interval over
        models (missing for one model alone, or where four fifths of the cells cannot be fitted).
        A floor is needed if its own interval lies above nought and the gain does.
    """
    found = estimated(responses, slopes, plain)
    random = seeds.generator(seed, "adaptive", "floors", name)
    gains = _gains(responses, slopes, found.value, random)
    seen = responses != MISSING
    units = np.asarray(models, dtype=object)[np.nonzero(seen)[0]].astype(str)
    clusters = len(np.unique(units))
    quantile = float(scipy.special.stdtrit(max(clusters - 1, 1), 0.5 + LEVEL / 2))
    reach = quantile * clustered_error(gains[seen], units) if clusters > 1 else np.nan
    gain = float(gains[seen].mean())
    row = {
        "floor": found.value,
        "floor_lower": found.lower,
        "floor_upper": found.upper,
        "gain": gain,
        "lower": gain - reach,
        "upper": gain + reach,
        "needed": _needed(found, gain),
    }
    return pd.DataFrame([row]), found.fitted


def believed(responses: Responses, name: str, slopes: Slopes = "positive") -> Guessing:
    """The floor that a bank is to be used with: one that is above nought and predicts better.

    The rule is that of :func:`compare`, on at most :data:`MOST_ITEMS` items, and on fewer of more
    than ninety respondents: the interval of the floor lies above nought, and of five parts of the
    cells, each predicted from the others, the mean log-likelihood is higher with a floor that the
    others suggest than without.

    Parameters
    ----------
    responses
        Respondents by items.
    name
        The bank's name, from which the random stream derives: it says the same of it every time.
    slopes
        The sign that slopes may have.

    Returns
    -------
    Guessing
        :data:`NONE` where no floor is needed, or the responses cannot be fitted.
    """
    random = seeds.generator(0, "adaptive", "guessing", name)
    enough = max(_FEWEST_ITEMS, _CELLS_ENOUGH // len(responses))
    cells = looked_at(responses, min(MOST_ITEMS, enough), random)
    try:
        found = estimated(cells, slopes, fit(cells, slopes))
    except InputError:
        return NONE
    if found.lower == 0.0:
        return NONE
    gain = float(_gains(cells, slopes, found.value, random)[cells != MISSING].mean())
    return Guessing(found.value, found.lower, found.upper) if _needed(found, gain) else NONE


def or_without(guessing: Guessing, made: Callable[[float], _Made]) -> tuple[Guessing, _Made]:
    """What a floor makes, or none where this floor, which some cells show, is too much for all.

    Parameters
    ----------
    guessing
        Of :func:`believed`.
    made
        Makes it, by the chance to guess.

    Returns
    -------
    tuple
        The floor that it was made with, and what was made.

    Raises
    ------
    InputError
        If it cannot be made without a floor either.
    """
    try:
        return guessing, made(guessing.value)
    except InputError:
        if guessing == NONE:
            raise
        return NONE, made(NONE.value)


def looked_at(responses: Responses, most: int, random: np.random.Generator) -> Responses:
    """All items, or a random part of those of a large bank.

    Parameters
    ----------
    responses
        Respondents by items.
    most
        Items that are looked at.
    random
        Draws the part.
    """
    if responses.shape[1] <= most:
        return responses
    part = np.sort(random.choice(responses.shape[1], most, replace=False))
    return np.ascontiguousarray(responses[:, part])


def chance(value: float, lower: float, upper: float) -> str:
    """A floor and its interval in words.

    Parameters
    ----------
    value, lower, upper
        As :class:`Floor` has them.
    """
    return f"{value:.2f} " + ("or more" if np.isnan(upper) else f"({lower:.2f} to {upper:.2f})")


def _needed(found: Floor, gain: float) -> bool:
    """Whether a floor is above nought and predicts better; a gain that is not known does not."""
    return bool(found.lower > 0 and gain > 0)


def _gains(
    responses: Responses, slopes: Slopes, near: float, random: np.random.Generator
) -> Floats:
    """Gain in log-likelihood of each cell that is held out; NaN where the others are too few.

    The others' floor is looked for within a step of that of all.
    """
    part = random.integers(0, PARTS, responses.shape)
    part[responses == MISSING] = MISSING
    gains = np.full(responses.shape, np.nan)
    for number in range(PARTS):
        hidden = part == number
        given = np.where(hidden, MISSING, responses).astype(np.int8)
        try:
            without = fit(given, slopes)
        except InputError:
            continue
        profile = _Profile(given, slopes, without)
        _climb(profile, near)
        floored = profile.fits[profile.best()]
        assert floored is not None
        with_floor, plainly = (
            _log_chance(responses[hidden], each.chance()[hidden]) for each in (floored, without)
        )
        gains[hidden] = with_floor - plainly
    return gains


def _log_chance(responses: Responses, chance: Floats) -> Floats:
    bounded = np.clip(chance, _LEAST_CHANCE, 1.0 - _LEAST_CHANCE)
    return np.asarray(np.log(np.where(responses == 1, bounded, 1.0 - bounded)))
