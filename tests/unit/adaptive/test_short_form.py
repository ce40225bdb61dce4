"""Subsets to take home: which items, what a score says, and files that are refused."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.adaptive import short_form
from saturation.adaptive.evaluation import folds
from saturation.adaptive.fit import fit
from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.model import MISSING, Prior, information
from saturation.adaptive.responses import Bank
from saturation.adaptive.short_form import chosen, fitness, short_forms
from saturation.adaptive.subsets import Items, predicted
from saturation.errors import InputError


@pytest.fixture(scope="module")
def bank(family_answers):
    return family_answers()


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
    (form, larger) = short_forms("mine", responses, families, [20, 50], NONE)
    assert (form.bank, form.respondents, form.families) == ("mine", 28, 7)
    assert 0 <= form.share <= 1
    assert larger.errors.rms < form.errors.rms < form.random_error
    assert form.worst_fit < 0
    right = responses.responses.mean(axis=1)
    binomial = np.sqrt((right * (1 - right) / 20 * (1 - 20 / 100)).mean())
    assert form.random_error == pytest.approx(binomial)


@pytest.mark.parametrize(
    ("sizes", "groups", "sentence"),
    [
        ([4], 7, "4 items; expected 5 to 99"),
        ([100], 7, "100 items; expected 5 to 99"),
        ([40], 4, "4 families of models; at least 5"),
        ([5], 7, None),
        ([99], 5, None),
    ],
)
def test_sizes_and_families_that_are_too_few(bank, sizes, groups, sentence):
    responses, families = bank
    merged = [str(int(name) % groups) for name in families]
    if sentence is None:
        (form,) = short_forms("mine", responses, merged, sizes, NONE)
        assert len(form.asked.items) == sizes[0]
        return
    with pytest.raises(InputError, match=sentence):
        short_forms("mine", responses, merged, sizes)


def test_a_model_that_predicts_worse_than_random_items_is_refused(bank, monkeypatch):
    responses, families = bank
    true_tried = short_form.tried

    def misled(*arguments):
        found = true_tried(*arguments)
        return found._replace(errors=found.errors._replace(rms=10 * found.errors.rms))

    monkeypatch.setattr(short_form, "tried", misled)
    with pytest.raises(InputError, match="take random items"):
        short_forms("mine", responses, families, [40], NONE)


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
    monkeypatch.setattr(short_form, "believed", lambda *_: Guessing(0.05, 0.01, 0.1))
    true = short_form.folds

    def refused(cells, names, reference, slopes, share):
        if share > 0:
            raise InputError("without the family '1': no")
        return true(cells, names, reference, slopes, share)

    monkeypatch.setattr(short_form, "folds", refused)
    found = short_form.fitted(responses.responses, families, "mine", None)
    assert (found.guessing, found.whole.floor) == (NONE, 0.0)
    with pytest.raises(InputError, match="without the family"):
        short_form.fitted(responses.responses, families, "mine", Guessing(0.05, 0.01, 0.1))


def without_the_last(bank, families):
    """A bank, its models' families, and the answers of a family that it does not know."""
    known = Bank(bank.respondents[:-4], bank.items, bank.responses[:-4])
    new = [dict(zip(bank.items, map(int, row))) for row in bank.responses[-4:]]
    return known, families[:-4], new


@pytest.fixture(scope="module")
def made(family_answers):
    """A subset, and the answers of a family that it does not know."""
    bank, families, new = without_the_last(*family_answers())
    return short_forms("mine", bank, families, [40], NONE)[0], new


LOST = object()


@pytest.fixture
def changed(made, tmp_path):
    """A function that writes the subset's file, with some of its parts changed or left out."""

    def written(change):
        short_form.write(made[0], tmp_path)
        path = tmp_path / "scorer.json"
        content = json.loads(path.read_text()) | change
        kept = {key: part for key, part in content.items() if part is not LOST}
        path.write_text(json.dumps(kept))
        return path

    return written


def test_written_and_read_back_it_scores_the_same(made, tmp_path):
    form, new = made
    short_form.write(form, tmp_path)
    again = short_form.read(tmp_path / "scorer.json")
    for answers in new:
        one, other = short_form.score(form, answers), short_form.score(again, answers)
        assert one.accuracy == pytest.approx(other.accuracy, abs=1e-8)
        assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), abs=1e-8)
    lines = (tmp_path / "items.csv").read_text().splitlines()
    assert lines[0] == "item,weight,discrimination,difficulty"
    assert len(lines) == 41


def test_items_named_as_the_harness_does_are_its_samples():
    named = ["mmlu/3", "mmlu/1", "a/b/2"]
    assert short_form.samples(named) == {"mmlu": [3, 1], "a/b": [2]}
    for other in ("q1", "mmlu/x", "/3", "3"):
        assert short_form.samples([*named, other]) is None


def test_the_harnesss_file_is_written_where_its_names_stand(made, tmp_path):
    form, _ = made
    assert short_form.write(form, tmp_path) == ["items.csv", "scorer.json"]
    assert not (tmp_path / "samples.json").exists()
    named = replace(form, names=[f"toy/{n}" for n in range(len(form.names))])
    assert short_form.write(named, tmp_path) == ["items.csv", "samples.json", "scorer.json"]
    found = json.loads((tmp_path / "samples.json").read_text())
    assert found == {"toy": form.asked.items.tolist()}


def test_a_score_is_the_prediction_with_its_interval(made):
    form, new = made
    form = replace(form, errors=form.errors._replace(factor=1.5))
    chosen = form.asked.items
    cells = np.array([[new[0][form.names[item]] for item in chosen]], dtype=np.int8)
    found = form.predicted(cells)
    one = short_form.score(form, new[0])
    accuracy, reach = found.accuracy(form.share)[0], form.errors.reach(found.error)[0]
    assert (one.answered, one.ability) == (40, found.ability[0])
    assert one.ability_se == found.ability_se[0]
    assert one.accuracy == accuracy
    assert (one.lower, one.upper) == pytest.approx((accuracy - reach, accuracy + reach))
    assert "1.50 times as wide as the model says" in one.notes[0]
    true = np.mean(list(new[0].values()))
    assert one.lower < true < one.upper


def test_limits_are_shares_and_answers_unlike_all_others_are_said_to_be(made):
    form, _ = made
    every = dict.fromkeys(form.names, 1)
    best = short_form.score(form, every)
    assert (best.upper, best.lower > 0.8) == (1.0, True)
    assert "abler than all 24 models" in best.notes[-1]
    worst = short_form.score(form, dict.fromkeys(form.names, 0))
    assert (worst.lower, worst.upper < 0.3) == (0.0, True)
    assert "less able than all 24 models" in worst.notes[-1]
    chosen = {form.names[item] for item in form.asked.items}
    hard = form.items.difficulty > np.median(form.items.difficulty)
    turned = {name: int(hard[number]) for number, name in enumerate(form.names) if name in chosen}
    one = short_form.score(form, turned)
    assert one.fitness < form.worst_fit
    assert "unlike those of all 24 models" in one.notes[-1]


def test_half_of_the_subset_must_be_answered(made):
    form, new = made
    chosen = [form.names[item] for item in form.asked.items]
    half = {name: new[0][name] for name in chosen[:20]}
    one = short_form.score(form, half)
    assert one.answered == 20
    assert "20 items of the subset are not answered" in one.notes
    half.pop(chosen[0])
    with pytest.raises(InputError, match="19 of the subset's 40 items"):
        short_form.score(form, half)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({"i1": 2}, "item 'i1' has the answer 2; expected 0"),
        ({"elsewhere": 1}, "item 'elsewhere' is not in the bank 'mine'"),
    ],
)
def test_answers_that_are_none_are_refused(made, answers, sentence):
    with pytest.raises(InputError, match=sentence):
        short_form.score(made[0], answers)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"format": "x"}, "is not a 'saturation subset'"),
        ({"version": 1}, "version 1; this program reads version 2 and 3"),
        ({"version": 4, "new": 0}, "version 4; .* use the program that wrote it"),
        ({"version": 2}, "were unexpected"),
        ({"share": 3}, "share: 3 is greater"),
        ({"worst_fit": -np.inf}, "-Infinity is no number"),
        ({"weights": [1.0]}, "do not belong together"),
        ({"weights": [1.0] * 40}, "do not belong"),
        ({"weights": [0.0] * 40}, "weights.0: "),
        ({"families": 0}, "families: 0 is less"),
        ({"discrimination": [1.0]}, "do not belong together"),
        ({"discrimination": [0.0] * 100}, "discrimination.0: "),
        ({"highest": -9}, "do not belong"),
        ({"subset": [f"x{n}" for n in range(40)]}, "do not belong together"),
        ({"subset": ["i1"] * 40}, "do not belong together"),
        ({"items": ["i1"] * 100}, "do not belong together"),
        ({"errors": {}}, "errors: "),
        ({"floor": {"value": 1.0, "lower": 0.1, "upper": 0.2}}, "floor.value: "),
        ({"floor": {"value": 0.3, "lower": 0.1, "upper": 0.2}}, "floor: 0.3 does not lie"),
        ({"floor": {"value": 0.1, "lower": 0.2, "upper": 0.3}}, "floor: 0.1 does not lie"),
        ({"floor": {"value": 0.1, "lower": None, "upper": 0.2}}, "floor.lower: "),
        *(({name: LOST}, f"'{name}' is a req") for name in ("floor", "ability_errors", "weights")),
    ],
)
def test_a_damaged_file_is_refused(changed, change, sentence):
    path = changed(change)
    with pytest.raises(InputError, match=sentence):
        short_form.read(path)
    path.write_text(path.read_text()[:9])
    with pytest.raises(InputError, match="not whole JSON"):
        short_form.read(path)
    with pytest.raises(InputError, match="not readable"):
        short_form.read(path.parent / "none.json")


def test_a_floor_that_is_needed_is_used_written_read_and_said(
    family_answers, monkeypatch, tmp_path
):
    bank, families, new = without_the_last(*family_answers(0.25, families_differ=False))
    monkeypatch.setattr(short_form, "believed", lambda *_: Guessing(0.25, 0.2, 0.3))
    (form,) = short_forms("mine", bank, families, [40])
    assert form.items.floor == form.guessing.value == 0.25
    short_form.write(form, tmp_path)
    again = short_form.read(tmp_path / "scorer.json")
    assert again.guessing == pytest.approx(form.guessing)
    assert again.items.floor == again.guessing.value
    for answers in new:
        one, other = short_form.score(form, answers), short_form.score(again, answers)
        assert one.ability == pytest.approx(other.ability, abs=1e-4)
        assert one.notes[0] == other.notes[0] == form.guessing.said()
    # The ability's interval rests on families left out.
    reach = form.ability_errors.reach(np.array([one.ability_se]))[0]
    assert one.ability_upper - one.ability == pytest.approx(reach)
    assert one.ability - one.ability_lower == pytest.approx(reach)
    assert reach > 1.96 * one.ability_se
    open_above = replace(form, guessing=form.guessing._replace(upper=np.nan))
    short_form.write(open_above, tmp_path)
    assert np.isnan(short_form.read(tmp_path / "scorer.json").guessing.upper)


def test_a_file_of_version_2_is_read_and_knows_no_floor(made, changed):
    form, new = made
    old = {"version": 2, "doubt": "it is rejected", "floor": LOST, "ability_errors": LOST}
    old = short_form.read(changed(old))
    assert (old.guessing, old.ability_errors, old.items.floor) == (NONE, None, 0.0)
    found = short_form.score(old, new[0])
    assert (found.ability_lower, found.ability_upper) == (None, None)
    assert "standard error is the model's and too small" in found.notes[0]
    assert found.accuracy == pytest.approx(short_form.score(form, new[0]).accuracy, abs=1e-6)


def test_a_mark_of_byte_order_is_no_part_of_the_file(changed):
    path = changed({})
    path.write_text(path.read_text(), encoding="utf-8-sig")
    assert short_form.read(path).bank == "mine"


def test_errors_are_those_of_predictions_with_the_share_that_is_added(bank):
    responses, families = bank
    whole = fit(responses.responses)
    parts = folds(responses.responses, families, whole.ability, "positive")
    found = short_form.tried(responses.responses, parts, 60)
    squares = []
    for fold in parts:
        cells = responses.responses[fold.rows]
        subset = chosen(fold.items, fold.training_ability, 60)
        # A new model is often abler than all that are known.
        prior = Prior(fold.training_ability.mean(), 3 * fold.training_ability.std())
        one = predicted(cells[:, subset.items], subset, fold.items, found.share, prior)
        squares.append(np.square(one.accuracy(found.share) - cells.mean(axis=1)).mean())
    assert 0 < found.share < 1
    assert found.errors.rms == pytest.approx(np.sqrt(np.mean(squares)))
