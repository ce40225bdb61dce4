"""The scorer's file: written and read back, what it scores, and what it refuses."""

import json
from dataclasses import replace

import numpy as np
import pytest

from saturation.adaptive import short_form
from saturation.adaptive.misfit import NONE
from saturation.adaptive.responses import Bank
from saturation.adaptive.short_form import short_forms
from saturation.errors import InputError
from validation import subset as simulation


def drawn(extra, guessing):
    """A bank, its models' families, and the answers of a family that it does not know."""
    cells = simulation.answered(np.random.default_rng(8), extra, guessing)
    items = [f"i{number}" for number in range(simulation.ITEMS)]
    bank = Bank([f"m{row}" for row in range(48)], items, cells[:48])
    families = simulation.FAMILY[:48].astype(str).tolist()
    return bank, families, [dict(zip(items, map(int, row))) for row in cells[48:]]


@pytest.fixture(scope="module")
def made():
    """A subset, and the answers of a family that it does not know."""
    bank, families, new = drawn(simulation.relatives, 0.0)
    return short_forms("mine", bank, families, [60])[0], new


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
    assert len(lines) == 61


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (["mmlu/3", "mmlu/1", "a/b/2"], {"mmlu": [3, 1], "a/b": [2]}),
        (["mmlu/3", "q1"], None),
        (["mmlu/x"], None),
        (["/3"], None),
        (["3"], None),
    ],
)
def test_items_named_as_the_harness_does_are_its_samples(items, expected):
    assert short_form.samples(items) == expected


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
    assert (one.answered, one.ability) == (60, found.ability[0])
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
    assert "abler than all 48 models" in best.notes[-1]
    worst = short_form.score(form, dict.fromkeys(form.names, 0))
    assert (worst.lower, worst.upper < 0.3) == (0.0, True)
    assert "less able than all 48 models" in worst.notes[-1]
    chosen = {form.names[item] for item in form.asked.items}
    hard = form.items.difficulty > np.median(form.items.difficulty)
    turned = {name: int(hard[number]) for number, name in enumerate(form.names) if name in chosen}
    one = short_form.score(form, turned)
    assert one.fitness < form.worst_fit
    assert "unlike those of all 48 models" in one.notes[-1]


def test_half_of_the_subset_must_be_answered(made):
    form, new = made
    chosen = [form.names[item] for item in form.asked.items]
    half = {name: new[0][name] for name in chosen[:30]}
    one = short_form.score(form, half)
    assert one.answered == 30
    assert "30 items of the subset are not answered" in one.notes
    half.pop(chosen[0])
    with pytest.raises(InputError, match="29 of the subset's 60 items"):
        short_form.score(form, half)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [({"i1": 2}, "item 'i1' has the answer 2; expected 0"),
     ({"elsewhere": 1}, "item 'elsewhere' is not in the bank 'mine'")],
)  # fmt: skip
def test_answers_that_are_none_are_refused(made, answers, sentence):
    with pytest.raises(InputError, match=sentence):
        short_form.score(made[0], answers)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [({"format": "x"}, "is no 'saturation subset'"),
     ({"version": 1}, "version 1; this program reads the versions 2 and 3"),
     ({"version": 4, "new": 0}, "version 4; .* score with the program that wrote it"),
     ({"version": [3]}, r"version \[3\]; "), ({"version": None}, "version None; "),
     ({"version": 2}, "were unexpected"),
     ({"share": 3}, "share: 3 is greater"), ({"share": np.nan}, "NaN is no number"),
     ({"worst_fit": -np.inf}, "-Infinity is no number"),
     ({"random_error": 10**400}, "random_error: "),
     ({"weights": [1.0]}, "do not belong together"), ({"weights": [1.0] * 60}, "do not belong"),
     ({"weights": [0.0] * 60}, "weights.0: "), ({"families": 0}, "families: 0 is less"),
     ({"discrimination": [1.0]}, "do not belong together"), ({"highest": -9}, "do not belong"),
     ({"discrimination": [0.0] * 300}, "discrimination.0: "),
     ({"subset": [f"x{n}" for n in range(60)]}, "do not belong together"),
     ({"subset": ["i1"] * 60}, "do not belong together"), ({"errors": {}}, "errors: "),
     ({"items": ["i1"] * 300}, "do not belong together")],
)  # fmt: skip
def test_a_damaged_file_is_refused(made, tmp_path, change, sentence):
    short_form.write(made[0], tmp_path)
    path = tmp_path / "scorer.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=sentence):
        short_form.read(path)


def test_what_is_no_file_or_no_json_is_refused(tmp_path):
    with pytest.raises(InputError, match="not readable"):
        short_form.read(tmp_path / "none.json")
    (tmp_path / "cut.json").write_text('{"format"')
    with pytest.raises(InputError, match="not whole JSON"):
        short_form.read(tmp_path / "cut.json")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(InputError, match="is no 'saturation subset'"):
        short_form.read(tmp_path / "list.json")


@pytest.fixture(scope="module")
def guessed():
    """A subset of a bank of which a quarter is guessed, one without a floor, and new answers."""
    bank, families, new = drawn(simulation.none, 0.25)
    (form,) = short_forms("mine", bank, families, [60])
    (plain,) = short_forms("mine", bank, families, [60], NONE)
    return form, plain, new


def test_a_floor_that_is_needed_is_used_written_read_and_said(guessed, tmp_path):
    form, plain, new = guessed
    assert form.guessing.lower < 0.25 < form.guessing.upper
    assert (form.items.floor, plain.items.floor) == (form.guessing.value, 0.0)
    short_form.write(form, tmp_path)
    again = short_form.read(tmp_path / "scorer.json")
    assert again.guessing == pytest.approx(form.guessing)
    assert again.items.floor == again.guessing.value
    for answers in new:
        one, other = short_form.score(form, answers), short_form.score(again, answers)
        assert one.ability == pytest.approx(other.ability, abs=1e-4)
        assert one.notes[0] == other.notes[0] == form.guessing.said()
        assert not any("are guessed" in note for note in short_form.score(plain, answers).notes)
    open_above = replace(form, guessing=form.guessing._replace(upper=np.nan))
    short_form.write(open_above, tmp_path)
    assert np.isnan(short_form.read(tmp_path / "scorer.json").guessing.upper)


def test_the_abilitys_interval_rests_on_families_left_out(guessed):
    form, _, new = guessed
    one = short_form.score(form, new[0])
    reach = form.ability_errors.reach(np.array([one.ability_se]))[0]
    assert one.ability_upper - one.ability == pytest.approx(reach)
    assert one.ability - one.ability_lower == pytest.approx(reach)
    assert reach > 1.96 * one.ability_se


def test_a_file_of_version_2_is_read_and_knows_no_floor(made, tmp_path):
    form, new = made
    short_form.write(form, tmp_path)
    path = tmp_path / "scorer.json"
    content = json.loads(path.read_text())
    del content["floor"], content["ability_errors"]
    path.write_text(json.dumps({**content, "version": 2, "doubt": "it is rejected"}))
    old = short_form.read(path)
    assert (old.guessing, old.ability_errors, old.items.floor) == (NONE, None, 0.0)
    found = short_form.score(old, new[0])
    assert (found.ability_lower, found.ability_upper) == (None, None)
    assert "standard error is the model's and too small" in found.notes[0]
    assert found.accuracy == pytest.approx(short_form.score(form, new[0]).accuracy, abs=1e-6)


@pytest.mark.parametrize("lost", ["floor", "ability_errors", "weights"])
def test_a_file_that_has_lost_a_part_is_not_read_without_it(made, tmp_path, lost):
    short_form.write(made[0], tmp_path)
    path = tmp_path / "scorer.json"
    content = json.loads(path.read_text())
    del content[lost]
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=f"'{lost}' is a required property"):
        short_form.read(path)


def test_a_mark_of_byte_order_is_no_part_of_the_file(made, tmp_path):
    short_form.write(made[0], tmp_path)
    path = tmp_path / "scorer.json"
    path.write_text(path.read_text(), encoding="utf-8-sig")
    assert short_form.read(path).bank == "mine"


@pytest.mark.parametrize(
    "change", [{"floor": {}}, {"floor": {"value": 1.0, "lower": 0.1, "upper": 0.2}},
               {"floor": {"value": 0.3, "lower": 0.1, "upper": 0.2}},
               {"floor": {"value": 0.1, "lower": 0.2, "upper": 0.3}},
               {"floor": {"value": 0.1, "lower": None, "upper": 0.2}}, {"ability_errors": {}}],
)  # fmt: skip
def test_a_damaged_floor_is_refused(made, tmp_path, change):
    short_form.write(made[0], tmp_path)
    path = tmp_path / "scorer.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=next(iter(change))):
        short_form.read(path)
