"""What the adaptive study states, tried where its model is true and where it is not.

What users get is the model with the floor that they need, and a sentence where it is rejected. Rows
of the two-parameter model where it is not true say what would happen without both.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from saturation.adaptive import misfit
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import Responses
from saturation.arrays import Floats
from saturation.errors import InputError
from saturation.statistics.intervals import normal_quantile
from validation.check import COVERAGE, POWER, SIZE, Check, Outcome, Rng, drawn_once, repeated

Inside = npt.NDArray[np.bool_]
# True abilities, difficulties, and responses.
Truth = tuple[Floats, Floats, Responses]
Draw = Callable[[Rng], Truth]

PERSONS, ITEMS, CHECKPOINTS, TESTLET = 60, 300, 5, 10
REPLICATES, TEST_LENGTH = 19, 60
PARAMETERS = ("ability", "difficulty")
MODELS = [f"m{row // CHECKPOINTS}" for row in range(PERSONS)]


def fitting(rng: Rng, guessing: float = 0.0, extra: Floats | float = 0.0) -> Truth:
    """Items with two parameters each, a common floor, and what is added to the logits."""
    a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
    ability = rng.normal(size=PERSONS)
    knows = expit(a * (ability[:, None] - b) + extra)
    chance = guessing + (1.0 - guessing) * knows
    spread = ability.std()
    return (
        (ability - ability.mean()) / spread,
        (b - ability.mean()) / spread,
        (rng.random(chance.shape) < chance).astype(np.int8),
    )


def testlets(rng: Rng) -> Truth:
    """Items in tens: each respondent finds some tens easier than others."""
    tens = rng.normal(size=(PERSONS, ITEMS // TESTLET))
    return fitting(rng, extra=np.repeat(tens, TESTLET, axis=1))


def two_dimensions(rng: Rng) -> Truth:
    """A second ability that helps with half of the items and hinders with the others."""
    return fitting(rng, extra=np.outer(rng.normal(size=PERSONS), rng.choice([-1.0, 1.0], ITEMS)))


def checkpoints(rng: Rng) -> Truth:
    """Five rows a model, which share how hard the model finds each item."""
    own = rng.normal(size=(PERSONS // CHECKPOINTS, ITEMS))
    return fitting(rng, extra=np.repeat(own, CHECKPOINTS, axis=0))


def _contains(fitted: Fit, truth: Truth) -> dict[str, Inside]:
    """Which 95 % intervals of a fit contain the truth, by parameter."""
    reach = normal_quantile(0.95)
    return {
        parameter: np.abs(getattr(fitted, parameter) - true)
        < reach * getattr(fitted, f"{parameter}_se")
        for parameter, true in zip(PARAMETERS, truth)
    }


def _plain(draw: Draw, parameter: str, rng: Rng) -> Inside | None:
    """Intervals of a fit without floor; responses that it refuses abstain."""
    truth = draw(rng)
    try:
        return _contains(fit(truth[2]), truth)[parameter]
    except InputError:
        return None


class Used(NamedTuple):
    """What users are given: whether the model is rejected, and which intervals hold the truth."""

    rejected: bool
    inside: dict[str, Inside]


def _used(draw: Draw, rng: Rng) -> Used:
    """Responses as `saturation subset` and the cards take them."""
    truth, name = draw(rng), str(rng.integers(2**32))
    guessing = misfit.believed(truth[2], name)
    fitted = fit(truth[2], guessing.value)
    said = misfit.doubt(truth[2], MODELS, name, floor=guessing.value)
    return Used(said.startswith(misfit.REJECTED), _contains(fitted, truth))


def _rejected(scenario: str, _rng: Rng, data_sets: int) -> Outcome:
    """How often users are told that the model, with its floor, is rejected."""
    return Outcome(sum(bank.rejected for bank in _USED[scenario](data_sets)), data_sets)


def _held_if_believed(scenario: str, parameter: str, _rng: Rng, data_sets: int) -> Outcome:
    """How often an interval contains the truth, where users are not told that the model fails."""
    banks = _USED[scenario](data_sets)
    inside = [bank.inside[parameter] for bank in banks if not bank.rejected]
    told = sum(len(bank.inside[parameter]) for bank in banks if bank.rejected)
    return Outcome(int(np.sum(inside)), sum(map(len, inside)), abstained=told)


def _noticed(draw: Draw, statistic: str, rng: Rng) -> bool | None:
    """Whether a statistic of the residuals is larger than in each of the replicates."""
    responses = draw(rng)[2]
    try:
        fitted = fit(responses)
    except InputError:
        return None
    observed = misfit.statistics(responses, fitted, MODELS)[statistic]
    drawn = [
        misfit.statistics(cells, again, MODELS)[statistic]
        for cells, again in misfit.replicated(responses, fitted, REPLICATES, rng)
    ]
    return bool(observed > max(drawn))


def _floor_covered(guessing: float, rng: Rng) -> bool:
    """Whether the 95 % interval of the floor contains it."""
    responses = fitting(rng, guessing)[2]
    found = misfit.estimated(responses, fit(responses))
    return bool(found.lower <= guessing <= found.upper)


def _floor_used(draw: Draw, rng: Rng) -> bool:
    responses, name = draw(rng)[2], str(rng.integers(2**32))
    return misfit.believed(responses, name) != misfit.NONE


def _residuals(rng: Rng) -> dict[str, bool]:
    """Say which statistics of responses that follow the model are above all replicates'."""
    responses = fitting(rng)[2]
    fitted = fit(responses)
    drawn = [
        misfit.statistics(cells, again, MODELS)
        for cells, again in misfit.replicated(responses, fitted, REPLICATES, rng)
    ]
    observed = misfit.statistics(responses, fitted, MODELS)
    return {name: value > max(row[name] for row in drawn) for name, value in observed.items()}


_FITTING = drawn_once("adaptive_residuals_fitting", _residuals)


def _above(statistic: str, _rng: Rng, data_sets: int) -> Outcome:
    return Outcome(sum(bank[statistic] for bank in _FITTING(data_sets)), data_sets)


_SIZE = f"{PERSONS} respondents, {ITEMS} items"
_SCENARIOS: dict[str, tuple[Draw, str]] = {
    "fitting": (fitting, f"{_SIZE}, two-parameter model"),
    "floor": (partial(fitting, guessing=0.25), f"{_SIZE}, a quarter right by guessing"),
    "testlets": (testlets, f"{_SIZE} in testlets of {TESTLET}"),
    "two_dimensions": (two_dimensions, f"{_SIZE}, a second dimension of the same size"),
    "checkpoints": (checkpoints, f"{_SIZE}, five rows a model that share item effects"),
}
# Where some model that can be used is true; users are told so of the others.
_TRUE = ("fitting", "floor")
_USED = {
    name: drawn_once(f"adaptive_used_{name}", partial(_used, draw))
    for name, (draw, _) in _SCENARIOS.items()
}


def _of_scenario(name: str) -> list[Check]:
    """Intervals without and with the floor and the sentence, and how often users get these."""
    draw, scenario = _SCENARIOS[name]
    true = name in _TRUE
    checks = []
    # A bank takes seconds to judge; a model that is not true is rejected on every bank.
    tried = 400 if true else 20
    for parameter in PARAMETERS:
        inside = f"the 95 % interval contains the true {parameter}"
        without = f"without a floor, whether or not the model is rejected: {inside}"
        checks.append(
            Check(
                f"adaptive_{parameter}_{name}", "adaptive.fit.fit",
                inside if name == "fitting" else without, scenario,
                **COVERAGE, data_sets=400,
                simulate=repeated(partial(_plain, draw, parameter)),
            )
        )  # fmt: skip
        if true:
            checks.append(
                Check(
                    f"adaptive_{parameter}_{name}_used", "adaptive.misfit.believed",
                    f"{inside}, where the model is not rejected", scenario,
                    **COVERAGE, data_sets=tried,
                    simulate=partial(_held_if_believed, name, parameter), shares=name,
                )
            )  # fmt: skip
    told = "users are told that the model that is used is rejected, "
    level = SIZE if true else POWER
    guessed = name == "floor"
    return [
        *checks,
        Check(
            f"adaptive_doubt_{name}", "adaptive.misfit.doubt",
            told + ("at 5 %" if true else "at least four times in five"), scenario, **level,
            data_sets=tried, simulate=partial(_rejected, name), shares=name,
        ),
        Check(
            f"adaptive_floor_{'guessing' if guessed else name}", "adaptive.misfit.believed",
            "a floor is used, "
            + ("at least four times in five" if guessed else "at most once in twenty"),
            scenario, **(POWER if guessed else SIZE), data_sets=20 if guessed else 400,
            simulate=repeated(partial(_floor_used, draw)),
        ),
    ]  # fmt: skip


def _misfits() -> list[Check]:
    estimator, above = (
        "adaptive.misfit.statistics",
        "the statistic is above that of every replicate",
    )
    levels = [
        Check(
            f"adaptive_misfit_{statistic}_fitting", estimator, f"{above}, once in twenty",
            _SCENARIOS["fitting"][1], **SIZE, data_sets=400,
            simulate=partial(_above, statistic), shares="residuals",
        )
        for statistic in misfit.MEANING
    ]  # fmt: skip
    powers = [
        Check(
            f"adaptive_misfit_{statistic}_{name}", estimator,
            f"{above}, at least four times in five",
            _SCENARIOS[name][1], **POWER, data_sets=60,
            simulate=repeated(partial(_noticed, _SCENARIOS[name][0], statistic)),
        )
        for name, statistic in (
            ("testlets", "item_correlation"),
            ("two_dimensions", "largest_eigenvalue"),
            ("checkpoints", "model_correlation"),
        )
    ]  # fmt: skip
    return [*levels, *powers]


CHECKS = (
    *(check for name in _SCENARIOS for check in _of_scenario(name)),
    *_misfits(),
    *(
        Check(
            f"adaptive_floor_interval_{round(100 * guessing)}", "adaptive.misfit.estimated",
            "the 95 % interval contains the chance to guess",
            f"{_SIZE}, {100 * guessing:.0f} % right by guessing",
            stated=stated, safe="more", data_sets=400,
            simulate=repeated(partial(_floor_covered, guessing)),
        )
        # At 0 only the upper end can miss it.
        for guessing, stated in ((0.0, 0.975), (0.25, 0.95))
    ),
)  # fmt: skip
