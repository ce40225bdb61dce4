"""Adaptive tests on families left out, and the comparison of methods that choose items."""

from itertools import product

import numpy as np
import pytest

from saturation.adaptive import replay, short_form
from saturation.adaptive.administration import administer
from saturation.adaptive.evaluation import Fold
from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.model import MISSING, probability
from saturation.adaptive.session import Choice, Stop
from saturation.adaptive.short_form import NEW
from saturation.adaptive.subsets import Items, WeightedSubset, predicted
from saturation.errors import InputError

FLOOR = Guessing(0.25, 0.2, 0.3)


@pytest.fixture(scope="module")
def bank(family_answers):
    return family_answers()


@pytest.fixture(scope="module")
def made(bank):
    return replay.tried(*bank, Stop(length=30), Choice(batch=5), guessing=NONE)


def test_what_a_test_rests_on(made):
    assert (made.respondents, made.families, set(made.lengths)) == (28, 7, {30})
    # Families differ by topic, which the model does not know.
    assert made.ability_errors.factor > 1
    assert made.share_errors.rms == pytest.approx(0.06, abs=0.02)
    assert made.random_error == pytest.approx(0.07, abs=0.01)
    assert made.tells_share


def test_a_test_that_misses_more_than_random_items_does_not_tell_the_share(made):
    assert not made._replace(share_errors=made.share_errors._replace(rms=0.3)).tells_share
    assert made._replace(random_error=made.share_errors.least_rms()).tells_share


def test_a_replayed_session_is_the_administration_and_leaves_out_what_is_missing(bank, made):
    row = bank[0].responses[3].copy()
    row[:50] = MISSING
    session = made.session(Stop(length=40), Choice())
    replay.replayed(session, dict(zip(made.names, row.tolist())))
    plain = administer(row[None], *made.items[:2], 40, prior=NEW)
    given = [made.names.index(name) for name, right in session.answers.items() if right is not None]
    assert given == plain.items[0].tolist()
    assert session.ability == plain.ability[0, -1]
    assert session.stopped == "length"


def test_a_prediction_rests_on_all_answers_or_on_none(bank, made):
    session = made.session(Stop(), Choice(batch=100))
    untouched = made.predicted(session)
    assert untouched.ability[0] == pytest.approx(0, abs=1e-9)
    assert 0 < untouched.expected[0] < 1
    replay.replayed(session, dict(zip(made.names, bank[0].responses[0].tolist())))
    found = made.predicted(session)
    assert found.expected[0] == pytest.approx(bank[0].responses[0].mean())
    assert found.error[0] == pytest.approx(0, abs=1e-9)


def test_a_test_that_may_ask_all_items_has_no_error(bank):
    found = replay.tried(*bank, Stop(), Choice(batch=100), guessing=NONE)
    assert set(found.lengths) == {100}
    assert found.share_errors.rms == pytest.approx(0.0, abs=1e-12)
    assert found.share_errors.factor == 1.0


def test_a_test_as_long_as_the_bank_and_too_few_families_are_refused(bank):
    with pytest.raises(InputError, match="; the bank has 100 items: ask fewer"):
        replay.tried(*bank, Stop(length=100), Choice(), guessing=NONE)
    with pytest.raises(InputError, match="1 families of models; at least 5"):
        replay.tried(bank[0], ["all"] * 28, Stop(length=5), Choice())


def test_a_floor_that_is_needed_is_used(family_answers, monkeypatch):
    bank, families = family_answers(0.25, families_differ=False)
    monkeypatch.setattr(short_form, "believed", lambda *_: FLOOR)
    stop, choice = Stop(length=30), Choice(batch=10)
    with_floor = replay.tried(bank, families, stop, choice, "mine")
    assert with_floor.guessing == FLOOR
    assert with_floor.session(stop, choice).floor == with_floor.items.floor == 0.25


@pytest.fixture(scope="module")
def table(bank):
    given, families = bank
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(short_form, "believed", lambda *_: NONE)
        # As few as may be left out one by one.
        six = [str(int(name) % 6) for name in families]
        return replay.subset_errors("mine", given, six, [20, 50], [50], 10, 1)


def test_every_method_at_every_size_with_the_errors_of_all_families(table):
    adaptive = {("adaptive", 20), ("adaptive_2pl", 20)}
    expected = set(product(replay.METHODS, (20, 50))) - adaptive
    assert set(zip(table["method"], table["n_items"])) == expected
    assert len(table) == len(expected)
    assert set(table["families"]) == {6}
    assert set(table["refused"]) == {0}
    assert (table["rms_error"] >= table["bias"].abs()).all()
    rows = table.set_index(["method", "n_items"])
    for method in ("subset", "random", "irt_clusters"):
        assert rows.loc[(method, 50), "rms_error"] < rows.loc[(method, 20), "rms_error"]
    assert rows.loc[("subset", 50), "rms_error"] < rows.loc[("random", 50), "rms_error"]
    # Random items miss as the binomial says: here shares right are near a half.
    expected = np.sqrt(0.22 / 50 * 0.5)
    assert rows.loc[("random", 50), "rms_error"] == pytest.approx(expected, rel=0.15)
    stated = rows["coverage"].dropna()
    known = {"subset", "subset_2pl", "adaptive", "adaptive_2pl", "random"}
    assert set(stated.index.get_level_values("method")) == known
    assert (stated > 0.8).all()
    # Without guessing the two-parameter model is what is used.
    numbers = rows.drop(columns=["bank", "reason"])
    assert numbers.loc["subset"].equals(numbers.loc["subset_2pl"])
    assert numbers.loc["adaptive"].equals(numbers.loc["adaptive_2pl"])


def test_a_family_that_cannot_be_left_out_is_counted_with_the_reason(bank, monkeypatch):
    true = replay.short_forms

    def without_one(name, known, families, *_):
        if "3" not in families:
            raise InputError("no such bank")
        return true(name, known, families, [30], NONE)

    monkeypatch.setattr(replay, "short_forms", without_one)
    found = replay.subset_errors("mine", *bank, [30], [], 2, 1)
    assert set(found["families"]) == {6}
    assert set(found["refused"]) == {1}
    assert set(found["reason"]) == {"no such bank"}

    def never(*_):
        raise InputError("never")

    monkeypatch.setattr(replay, "short_forms", never)
    with pytest.raises(InputError, match="mine: never"):
        replay.subset_errors("mine", *bank, [30], [], 2, 1)


def test_with_guessing_the_model_is_tried_with_its_floor_and_without(family_answers, monkeypatch):
    bank, families = family_answers(0.25, families_differ=False, models=3)
    monkeypatch.setattr(short_form, "believed", lambda *_: FLOOR)
    found = replay.subset_errors(
        "mine", bank, [str(int(name) % 6) for name in families], [40], [], 2, 1
    )
    numbers = found.set_index("method")["rms_error"]
    assert numbers["subset"] != numbers["subset_2pl"]
    assert numbers["subset"] < numbers["random"]


def test_a_polynomial_is_followed_no_further_than_the_abilities_that_it_was_fitted_to():
    random, chosen, training = np.random.default_rng(4), np.arange(0, 40, 2), np.arange(30)
    items, theta = Items(np.full(40, 2.0), np.linspace(-1, 1, 40)), np.linspace(-0.5, 0.5, 32)
    cells = (random.random((32, 40)) < probability(theta, *items)).astype(np.int8)
    # All wrong and all right are beyond all others; the third is one of them.
    cells[30:] = [[0], [1]]
    fold = Fold(np.array([30, 31, 0]), training, *items[:2], theta[:30])
    subset = WeightedSubset(chosen, np.full(20, 0.05))
    known = predicted(cells[:30, chosen], subset, items, prior=NEW).ability
    # The steeper line leaves shares of 0 and 1 behind.
    for slope in (0.4, 3.0):
        right = 0.5 + slope * theta[:30]
        line = np.polynomial.Polynomial.fit(known, right, 3)
        ends = line(np.array([known.min(), known.max(), known[0]]))
        found = replay._regressed(cells, fold, chosen, items, right)
        np.testing.assert_allclose(found, np.clip(ends, 0, 1))


def test_errors_are_predictions_less_truth_and_intervals_hold_it_or_not():
    value, lower, upper = (np.array(row) for row in ([0.5, 0.4], [0.4, 0.1], [0.7, 0.2]))
    one = replay.Predicted("m", 20, value, lower, upper)
    table = replay._missed("a", one, np.array([0.6, 0.3]))
    assert table["missed"].tolist() == pytest.approx([-0.1, 0.1])
    assert table["inside"].tolist() == [1, 0]
    assert table["width"].tolist() == pytest.approx([0.3, 0.1])
