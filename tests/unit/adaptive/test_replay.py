"""Adaptive tests tried on families left out."""

import numpy as np
import pytest

from saturation.adaptive import replay
from saturation.adaptive.administration import administer
from saturation.adaptive.misfit import NONE, believed
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Stop
from saturation.adaptive.short_form import NEW
from saturation.errors import InputError
from validation import subset as simulation

ITEMS = [f"i{number}" for number in range(simulation.ITEMS)]


@pytest.fixture(scope="module")
def bank():
    cells = simulation.answered(np.random.default_rng(8), simulation.topics, 0.0)
    names = [f"m{row}" for row in range(len(cells))]
    return Bank(names, ITEMS, cells), simulation.FAMILY.astype(str).tolist()


@pytest.fixture(scope="module")
def made(bank):
    return replay.tried(*bank, Stop(length=40), Choice(batch=5))


def test_what_it_rests_on(made):
    assert (made.respondents, made.families, set(made.lengths)) == (54, 9, {40})
    # Families differ by topic, which the model does not know.
    assert made.ability_errors.factor > 1
    assert made.share_errors.rms == pytest.approx(0.05, abs=0.03)
    assert made.random_error == pytest.approx(0.07, abs=0.02)
    assert made.tells_share


def test_a_test_that_misses_more_than_random_items_does_not_tell_the_share(made):
    worse = made._replace(share_errors=made.share_errors._replace(rms=0.3))
    assert not worse.tells_share
    edge = made._replace(random_error=made.share_errors.least_rms())
    assert edge.tells_share


def test_a_replayed_session_is_the_administration_and_leaves_out_what_is_missing(bank, made):
    row = bank[0].responses[3].copy()
    row[:50] = MISSING
    session = made.session(Stop(length=40), Choice())
    replay.replayed(session, dict(zip(ITEMS, row.tolist())))
    plain = administer(row[None], *made.items[:2], 40, prior=NEW)
    given = [ITEMS.index(name) for name, right in session.answers.items() if right is not None]
    assert given == plain.items[0].tolist()
    assert session.ability == plain.ability[0, -1]
    assert session.stopped == "length"


def test_the_share_right_of_all_items_is_known_once_all_are_asked(bank, made):
    session = made.session(Stop(), Choice(batch=100))
    replay.replayed(session, dict(zip(ITEMS, bank[0].responses[0].tolist())))
    found = made.predicted(session)
    assert found.expected[0] == pytest.approx(bank[0].responses[0].mean())
    assert found.error[0] == pytest.approx(0, abs=1e-9)


def test_no_answer_at_all_gives_what_is_expected_of_an_average_model(made):
    found = made.predicted(made.session(Stop(), Choice()))
    assert found.ability[0] == pytest.approx(0, abs=1e-9)
    assert 0 < found.expected[0] < 1


def test_a_test_as_long_as_the_bank_is_refused_and_one_that_may_ask_all_has_no_error(bank):
    with pytest.raises(InputError, match="; the bank has 300 items: ask fewer"):
        replay.tried(*bank, Stop(length=300), Choice(), guessing=NONE)
    found = replay.tried(*bank, Stop(), Choice(batch=300), guessing=NONE)
    assert set(found.lengths) == {300}
    assert found.share_errors.rms == pytest.approx(0.0, abs=1e-12)
    assert found.share_errors.factor == 1.0


def test_too_few_families_are_refused(bank):
    with pytest.raises(InputError, match="1 families of models; at least 5"):
        replay.tried(bank[0], ["all"] * 54, Stop(length=5), Choice())


def test_a_floor_that_is_needed_is_used():
    cells = simulation.answered(np.random.default_rng(8), simulation.none, 0.25)
    families = simulation.FAMILY.astype(str).tolist()
    bank = Bank([f"m{row}" for row in range(len(cells))], ITEMS, cells)
    stop, choice = Stop(length=40), Choice(batch=5)
    with_floor = replay.tried(bank, families, stop, choice, "mine")
    assert with_floor.guessing == believed(cells, "mine")
    assert with_floor.guessing.lower < 0.25 < with_floor.guessing.upper
    assert with_floor.session(stop, choice).floor == with_floor.items.floor > 0.2
    plain = replay.tried(bank, families, stop, choice, guessing=NONE)
    assert (plain.items.floor, plain.session(stop, choice).floor) == (0.0, 0.0)
    assert with_floor.ability_errors.factor <= plain.ability_errors.factor
