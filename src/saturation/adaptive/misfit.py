"""Test the fit of the model: residuals beside residuals of simulated banks.

Every statistic is computed on the responses and on replicates drawn from the fitted model and
fitted again (a parametric bootstrap), so that what a fit takes up of its own data is in both.
"""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import pandas as pd
import scipy
from numpy.random import Generator

from saturation import seeds
from saturation.adaptive.fit import Fit, fit, signed_slopes
from saturation.adaptive.model import LEAST_FLOOR, MISSING, Responses
from saturation.arrays import Floats
from saturation.errors import InputError
from saturation.statistics.intervals import ALPHA, CONFIDENCE
from saturation.statistics.resampling import p_value

_Made = TypeVar("_Made")

# Parts of the cells, each held out in turn.
PARTS = 5
# Items that are looked at, of banks that have more. A floor shows in so many cells: with many
# respondents fewer items are fitted, some ninety times over.
MOST_ITEMS = 1000
_CELLS_ENOUGH, _FEWEST_ITEMS = 90_000, 200
HIGHEST = 0.6
# Nobody guesses one in fifty: where nothing can be guessed, a floor below stands in for misfit.
LEAST_GUESSED = 0.02
# Floors are tried in these steps up to where the likelihood has clearly fallen, then to this width.
_STEP, _WIDTH = 0.05, 0.004
_FALLEN = 8.0
_LEAST_CHANCE = 1e-6


class Guessing(NamedTuple):
    """The floor of guessing of a bank: as estimated, or as the bank is used with.

    Attributes
    ----------
    value
        Chance of a right answer by guessing; 0 where the two-parameter model is kept.
    lower, upper
        Its 95 % interval: floors whose log-likelihood is less than half of the chi-squared
        quantile below the highest, as if respondents were independent. The upper end is NaN where
        the responses cannot be fitted with a higher floor before it is less likely.
    """

    value: float
    lower: float
    upper: float

    def describe(self) -> str:
        """Describe the floor for the reader in a sentence; empty without a floor."""
        if self.value == 0.0:
            return ""
        limits = "or more" if np.isnan(self.upper) else f"({self.lower:.2f} to {self.upper:.2f})"
        return (
            f"right answers are guessed with a chance of {self.value:.2f} {limits}: the model with "
            "this floor predicts answers held out better than the one without, and is used"
        )


NONE = Guessing(0.0, 0.0, 0.0)


class _Profile:
    """Log-likelihoods by floor; -inf where the responses cannot be fitted. Each is fitted once."""

    def __init__(self, responses: Responses, plain: Fit) -> None:
        self._responses = responses
        self.fits: dict[float, Fit | None] = {0.0: plain}

    def __call__(self, floor: float) -> float:
        floor = 0.0 if floor < LEAST_FLOOR else round(float(floor), 9)
        if floor not in self.fits:
            try:
                self.fits[floor] = fit(self._responses, floor, self._nearest(floor))
            except InputError:
                # Too little is known once so much is taken for guessed.
                self.fits[floor] = None
        fitted = self.fits[floor]
        return -np.inf if fitted is None else fitted.log_likelihood

    def _nearest(self, floor: float) -> Fit:
        """Return the fit whose floor is nearest."""
        fits = [fitted for fitted in self.fits.values() if fitted is not None]
        return min(fits, key=lambda fitted: abs(fitted.floor - floor))

    def best(self) -> float:
        """Return the most likely of the floors tried."""
        return max(self.fits, key=self)


def estimated(responses: Responses, plain: Fit) -> Guessing:
    """Estimate the most likely floor, and its interval."""
    profile = _highest(responses, plain)
    value = profile.best()
    least = profile(value) - 0.5 * scipy.special.chdtri(1, 1 - CONFIDENCE)
    outside = [floor for floor in profile.fits if profile(floor) < least]
    above = min([floor for floor in outside if floor > value], default=HIGHEST)
    below = max([floor for floor in outside if floor < value], default=0.0)
    lower, upper = (_edge(lambda at: profile(at) < least, end, value) for end in (below, above))
    return Guessing(value, lower, upper if np.isfinite(profile(upper)) else np.nan)


def _highest(responses: Responses, plain: Fit) -> _Profile:
    """Maximise a profile: first in steps, then between the neighbours of the best step."""
    profile = _Profile(responses, plain)
    for floor in np.linspace(_STEP, HIGHEST, round(HIGHEST / _STEP)):
        if profile(floor) < profile(profile.best()) - _FALLEN:
            break
    step = _STEP
    while step > _WIDTH:
        step *= 0.25 if _interpolate(profile, profile.best(), step) else 0.5
    return profile


def _interpolate(profile: _Profile, middle: float, step: float) -> bool:
    """Try floors a step below and above, and the vertex of the parabola through all three.

    Returns whether there is a vertex: not where the responses cannot be fitted with a floor, or the
    likelihood does not curve down.
    """
    middle = np.clip(middle, step, HIGHEST - step)
    floors = middle + np.array([-step, 0.0, step])
    heights = np.array([profile(floor) for floor in floors])
    if not np.isfinite(heights).all():
        return False
    curvature, slope, _ = np.polyfit(floors - middle, heights, 2)
    if curvature < 0:
        profile(np.clip(middle - 0.5 * slope / curvature, floors[0], floors[-1]))
    return bool(curvature < 0)


def _edge(is_outside: Callable[[float], bool], outside: float, inside: float) -> float:
    """Bisect to an end of an interval; return the outer place if the interval reaches so far."""
    if not is_outside(outside):
        return outside
    while abs(outside - inside) > _WIDTH:
        middle = 0.5 * (outside + inside)
        outside, inside = (middle, inside) if is_outside(middle) else (outside, middle)
    return outside


def believed(responses: Responses, name: str) -> Guessing:
    """Return the floor to use with a bank: above the threshold and better at prediction.

    The rule is applied to at most :data:`MOST_ITEMS` items, and to fewer of more than ninety
    respondents: the interval of the floor lies above :data:`LEAST_GUESSED`, and of five
    parts of the cells, each predicted from the others, the mean log-likelihood is higher with a
    floor that the others suggest than without. :data:`NONE` where no floor is needed, or the
    responses cannot be fitted. The random stream derives from the bank's name: it says the same of
    it every time.
    """
    random = seeds.generator(0, "adaptive", "guessing", name)
    enough = max(_FEWEST_ITEMS, _CELLS_ENOUGH // len(responses))
    cells = looked_at(responses, min(MOST_ITEMS, enough), random)
    try:
        floor = estimated(cells, fit(cells))
    except InputError:
        return NONE
    if floor.lower <= LEAST_GUESSED:
        return NONE
    gain = measure_gains(cells, floor.value, random)[cells != MISSING].mean()
    return floor if gain > 0 else NONE


def fit_or_drop_floor(
    guessing: Guessing, build: Callable[[float], _Made]
) -> tuple[Guessing, _Made]:
    """Fit with the floor, or without a floor if the data cannot support the floor everywhere.

    Returns the floor that it was made with, and what was made.
    """
    try:
        return guessing, build(guessing.value)
    except InputError:
        if guessing == NONE:
            raise
        return NONE, build(NONE.value)


def looked_at(responses: Responses, most: int, random: Generator) -> Responses:
    """Return all items, or a random sample of a large bank."""
    if responses.shape[1] <= most:
        return responses
    part = np.sort(random.choice(responses.shape[1], most, replace=False))
    return np.ascontiguousarray(responses[:, part])


def measure_gains(responses: Responses, near: float, random: Generator) -> Floats:
    """Compute each held-out cell's gain in log-likelihood; NaN where training cells are too few.

    The others' floor is looked for within a step of that of all.
    """
    part = random.integers(0, PARTS, responses.shape)
    part[responses == MISSING] = MISSING
    gains = np.full(responses.shape, np.nan)
    for number in range(PARTS):
        hidden = part == number
        training = np.where(hidden, MISSING, responses).astype(np.int8)
        try:
            without = fit(training)
        except InputError:
            continue
        profile = _Profile(training, without)
        _interpolate(profile, near, 0.5 * _STEP)
        floored = profile.fits[profile.best()]
        assert floored is not None
        with_floor, plainly = (
            _log_chance(responses[hidden], model.chance()[hidden]) for model in (floored, without)
        )
        gains[hidden] = with_floor - plainly
    return gains


def _log_chance(responses: Responses, chance: Floats) -> Floats:
    bounded = np.clip(chance, _LEAST_CHANCE, 1.0 - _LEAST_CHANCE)
    return np.log(np.where(responses == 1, bounded, 1.0 - bounded))


def items(responses: Responses, ability: Floats) -> pd.DataFrame:
    """Summarise each item: cells, share right, whether constant, and the signed slope.

    `suspicion_rank` orders items by how surely abler respondents do not answer them rightly more
    often (the slope's lower than nought by most standard errors first): a label error looks like
    this. Items that are all right or all wrong have no rank.
    """
    observed = responses != MISSING
    seen = observed.sum(axis=0)
    right = (responses == 1).sum(axis=0)
    slope, se = signed_slopes(responses, ability)
    table = pd.DataFrame(
        {
            "n": seen,
            "share_right": right / seen,
            "all_right": right == seen,
            "all_wrong": right == 0,
            "signed_slope": slope,
            "signed_slope_se": se,
        }
    )
    constant = table["all_right"] | table["all_wrong"]
    table["slope_z"] = (table["signed_slope"] / table["signed_slope_se"]).mask(constant)
    table["suspicion_rank"] = table["slope_z"].rank(method="first").astype("Int64")
    return table


REJECTED = "the item response model is rejected"
MEANING = {
    "largest_eigenvalue": "largest eigenvalue of the respondents' residual correlations: a second "
    "dimension, or respondents that depend on each other",
    "item_correlation": "root mean square of the items' residual correlations (Q3): items that "
    "depend on each other",
    "model_correlation": "mean residual correlation of a model's checkpoints: rows that are not "
    "independent respondents",
}


def statistics(responses: Responses, fitted: Fit, models: Sequence[str]) -> dict[str, float]:
    """Compute the fit's statistics of dimensions and dependence, by :data:`MEANING`."""
    chance = np.clip(fitted.chance(), 1e-6, 1.0 - 1e-6)
    standard = (responses - chance) / np.sqrt(chance * (1.0 - chance))
    standard[responses == MISSING] = 0.0
    rows = _scaled(standard - standard.mean(axis=1, keepdims=True), axis=1)
    between = rows @ rows.T
    alike = pd.factorize(np.asarray(models, object))[0]
    same = np.triu(alike[:, None] == alike, 1)
    items = _scaled(standard - standard.mean(axis=0), axis=0)
    squared = np.square(items @ items.T).sum() - items.shape[1]
    pairs = items.shape[1] * (items.shape[1] - 1)
    return {
        "largest_eigenvalue": np.linalg.eigvalsh(between)[-1],
        "item_correlation": np.sqrt(max(squared, 0.0) / pairs),
        "model_correlation": between[same].mean() if same.any() else np.nan,
    }


def replicated(
    responses: Responses, fitted: Fit, count: int, random: Generator
) -> Iterator[tuple[Responses, Fit]]:
    """Simulate banks from the fitted model with the observed missing cells, and refit each bank."""
    chance = fitted.chance()
    for _ in range(count):
        cells = (random.random(chance.shape) < chance).astype(np.int8)
        cells[responses == MISSING] = MISSING
        try:
            yield cells, fit(cells, fitted.floor, fitted)
        except InputError:
            continue


def _scaled(values: Floats, axis: int) -> Floats:
    length = np.sqrt(np.square(values).sum(axis=axis, keepdims=True))
    return values / np.where(length > 0, length, 1.0)


# The fewest with which a statistic can be above all at 5 %.
REPLICATES = 19
# Banks drawn, where the model cannot be fitted to all.
MOST_DRAWN = 38


def doubt(responses: Responses, models: Sequence[str], name: str, floor: float = 0.0) -> str:
    """Summarise the evidence against the model in a sentence; empty without evidence.

    Parameters
    ----------
    responses
        Respondents by items, which the model can be fitted to.
    models
        The model, or the family, of each respondent: whose rows may depend on each other.
    name
        The bank's name, from which the random stream derives: it says the same of it every time.
    floor
        Chance of a right answer by guessing that the model is used with, as
        :func:`saturation.adaptive.misfit.believed` finds it.

    Returns
    -------
    str
        The statistics are standardised by all banks, the given one among them; the largest of them
        is compared with the largest of each replicate, which takes their number into account
        (Westfall and Young 1993). Where the model cannot be fitted to half of the banks that it
        draws, the sentence says that it cannot be judged.
    """
    random = seeds.generator(0, "adaptive", "doubt", name)
    responses = looked_at(responses, MOST_ITEMS, random)
    try:
        fitted = fit(responses, floor)
        rows = [statistics(responses, fitted, models)]
        replicates = replicated(responses, fitted, MOST_DRAWN, random)
        rows += [
            statistics(cells, again, models)
            for cells, again in itertools.islice(replicates, REPLICATES)
        ]
    except InputError as error:
        return f"whether the item response model fits cannot be said: {error}"
    if len(rows) <= REPLICATES:
        return (
            "whether the item response model fits cannot be said: it can be fitted to "
            f"{len(rows) - 1} of {MOST_DRAWN} banks that it draws itself"
        )
    reasons = [MEANING[statistic].split(": ")[1] for statistic in too_large(pd.DataFrame(rows))]
    return f"{REJECTED}: {'; '.join(reasons)}" if reasons else ""


def too_large(found: pd.DataFrame) -> list[str]:
    """Select the statistics above every replicate's value.

    The given bank's are in the first row, then those of its replicates.
    """
    complete = found.dropna(axis=1)
    spread = complete.std().replace(0.0, np.inf)
    largest = ((complete - complete.mean()) / spread).max(axis=1).to_numpy(float)
    if p_value(largest[0], largest[1:]) > ALPHA:
        return []
    return [
        str(name) for name in complete if complete[name].iloc[0] > complete[name].iloc[1:].max()
    ]
