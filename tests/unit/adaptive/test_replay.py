"""Adaptive tests on families left out, and the comparison of methods that choose items."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit

from saturation.adaptive import replay
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.administration import administer
from saturation.adaptive.folds import Fold
from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.model import MISSING, STANDARD
from saturation.adaptive.replay import Excess, ability_missed, excess, predicted
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Stop
from saturation.adaptive.short_form import NEW
from saturation.adaptive.subsets import Items
from saturation.errors import InputError

FLOOR = Guessing(0.25, 0.2, 0.3)


@pytest.fixture(scope="module")
def bank(family_answers):
    return family_answers()


@pytest.fixture(scope="module")
def made(bank):
    return replay.tried(*bank, Stop(length=30), Choice(batch=5), NONE)


def test_what_a_test_rests_on(made):
    assert (made.respondents, made.families) == (28, 7)
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
    plain = administer(row[None], *made.items.curve[:2], 40, prior=NEW)
    given = [made.names.index(name) for name, right in session.answers.items() if right is not None]
    assert given == plain.items[0].tolist()
    assert session.ability == plain.ability[0, -1]
    assert session.stopped == "length"


def test_a_prediction_rests_on_all_answers_or_on_none(bank, made):
    session = made.session(Stop(), Choice(batch=100))
    untouched = made.predicted(session)
    assert untouched.ability[0] == pytest.approx(0, abs=1e-9)
    assert 0 < untouched.share[0] < 1
    replay.replayed(session, dict(zip(made.names, bank[0].responses[0].tolist())))
    found = made.predicted(session)
    assert found.share[0] == pytest.approx(bank[0].responses[0].mean())
    assert found.error[0] == pytest.approx(0, abs=1e-9)


def test_a_test_as_long_as_the_bank_and_too_few_families_are_refused(bank):
    with pytest.raises(InputError, match="; the bank has 100 items: ask fewer"):
        replay.tried(*bank, Stop(length=100), Choice(), NONE)
    with pytest.raises(InputError, match="1 families of models; at least 5"):
        replay.tried(bank[0], ["all"] * 28, Stop(length=5), Choice(), NONE)


@pytest.mark.parametrize("refused", [False, True])
def test_a_floor_is_used_if_it_can_be_fitted_without_each_family(bank, monkeypatch, refused):
    responses, families = bank
    true = replay.folds

    def folds(cells, names, reference, share):
        if refused and share > 0:
            raise InputError("without the family '1': no")
        return true(cells, names, reference, share)

    monkeypatch.setattr(replay, "folds", folds)
    floor, whole, parts = replay.fitted(responses.responses, families, FLOOR)
    used = NONE if refused else FLOOR
    assert (floor, whole.floor) == (used, used.value)
    assert {part.items.floor for part in parts} == {used.value}


@pytest.fixture(scope="module")
def table(bank):
    given, families = bank
    # As few as may be left out one by one.
    six = [str(int(name) % 6) for name in families]
    return replay.ablation("mine", given, six, [20, 50], NONE, [50], 10, 1)


def test_every_method_at_every_size_with_the_errors_of_all_families(table):
    expected = set(product(replay.METHODS, (20, 50))) - {("adaptive", 20)}
    assert set(zip(table["method"], table["n_items"])) == expected
    assert len(table) == len(expected)
    assert set(table["families"]) == {6}
    assert (table["rms_error"] >= table["bias"].abs()).all()
    rows = table.set_index(["method", "n_items"])
    for method in ("subset", "random", "strata"):
        assert rows.loc[(method, 50), "rms_error"] < rows.loc[(method, 20), "rms_error"]
    for n_items in (20, 50):
        plain, ours = rows.loc[("random", n_items)], rows.loc[("subset", n_items)]
        assert plain[["ratio", "lower", "upper"]].tolist() == [1, 1, 1]
        assert ours["ratio"] == pytest.approx(ours["rms_error"] / plain["rms_error"])
        assert ours["lower"] < ours["ratio"] < ours["upper"]
    # Random items miss as the binomial says: here shares right are near a half.
    expected = np.sqrt(0.22 / 50 * 0.5)
    assert rows.loc[("random", 50), "rms_error"] == pytest.approx(expected, rel=0.15)
    stated = rows["coverage"].dropna()
    assert set(stated.index.get_level_values("method")) == {"subset", "random_scored", "random"}
    assert (stated > 0.9).all()


def test_a_model_is_judged_by_what_it_answered(bank):
    given, families = bank
    cells = given.responses.copy()
    hard = cells.mean(axis=0) < 0.4
    cells[np.ix_(np.arange(0, 28, 2), hard)] = MISSING
    found = replay.ablation("mine", Bank(given.respondents, given.items, cells), families, [50],
                            NONE, (), 20).set_index("method")  # fmt: skip
    assert abs(found.loc["subset", "bias"]) < 0.01
    assert found.loc["subset", "ratio"] < 1
    assert found.loc["subset", "coverage"] > 0.92


def test_families_weigh_the_same_and_ratios_are_to_random_items():
    cells = pd.DataFrame(
        {
            "method": ["random"] * 3 + ["subset"] * 3,
            "n_items": 10,
            "family": ["a", "a", "b"] * 2,
            "square": [0.04, 0.02, 0.01, 0.01, 0.01, 0.01],
            "bias": [0.2, 0.0, 0.1, 0.1, 0.1, -0.1],
            "coverage": [1.0, 0.0, 1.0, 1.0, 1.0, 1.0],
            "width": 0.4,
        }
    )
    found = replay._summary(cells, np.random.default_rng(0)).set_index("method")
    assert found["rms_error"].tolist() == pytest.approx([np.sqrt(0.02), 0.1])
    assert found["coverage"].tolist() == [0.75, 1.0]
    assert found["bias"].tolist() == pytest.approx([0.1, 0.0])
    # Of two families a resample has either twice, or both.
    ours = found.loc["subset", ["ratio", "lower", "upper"]].tolist()
    assert ours == pytest.approx([np.sqrt(0.5), np.sqrt(1 / 3), 1.0])


def test_a_polynomial_is_followed_no_further_than_the_abilities_that_it_was_fitted_to():
    known, new = np.linspace(-1, 1, 30), np.array([-3.0, 0.2, 3.0])
    # The steeper line leaves shares of 0 and 1 behind.
    for slope in (0.4, 3.0):
        right = 0.5 + slope * known
        found = replay.regressed(known, right, new)
        np.testing.assert_allclose(found, np.clip(0.5 + slope * np.clip(new, -1, 1), 0, 1))


def test_a_share_corrected_beyond_none_or_all_right_is_none_or_all(monkeypatch):
    """Three models, whose corrected shares are below 0, within and above 1."""
    beyond = replay.estimated

    def estimated(*given):
        return beyond(*given)._replace(share=np.array([-0.1, 0.4, 1.1]))

    monkeypatch.setattr(replay, "estimated", estimated)
    random = np.random.default_rng(0)
    items = Items(np.ones(40), random.normal(0, 1, 40))
    cells = (random.random((3, 40)) < 0.5).astype(np.int8)
    fold = Fold(np.arange(3), np.arange(3), items, np.array([-1.0, 0.0, 1.0]))
    values = [one.value.tolist() for one in replay._predict_at_random(cells, fold, 10, 1, random)]
    assert values.count([0.0, 0.4, 1.0]) == 2


def test_errors_are_predictions_less_truth_and_intervals_hold_it_or_not():
    value, lower, upper = (np.array(row) for row in ([0.5, 0.4], [0.4, 0.1], [0.7, 0.2]))
    one = replay.Predicted("m", 20, value, lower, upper)
    table = replay._missed("a", one, np.array([0.6, 0.3]))
    assert table["bias"].tolist() == pytest.approx([-0.1, 0.1])
    assert table["coverage"].tolist() == [1, 0]
    assert table["width"].tolist() == pytest.approx([0.3, 0.1])


@pytest.fixture(scope="module")
def items():
    random = np.random.default_rng(3)
    return Items(np.exp(random.normal(0, 0.4, 80)), random.normal(0, 1, 80))


def draw(items, ability, random):
    return (random.random((len(ability), 80)) < expit(
        items.discrimination * (ability[:, None] - items.difficulty)
    )).astype(np.int8)  # fmt: skip


def test_by_the_definition(items):
    cells = draw(items, np.array([0.3]), np.random.default_rng(0))[:, :20]
    found = predicted(cells, np.arange(20), items, STANDARD)
    ability = map_ability(cells, items.discrimination[:20], items.difficulty[:20])[0][0]
    chance = expit(items.discrimination * (ability - items.difficulty))
    assert found.ability[0] == ability
    expected = (cells.sum() + chance[20:].sum()) / 80
    assert found.share[0] == pytest.approx(expected)


def test_a_bank_that_is_asked_whole_has_its_share_right_and_no_error(items):
    cells = draw(items, np.linspace(-1, 1, 5), np.random.default_rng(1))
    found = predicted(cells, np.arange(80), items, STANDARD)
    np.testing.assert_allclose(found.share, cells.mean(axis=1))
    np.testing.assert_allclose(found.error, 0, atol=1e-12)


@given(st.lists(st.integers(0, 19), min_size=1, max_size=15, unique=True))
def test_a_missing_cell_counts_as_not_asked(items, missing):
    cells = draw(items, np.array([0.3]), np.random.default_rng(0))[:, :20]
    cells[0, missing] = MISSING
    left = [item for item in range(20) if item not in missing]
    one = predicted(cells, np.arange(20), items, STANDARD)
    other = predicted(cells[:, left], np.array(left), items, STANDARD)
    for mine, theirs in zip(one, other):
        np.testing.assert_allclose(mine, theirs)


@pytest.mark.parametrize("floor", [0.0, 0.25])
def test_the_error_is_that_of_repeated_evaluations(items, floor):
    random = np.random.default_rng(2)
    guessed, ability = items._replace(floor=floor), random.normal(size=4000)
    cells = (random.random((4000, 80)) < guessed.chance(ability)).astype(np.int8)
    found = predicted(cells[:, :30], np.arange(30), guessed, STANDARD)
    missed = found.share - cells.mean(axis=1)
    assert np.mean((missed / found.error) ** 2) == pytest.approx(1, rel=0.1)
    assert abs(missed.mean()) < 0.005


def test_an_ability_misses_that_of_all_items_by_the_difference_of_the_variances(items):
    random = np.random.default_rng(4)
    cells = draw(items, random.normal(size=3000), random)
    some, some_se = items.part(np.arange(30)).ability(cells[:, :30])
    missed, stated = ability_missed(cells, some, some_se, items, STANDARD)
    whole, whole_se = items.ability(cells)
    np.testing.assert_allclose(missed, some - whole)
    assert np.mean((missed / stated) ** 2) == pytest.approx(1, rel=0.1)
    nearly = ability_missed(cells, whole, whole_se, items, STANDARD)[1]
    np.testing.assert_allclose(nearly, 0.1 * whole_se)


def test_by_hand_families_weigh_the_same():
    # Squares in stated errors: family one (4 + 4) / 2 = 4, family two 1; mean 2.5.
    found = excess([np.array([0.2, -0.2]), np.array([0.3])], [np.full(2, 0.1), np.array([0.3])])
    assert found.factor == pytest.approx(np.sqrt(2.5))
    assert found.rms == pytest.approx(np.sqrt((0.04 + 0.09) / 2))
    # The pair's product is -4: no correlation. Var = 2 (1/2 + 1) / 4 = 0.75, so 2 / 0.75.
    assert found.degrees == pytest.approx(2 / 0.75)


def test_where_all_was_asked_nothing_is_missed_and_the_factor_is_that_of_the_others():
    whole, stated = np.zeros(2), np.array([0.1, 0.1])
    # Squares in stated errors: (4 + 0) / 2 and 0; then (16 + 0) / 2.
    for missed, factor in ((0.2, 1.0), (0.4, 2.0)):
        found = excess([np.array([missed, 0.0]), whole], [np.array([0.1, 0.0]), stated])
        assert found.factor == pytest.approx(factor)
    assert excess([whole, whole], [whole, whole]) == pytest.approx(Excess(1.0, 4.0, 0.0))


def test_relatives_that_miss_together_count_once():
    alike = [np.full(10, value) for value in (1.0, -1.0, 1.0, -1.0)]
    apart = [np.tile([1.0, -1.0], 5)] * 4
    stated = [np.ones(10)] * 4
    assert excess(alike, stated).degrees == pytest.approx(4)
    # The pair's product is twice the mean square, a correlation of no more than 1.
    pair, alone = np.ones(2), np.ones(1)
    assert excess([pair, 0 * alone], [pair, alone]).degrees == pytest.approx(2)
    assert excess(apart, stated).degrees == pytest.approx(40)


def test_an_interval_is_never_narrower_than_stated_and_follows_student():
    found = excess([np.array([0.01]), np.array([-0.01])], [np.array([0.1])] * 2)
    assert found.factor == 1.0
    wide = Excess(2.0, 8.0, 0.2)
    assert wide.reach(np.array([0.1]))[0] == pytest.approx(0.2 * stats.t.ppf(0.975, 8))
    # 95 % of chi-square with 8 degrees lie below 15.507.
    assert wide.least_rms() == pytest.approx(0.2 * np.sqrt(8 / 15.507), rel=1e-4)
