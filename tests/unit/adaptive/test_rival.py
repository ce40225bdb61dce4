import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import log_expit

from saturation.adaptive import model, session
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.session import Rival, leads
from saturation.errors import InputError

RANDOM = np.random.default_rng(3)
A, B = np.exp(RANDOM.normal(0.2, 0.4, 60)), RANDOM.normal(0, 1, 60)
NAMES = [f"q{number}" for number in range(60)]


def log_likelihood(row, theta):
    logit = A[: len(row)] * (theta - B[: len(row)])
    return np.where(row == 1, log_expit(logit), log_expit(-logit)).sum()


def plain_ratio(row, prior, known):
    """Logarithm of the likelihood's mean over the normal distribution, to that at the rival's."""
    at = log_likelihood(row, known)
    mean = integrate.quad(
        lambda theta: (
            np.exp(log_likelihood(row, theta) - at) * stats.norm.pdf(theta, prior.mean, prior.sd)
        ),
        -8,
        8,
        limit=200,
    )[0]
    return np.log(mean)


@pytest.mark.parametrize("prior", [model.STANDARD, model.Prior(0.5, 1.5, -4, 4)])
@pytest.mark.parametrize(("answer", "known"), [(1, -0.2), (1, 0.4), (0, -0.8)])
def test_a_difference_is_stated_where_the_ratio_is_large_enough(prior, answer, known):
    """At the level where the ratio just reaches one over what may err, and not beyond it."""
    row = np.full(8, answer, dtype=np.int8)
    allowed = np.exp(-plain_ratio(row, prior, known))
    assert 1e-3 < allowed < 0.9
    for share, told in ((1.001, answer == 1), (0.999, None)):
        rival_there = Rival(known, level=1 - allowed * share)
        assert leads(row, A[:8], B[:8], prior, rival_there) is told


def test_an_error_of_the_rival_needs_every_ability_in_its_interval_contradicted():
    row = np.ones(60, dtype=np.int8)
    assert leads(row, A, B, model.STANDARD, Rival(1.0)) is True
    assert leads(row, A, B, model.STANDARD, Rival(1.0, 0.2)) is True
    assert leads(row, A, B, model.STANDARD, Rival(1.0, 2.0)) is None
    assert leads(1 - row, A, B, model.STANDARD, Rival(-1.0, 0.2)) is False
    # Its half of the level: the interval's nearest end, and the ratio there.
    known = Rival(0.2, 0.3, level=0.9)
    end = 0.2 + stats.norm.ppf(1 - 0.025) * 0.3
    for count in range(1, 61):
        answers = row[:count]
        decided = plain_ratio(answers, model.STANDARD, end) >= -np.log(0.05)
        assert (leads(answers, A[:count], B[:count], model.STANDARD, known) is True) == decided


def test_without_answers_nothing_is_told():
    nothing = np.array([], dtype=np.int8)
    assert leads(nothing, A[:0], B[:0], model.STANDARD, Rival(9.0)) is None


def test_answers_of_another_model_make_a_rival():
    answers = {"q3": 1, "q9": 0, "q40": 1}
    made = session.from_answers(answers, NAMES, A, B, model.Prior(0.2, 1.0))
    cells = np.full((1, 60), model.MISSING, dtype=np.int8)
    cells[0, [3, 9, 40]] = [1, 0, 1]
    test = map_ability(cells, A, B, model.Prior(0.2, 1.0))
    assert (made.ability, made.standard_error) == pytest.approx((test[0][0], test[1][0]))
    with pytest.raises(InputError, match="item 'x' is not in the bank"):
        session.from_answers({"x": 1, "q1": 0}, NAMES, A, B)
    with pytest.raises(InputError, match="no answers"):
        session.from_answers({}, NAMES, A, B)


@pytest.mark.parametrize(
    "bad", [(np.nan,), (0.0, -0.1), (0.0, np.inf), (0.0, 0.1, 1.0), (0.0, 0.1, 0.0)]
)
def test_a_rival_that_is_none_is_refused(bad):
    with pytest.raises(InputError, match="rival: ability"):
        Rival(*bad)


def test_with_a_floor_every_ability_in_the_rivals_interval_is_contradicted():
    row = np.ones(60, dtype=np.int8)
    assert leads(row, A, B, model.STANDARD, Rival(1.0), 0.25) is True
    assert leads(row, A, B, model.STANDARD, Rival(0.5, 0.2), 0.25) is True
    assert leads(row, A, B, model.STANDARD, Rival(0.5, 2.0), 0.25) is None
    # Right answers that may be guessed tell less.
    first = [
        next(n for n in range(61) if leads(row[:n], A[:n], B[:n], model.STANDARD, Rival(0.5), c))
        for c in (0.0, 0.25)
    ]
    assert first[0] < first[1]
    made = session.from_answers({"q3": 1, "q9": 0}, NAMES, A, B, floor=0.25)
    assert made.ability < session.from_answers({"q3": 1, "q9": 0}, NAMES, A, B).ability
