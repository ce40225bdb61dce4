"""Subsets to take home: which items, what is refused, and that no family judges itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.adaptive import short_form
from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.model import MISSING, information
from saturation.adaptive.responses import Bank
from saturation.adaptive.short_form import chosen, fitness, short_forms
from saturation.adaptive.subsets import Items
from saturation.errors import InputError
from validation import subset as simulation


@pytest.fixture(scope="module")
def bank():
    random = np.random.default_rng(8)
    cells = simulation.answered(random, simulation.relatives, 0.0)
    items = [f"i{number}" for number in range(simulation.ITEMS)]
    names = [f"m{row}" for row in range(len(cells))]
    return Bank(names, items, cells), simulation.FAMILY.astype(str).tolist()


@given(st.integers(1, 60), st.integers(0, 5))
def test_items_are_different_and_stand_for_the_whole_bank_in_equal_parts(size, seed):
    random = np.random.default_rng(seed)
    items = Items(np.exp(random.normal(0, 0.5, 60)), random.normal(0, 1, 60))
    found = chosen(items, random.normal(size=20), size)
    assert len(set(found.items)) == len(found.items) == size
    assert list(found.items) == sorted(found.items)
    assert found.weights.sum() == pytest.approx(1)
    counts = np.round(found.weights * 60)
    assert counts.max() - counts.min() <= 2


def test_of_items_alike_the_most_informative_is_taken_and_both_kinds_are():
    # Two kinds, hard and easy, far apart; of each one item is steeper.
    difficulty = np.array([3.0] * 6 + [-3.0] * 6)
    slope = np.full(12, 1.0)
    slope[[2, 9]] = 1.05
    ability = np.linspace(-2, 2, 30)
    found = chosen(Items(slope, difficulty), ability, 2)
    informs = information(ability, slope, difficulty).mean(axis=0)
    assert set(found.items) == {int(informs[:6].argmax()), 6 + int(informs[6:].argmax())}
    np.testing.assert_array_equal(found.weights, 0.5)


def test_what_a_subset_rests_on(bank):
    responses, families = bank
    (form, larger) = short_forms("mine", responses, families, [40, 120])
    assert (form.bank, form.respondents, form.families) == ("mine", 54, 9)
    assert 0 <= form.share <= 1
    assert larger.errors.rms < form.errors.rms < form.random_error
    assert form.worst_fit < 0
    right = responses.responses.mean(axis=1)
    binomial = np.sqrt((right * (1 - right) / 40 * (1 - 40 / 300)).mean())
    assert form.random_error == pytest.approx(binomial)


def test_a_family_does_not_judge_itself(bank):
    # What a family's predictions are made from does not change with its own answers.
    responses, families = bank
    other = responses.responses.copy()
    other[:6] = 1 - other[:6]
    seen = []
    for cells in (responses.responses, other):
        parts = short_form.folds(cells, families, cells.mean(axis=1), "positive")
        seen.append(parts[0])
    np.testing.assert_allclose(
        np.argsort(seen[0].difficulty, kind="stable"), np.argsort(seen[1].difficulty, kind="stable")
    )


@pytest.mark.parametrize(
    ("sizes", "groups", "sentence"),
    [([4], 9, "4 items; expected 5 to 299"), ([300], 9, "300 items; expected 5 to 299"),
     ([40], 4, "4 families of models; at least 5")],
)  # fmt: skip
def test_refused(bank, sizes, groups, sentence):
    responses, families = bank
    with pytest.raises(InputError, match=sentence):
        short_forms("mine", responses, [str(int(name) % groups) for name in families], sizes)


@pytest.mark.parametrize(("size", "groups"), [(5, 9), (299, 5)])
def test_edges_are_taken(bank, size, groups):
    responses, families = bank
    merged = [str(int(name) % groups) for name in families]
    (form,) = short_forms("mine", responses, merged, [size])
    assert len(form.asked.items) == size


def test_a_model_that_predicts_worse_than_random_items_is_refused(bank, monkeypatch):
    responses, families = bank
    true_tried = short_form.tried

    def misled(*arguments):
        found = true_tried(*arguments)
        return found._replace(errors=found.errors._replace(rms=10 * found.errors.rms))

    monkeypatch.setattr(short_form, "tried", misled)
    with pytest.raises(InputError, match="take random items"):
        short_forms("mine", responses, families, [40])


def test_fitness_is_standard_where_the_model_holds_and_low_for_shifted_answers():
    random = np.random.default_rng(0)
    slope, difficulty = np.exp(random.normal(0, 0.5, 200)), random.normal(0, 1.5, 200)
    ability = random.normal(size=500)
    chance = 1 / (1 + np.exp(-slope * (ability[:, None] - difficulty)))
    cells = (random.random(chance.shape) < chance).astype(np.int8)
    items = Items(slope, difficulty)
    found = fitness(cells, ability, items)
    assert abs(found.mean()) < 0.15
    assert found.std() == pytest.approx(1, abs=0.1)
    assert fitness(np.roll(cells, 1, axis=1), ability, items).max() < -4
    # By hand: one item, chance 0.5 where it tells nothing, and an item missing.
    two = np.array([[1, MISSING]], dtype=np.int8)
    value = fitness(two, np.array([1.0]), Items(np.array([1.0, 1.0]), np.array([0.0, 0.0])))
    p = 1 / (1 + np.exp(-1))
    assert value[0] == pytest.approx((1 - p) / np.sqrt(p * (1 - p)))


def test_a_floor_that_cannot_be_fitted_without_a_family_is_not_used(bank, monkeypatch):
    responses, families = bank
    monkeypatch.setattr(short_form, "believed", lambda *_: Guessing(0.2, 0.1, 0.3))
    true = short_form.folds

    def refused(cells, names, reference, slopes, share):
        if share > 0:
            raise InputError("without the family '1': no")
        return true(cells, names, reference, slopes, share)

    monkeypatch.setattr(short_form, "folds", refused)
    found = short_form.fitted(responses.responses, families, "mine", None)
    assert (found.guessing, found.whole.floor) == (NONE, 0.0)
    with pytest.raises(InputError, match="without the family"):
        short_form.fitted(responses.responses, families, "mine", Guessing(0.2, 0.1, 0.3))
