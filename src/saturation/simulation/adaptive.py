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

from saturation.adaptive import bias, misfit
from saturation.adaptive.administration import administer
from saturation.adaptive.fit import Fit, fit
from saturation.adaptive.model import STANDARD, Floats, Responses
from saturation.adaptive.session import Rival, leads
from saturation.errors import InputError
from saturation.simulation.check import Check, Outcome
from saturation.simulation.counting import drawn_once
from saturation.statistics.intervals import normal_quantile

PERSONS, ITEMS, CHECKPOINTS, TESTLET = 60, 300, 5, 10
REPLICATES = 19
# On which levels are read.
_BANKS = 60
TEST_LENGTH = 60
PARAMETERS = ("ability", "difficulty")
_REACH = normal_quantile(0.95)
_MODELS = [f"m{row // CHECKPOINTS}" for row in range(PERSONS)]

# True abilities, difficulties, and responses.
Truth = tuple[Floats, Floats, Responses]
Draw = Callable[[np.random.Generator], Truth]


def fitting(rng: np.random.Generator, guessing: float = 0.0, extra: Floats | float = 0.0) -> Truth:
    """A bank: two parameters an item, a common floor, and what is added to the logits."""
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


def testlets(rng: np.random.Generator) -> Truth:
    """Items in tens: each respondent finds some tens easier than others."""
    tens = rng.normal(size=(PERSONS, ITEMS // TESTLET))
    return fitting(rng, extra=np.repeat(tens, TESTLET, axis=1))


def two_dimensions(rng: np.random.Generator) -> Truth:
    """A second ability that half of the items ask for and half are hindered by."""
    return fitting(rng, extra=np.outer(rng.normal(size=PERSONS), rng.choice([-1.0, 1.0], ITEMS)))


def checkpoints(rng: np.random.Generator) -> Truth:
    """Five rows a model, which share what the model makes of each item."""
    own = rng.normal(size=(PERSONS // CHECKPOINTS, ITEMS))
    return fitting(rng, extra=np.repeat(own, CHECKPOINTS, axis=0))


def coverage(rng: np.random.Generator, data_sets: int, draw: Draw, parameter: str) -> Outcome:
    """How often 95 % intervals of a plain fit contain the truth; banks that are refused abstain."""
    hits = trials = abstained = 0
    for _ in range(data_sets):
        truth = draw(rng)
        try:
            inside = contains(fit(truth[2]), truth)[parameter]
        except InputError:
            abstained += 1
            continue
        hits += int(inside.sum())
        trials += len(inside)
    return Outcome(hits, trials, abstained=abstained)


def contains(fitted: Fit, truth: Truth) -> dict[str, npt.NDArray[np.bool_]]:
    """Which 95 % intervals of a fit contain the truth, by parameter."""
    return {
        parameter: np.abs(getattr(fitted, parameter) - true)
        < _REACH * getattr(fitted, f"{parameter}_se")
        for parameter, true in zip(PARAMETERS, truth)
    }


class Used(NamedTuple):
    """What users of a bank are given: the floor, whether they are warned, intervals that hold."""

    guessing: misfit.Guessing
    rejected: bool
    inside: dict[str, npt.NDArray[np.bool_]]


def used(rng: np.random.Generator, draw: Draw) -> Used:
    """A bank as `saturation subset` and the cards take it."""
    truth, name = draw(rng), str(rng.integers(2**32))
    guessing = misfit.believed(truth[2], name)
    fitted = fit(truth[2], "positive", guessing.value)
    said = misfit.doubt(truth[2], _MODELS, name, floor=guessing.value)
    return Used(guessing, said.startswith(misfit.REJECTED), contains(fitted, truth))


def noticed(rng: np.random.Generator, data_sets: int, draw: Draw, statistic: str) -> Outcome:
    """How often a statistic of the residuals is larger than in each of the replicates."""
    hits = trials = abstained = 0
    for _ in range(data_sets):
        _, _, responses = draw(rng)
        try:
            fitted = fit(responses)
        except InputError:
            abstained += 1
            continue
        observed = misfit.statistics(responses, fitted, _MODELS)[statistic]
        drawn = [
            misfit.statistics(cells, again, _MODELS)[statistic]
            for cells, again in misfit.replicated(responses, fitted, "positive", REPLICATES, rng)
        ]
        hits += int(observed > max(drawn))
        trials += 1
    return Outcome(hits, trials, abstained=abstained)


def floor_covered(rng: np.random.Generator, data_sets: int, guessing: float) -> Outcome:
    """How often the 95 % interval of the floor contains it."""
    hits = 0
    for _ in range(data_sets):
        _, _, responses = fitting(rng, guessing)
        found = misfit.estimated(responses, "positive", fit(responses))
        hits += int(found.lower <= guessing <= found.upper)
    return Outcome(hits, data_sets)


def switched(rng: np.random.Generator, data_sets: int, draw: Draw) -> Outcome:
    """How often a floor is believed and used."""
    hits = 0
    for _ in range(data_sets):
        responses, name = draw(rng)[2], str(rng.integers(2**32))
        hits += misfit.believed(responses, name) != misfit.NONE
    return Outcome(hits, data_sets)


class Residuals(NamedTuple):
    """Of one bank: the statistics above those of all replicates, and p-values of infit."""

    above: dict[str, bool]
    infit: tuple[Floats, Floats]


def residuals(rng: np.random.Generator) -> Residuals:
    """What a bank that follows the model is said to depart in."""
    _, _, responses = fitting(rng)
    fitted = fit(responses)
    drawn, squares = [], []
    for cells, again in misfit.replicated(responses, fitted, "positive", REPLICATES, rng):
        drawn.append(misfit.statistics(cells, again, _MODELS))
        squares.append([misfit.mean_squares(cells, again, axis).infit for axis in (0, 1)])
    observed = misfit.statistics(responses, fitted, _MODELS)
    tables = [
        misfit.squares_table(
            "name",
            [str(number) for number in range(responses.shape[1 - axis])],
            misfit.mean_squares(responses, fitted, axis),
            np.array([pair[axis] for pair in squares]),
        )
        for axis in (0, 1)
    ]
    return Residuals(
        {name: value > max(one[name] for one in drawn) for name, value in observed.items()},
        (tables[0]["p_value"].to_numpy(float), tables[1]["p_value"].to_numpy(float)),
    )


_FITTING = drawn_once("adaptive_residuals_fitting", residuals)


def above(_rng: np.random.Generator, data_sets: int, statistic: str) -> Outcome:
    """How often a statistic is above those of all replicates where the model is true."""
    return Outcome(sum(bank.above[statistic] for bank in _FITTING(data_sets)), data_sets)


def unlike(_rng: np.random.Generator, data_sets: int, axis: int) -> Outcome:
    """How often the infit of items (axis 0) or respondents (axis 1) has a p-value below 5 %."""
    p = np.concatenate([bank.infit[axis] for bank in _FITTING(data_sets)])
    return Outcome(int((p <= 0.05).sum()), int(np.isfinite(p).sum()))


def doubted(_rng: np.random.Generator, data_sets: int, scenario: str) -> Outcome:
    """How often users of a bank are told that the model, with its floor, is rejected."""
    return Outcome(sum(bank.rejected for bank in _USED[scenario](data_sets)), data_sets)


def believed_or_told(
    _rng: np.random.Generator, data_sets: int, scenario: str, parameter: str
) -> Outcome:
    """How often an interval contains the truth, or users are told not to believe it."""
    inside = [bank.inside[parameter] | bank.rejected for bank in _USED[scenario](data_sets)]
    return Outcome(int(np.sum(inside)), sum(len(bank) for bank in inside))


def told_apart(rng: np.random.Generator, data_sets: int, gap: float) -> Outcome:
    """How often an adaptive test that looks after every answer states a difference."""
    hits = 0
    a, b = np.exp(rng.normal(0.0, 0.5, ITEMS)), rng.normal(0.0, 1.0, ITEMS)
    for _ in range(data_sets):
        rival = float(rng.normal())
        known = Rival(rival + 0.1 * float(rng.normal()), 0.1)
        row = (rng.random((1, ITEMS)) < expit(a * (rival + gap - b))).astype(np.int8)
        asked = administer(row, a, b, TEST_LENGTH).items[0]
        hits += any(
            leads(row[0, asked[:n]], a[asked[:n]], b[asked[:n]], STANDARD, known) is not None
            for n in range(1, TEST_LENGTH + 1)
        )
    return Outcome(hits, data_sets)


def suspected(rng: np.random.Generator, data_sets: int) -> Outcome:
    """How often an item that tells nothing of ability has a slope below 0 at 5 %, by family."""
    hits = trials = 0
    for _ in range(data_sets):
        models = PERSONS // CHECKPOINTS
        ability = np.repeat(rng.normal(size=models), CHECKPOINTS) + rng.normal(0, 0.3, PERSONS)
        chance = expit(np.repeat(rng.normal(0, 2, (models, ITEMS)), CHECKPOINTS, axis=0))
        responses = (rng.random(chance.shape) < chance).astype(np.int8)
        p = bias.judged(responses, ability, _MODELS).items["p_value"].dropna()
        hits += int((p <= 0.05).sum())
        trials += len(p)
    return Outcome(hits, trials)


_FIT = "adaptive.fit.fit"
_SIZE = f"{PERSONS} respondents, {ITEMS} items"
_GUESSING = partial(fitting, guessing=0.25)
_SCENARIOS: dict[str, tuple[Draw, str]] = {
    "fitting": (fitting, f"{_SIZE}, two-parameter model"),
    "floor": (_GUESSING, f"{_SIZE}, a quarter right by guessing"),
    "testlets": (testlets, f"{_SIZE} in testlets of {TESTLET}"),
    "two_dimensions": (two_dimensions, f"{_SIZE}, a second dimension of the same size"),
    "checkpoints": (checkpoints, f"{_SIZE}, five rows a model that share item effects"),
}
# Where some model that can be used is true; users are told so of the others.
_TRUE = ("fitting", "floor")
_USED = {
    name: drawn_once(f"adaptive_used_{name}", partial(used, draw=draw))
    for name, (draw, _) in _SCENARIOS.items()
}
_BANKS_USED = 20


def _interval_check(name: str, parameter: str, as_used: bool) -> Check:
    """Intervals of what is used, or of the two-parameter model whether or not it is rejected."""
    draw, scenario = _SCENARIOS[name]
    plain = partial(coverage, draw=draw, parameter=parameter)
    with_switch = partial(believed_or_told, scenario=name, parameter=parameter)
    bounds = (0.92, 0.98 if name in _TRUE else 1.0) if as_used else (0.92, 0.97)
    judged = as_used or name == "fitting"
    inside = f"the 95 % interval contains the true {parameter}"
    told = f"{inside}, or users are told that the model is rejected"
    without = f"what would happen without the floor and the sentence: {inside}"
    return Check(
        name=f"adaptive_{parameter}_{name}" + "_used" * as_used,
        estimator="adaptive.floor.believed" if as_used else _FIT,
        statement=told if as_used else inside if judged else without,
        scenario=scenario,
        stated=0.95,
        lower=bounds[0],
        upper=bounds[1],
        data_sets=_BANKS_USED if as_used else 40,
        simulate=with_switch if as_used else plain,
    )


def _switch_check(scenario: str, name: str, count: int) -> Check:
    draw, said = _SCENARIOS[scenario]
    guessed = scenario == "floor"
    return Check(
        name=f"adaptive_floor_{name}",
        estimator="adaptive.floor.believed",
        statement="a floor is used, "
        + ("at least four times in five" if guessed else "at most once in twenty"),
        scenario=said,
        stated=0.8 if guessed else 0.05,
        lower=0.8 if guessed else 0.0,
        upper=1.0 if guessed else 0.06,
        data_sets=count,
        simulate=partial(switched, draw=draw),
    )


def _floor_check(guessing: float, stated: float, lower: float, upper: float) -> Check:
    return Check(
        name=f"adaptive_floor_interval_{round(100 * guessing)}",
        estimator="adaptive.floor.estimated",
        statement="the 95 % interval contains the chance to guess",
        scenario=f"{_SIZE}, {guessing:.0%} right by guessing",
        stated=stated,
        lower=lower,
        upper=upper,
        data_sets=40,
        simulate=partial(floor_covered, guessing=guessing),
    )


def _infit_check(kind: str, axis: int) -> Check:
    return Check(
        name=f"adaptive_infit_{kind}",
        estimator="adaptive.misfit.squares_table",
        # The fit has adapted itself to the bank whose infit it is: safe by design.
        statement=f"the infit of one of the {kind} has a p-value below 5 %, at most once in twenty",
        scenario=_SCENARIOS["fitting"][1],
        stated=0.05,
        lower=0.0,
        upper=0.06,
        data_sets=_BANKS,
        simulate=partial(unlike, axis=axis),
    )


def _doubt_check(scenario: str) -> Check:
    true = scenario in _TRUE
    return Check(
        name=f"adaptive_doubt_{scenario}",
        estimator="adaptive.doubt.doubt",
        statement="users are told that the model that is used is rejected, "
        + ("at 5 %" if true else "at least four times in five"),
        scenario=_SCENARIOS[scenario][1],
        stated=0.05 if true else 0.8,
        lower=0.0 if true else 0.8,
        upper=0.15 if true else 1.0,
        data_sets=_BANKS_USED,
        simulate=partial(doubted, scenario=scenario),
    )


def _level_check(statistic: str) -> Check:
    return Check(
        name=f"adaptive_misfit_{statistic}_fitting",
        estimator="adaptive.misfit.statistics",
        statement="the statistic is above that of every replicate, once in twenty",
        scenario=_SCENARIOS["fitting"][1],
        stated=0.05,
        lower=0.01,
        upper=0.12,
        data_sets=_BANKS,
        simulate=partial(above, statistic=statistic),
    )


def _misfit_check(scenario: str, statistic: str) -> Check:
    draw, said = _SCENARIOS[scenario]
    return Check(
        name=f"adaptive_misfit_{statistic}_{scenario}",
        estimator="adaptive.misfit.statistics",
        statement="the statistic is above that of every replicate, at least four times in five",
        scenario=said,
        stated=0.8,
        lower=0.8,
        upper=1.0,
        data_sets=20,
        simulate=partial(noticed, draw=draw, statistic=statistic),
    )


CHECKS: tuple[Check, ...] = (
    *(
        _interval_check(name, parameter, as_used)
        for as_used in (False, True)
        for name in _SCENARIOS
        for parameter in PARAMETERS
    ),
    *(_level_check(statistic) for statistic in misfit.MEANING),
    _misfit_check("testlets", "item_correlation"),
    _misfit_check("two_dimensions", "largest_eigenvalue"),
    _misfit_check("checkpoints", "model_correlation"),
    # At 0 only the upper end can miss it.
    _floor_check(0.0, 0.975, 0.93, 1.0),
    _floor_check(0.25, 0.95, 0.9, 0.99),
    _infit_check("items", 0),
    _infit_check("respondents", 1),
    *(_doubt_check(name) for name in _SCENARIOS),
    _switch_check("floor", "guessing", 20),
    *(_switch_check(name, name, 120) for name in _SCENARIOS if name != "floor"),
    Check(
        name="adaptive_rival_alike",
        estimator="adaptive.rival.leads",
        statement="a difference is stated at any of 60 looks, at most once in twenty",
        scenario="a rival of the same ability, known with an error of .1",
        stated=0.05,
        lower=0.0,
        upper=0.05,
        data_sets=400,
        simulate=partial(told_apart, gap=0.0),
    ),
    Check(
        name="adaptive_rival_apart",
        estimator="adaptive.rival.leads",
        statement="a difference is stated by the 60th look, four times in five",
        scenario="a rival 1.5 standard deviations below, known with an error of .1",
        stated=0.8,
        lower=0.8,
        upper=1.0,
        data_sets=150,
        simulate=partial(told_apart, gap=1.5),
    ),
    Check(
        name="adaptive_suspects_alike",
        estimator="adaptive.suspects.judged",
        statement="an item without a slope has one below 0 at 5 %",
        scenario=f"{_SIZE}, twelve families that share abilities and answers",
        stated=0.05,
        lower=0.02,
        upper=0.08,
        data_sets=40,
        simulate=suspected,
    ),
)
