"""`saturation adapt`, `subset` and `score`: the loop, and the commands end to end."""

import json
import re
import sys

import pandas as pd
import pytest

from saturation.adaptive.misfit import NONE, Guessing
from saturation.adaptive.replay import METHODS
from saturation.adaptive.session import Choice, Session, Stop
from saturation.errors import InputError
from saturation.live import run as command
from saturation.live.run import adapt


@pytest.fixture
def session():
    items = pd.DataFrame(
        {
            "item": ["a", "b", "c", "d"],
            "discrimination": [1.0, 1.2, 0.8, 1.1],
            "difficulty": [0.0, 0.5, -0.5, 1.0],
        }
    )
    return Session(items, stop=Stop(length=3), choice=Choice(batch=2))


class TestLoop:
    def test_batches_are_asked_until_the_end_and_an_item_without_an_answer_replaced(self, session):
        batches, lengths = [], []

        def evaluate(items):
            batches.append(len(items))
            return {item: None if item == "b" else True for item in items}

        done = adapt(session, evaluate, lambda now: lengths.append(len(now.answers)))
        assert (batches, lengths, done.stopped) == ([2, 2], [2, 4], "length")
        assert (done.answers["b"], set(done.answers.values())) == (None, {None, 1})

    @pytest.mark.parametrize(
        ("given", "sentence"),
        [({"a": 1}, "no answer to item"), ({"a": 1, "b": 1, "x": 1}, "item 'x' was not asked"),
         ({"a": 1, "b": 0.5}, "item 'b' has the answer 0.5; expected 1, 0 or null"),
         ({"a": 1, "b": "1"}, "item 'b' has the answer '1'")],
    )  # fmt: skip
    def test_other_answers_are_refused_and_none_is_kept(self, session, given, sentence):
        assert set(session.next_items()) == {"a", "b"}
        with pytest.raises(InputError, match=sentence):
            adapt(session, lambda _: given)
        assert session.answers == {}


def written(drawn, folder, monkeypatch):
    """A bank's answers, who belongs to which family, and one model's answers; gives the bank."""
    bank, families = drawn
    table = pd.DataFrame(bank.responses, columns=bank.items)
    table.insert(0, "model", bank.respondents)
    table.to_csv(folder / "bank.csv", index=False)
    people = {"respondent": table["model"], "model": table["model"], "family": families}
    pd.DataFrame({**people, "checkpoint": 1}).to_csv(folder / "people.csv", index=False)
    table[:1].to_csv(folder / "new.csv", index=False)
    monkeypatch.chdir(folder)
    return bank


@pytest.fixture
def bank(family_answers, tmp_path, monkeypatch):
    """Files of a bank, without the search for a floor and the test of the model."""
    monkeypatch.setattr(command, "believed", lambda *_: NONE)
    monkeypatch.setattr(command, "doubt", lambda *_, **__: "the model is rejected: x")
    return written(family_answers(), tmp_path, monkeypatch)


@pytest.fixture
def tried_once(bank, monkeypatch):
    """The test of the bank is tried on families left out only once."""
    true, kept = command.tried, []

    def tried(*given):
        kept.extend([] if kept else [true(*given)])
        return kept[0]

    monkeypatch.setattr(command, "tried", tried)


def words(*more):
    return ("adapt", "bank.csv", "--respondents", "people.csv",
            "--length", 30, "--batch", 10, *more)  # fmt: skip


def program(path, given):
    """A program that answers a line of items by an expression, and notes what it was asked."""
    path.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    items = json.loads(line)['items']\n"
        "    print(*items, file=open('log.txt', 'a'))\n"
        f"    print(json.dumps({{'answers': {given}}}), flush=True)\n"
    )
    return f"{sys.executable} {path}"


def test_a_model_held_out_is_replayed_with_its_true_share(bank, run, tmp_path):
    code, text, errors = run(*words("--hold-out", "m7", "--output", "out.json"))
    assert (code, errors) == (0, "")
    right = bank.responses[7].mean()
    assert text.startswith("30 of 100 items asked (70.0 % saved); stopped by length\nability ")
    assert text.endswith(f"true share right: {right:.3f}\n")
    found = json.loads((tmp_path / "out.json").read_text())
    # Of seven families one is left out.
    assert (found["families"], found["respondents"], len(found["asked"])) == (6, 24, 30)
    assert found["lower"] < right < found["upper"]
    assert found["ability_lower"] < found["ability"] < found["ability_upper"]


def test_a_session_is_kept_and_taken_up_with_the_same_settings_only(run, tried_once, tmp_path):
    line = program(
        tmp_path / "program.py", "{i: None if i == items[0] else len(i) % 2 for i in items}"
    )
    kept = tmp_path / "new/session.json"
    given = words("--run", line, "--session", kept)
    code, text, errors = run(*given)
    assert (code, errors) == (0, "")
    assert "items could not be evaluated" in text
    assert [path.name for path in kept.parent.iterdir()] == ["session.json"]
    asked = (tmp_path / "log.txt").read_text().split()
    assert len(asked) == len(set(asked)) > 30
    # All is answered: nothing is asked again.
    assert run(*given)[:2] == (0, text)
    assert (tmp_path / "log.txt").read_text().split() == asked
    for more, sentence in [
        (("--length", 40), "saved with length 30, and here it is 40; give the same"),
        (("--batch", 5), "saved with batch 10, and here it is 5"),
        (("--among", 2, "--seed", 3), "saved with seed 0, and here it is 3"),
        (("--standard-error", 0.2), "saved with standard_error 0.0, and here it is 0.2"),
    ]:
        code, _, errors = run(*given, *more)
        assert (code, sentence in errors) == (1, True)
    saved = kept.read_text()
    for change, sentence in [
        ({"floor": 0.3}, "saved with floor 0.3, and here it is 0.0"),
        ({"start": 1.0}, "saved with start 1.0, and here it is 0.0"),
        ({"prior": [0, 1, None, None]}, "saved with prior [0, 1, None, None], and here"),
    ]:
        kept.write_text(json.dumps({**json.loads(saved), **change}))
        code, _, errors = run(*given)
        assert (code, sentence in errors) == (1, True)
    kept.write_bytes(b"\xff\xfe")
    assert "session.json: no saved session can be read there" in run(*given)[2]
    kept.unlink()
    kept.mkdir()
    assert "session.json: no saved session can be read there" in run(*given)[2]


def test_what_cannot_be_run_written_or_evaluated_is_said(run, tried_once, tmp_path):
    nothing = program(tmp_path / "program.py", "dict.fromkeys(items)")
    for more, sentence in [
        ((), "--run is missing"),
        (("--run", "x", "--through", "lm-eval"), "expected 'lm_eval ...'"),
        (("--run", "no-such-tool", "--through", "inspect"), "expected 'inspect eval ...'"),
        (("--run", "no-such-tool"), "cannot be started"),
        (("--hold-out", "x"), "--hold-out: no respondent 'x'"),
        (("--hold-out", "m7", "--output", "new.csv/x"), "x: the result cannot be written there"),
        (("--hold-out", "m7", "--session", "new.csv/x"), "x: the session cannot be written there"),
        (("--run", nothing), "none of 100 items could be evaluated"),
    ]:
        code, text, errors = run(*words(*more))
        assert (code, text, sentence in errors) == (1, "", True), errors


def test_a_share_that_random_items_tell_better_is_not_told(bank, run, tmp_path, monkeypatch):
    true = command.tried
    monkeypatch.setattr(command, "tried", lambda *given: true(*given)._replace(random_error=0.0))
    _, text, _ = run(*words("--hold-out", "m7", "--output", "out.json"))
    assert "the share right is not predicted: it would be missed by 0.0" in text
    assert json.loads((tmp_path / "out.json").read_text())["share_right"] is None


def test_a_subset_is_made_and_a_new_model_scored(bank, run, tmp_path):
    subset = ("subset", "bank.csv", "--size", 50, "--respondents", "people.csv")
    code, text, errors = run(*subset)
    assert (code, errors) == (0, "")
    lines = text.splitlines()
    assert len(lines) == 5
    assert lines[0] == "50 of 100 items."
    error, random = map(float, re.findall(r"\d+\.\d", lines[1]))
    truth = bank.responses.mean(axis=1)
    families = pd.read_csv("people.csv")["family"]
    variance = pd.Series(truth * (1 - truth) / 50 * (1 - 50 / 100)).groupby(families).mean().mean()
    assert random == pytest.approx(100 * variance**0.5, abs=0.051)
    assert 0.5 * random < error < random
    assert "the model is rejected: x" in lines[3]
    assert lines[4].startswith("Wrote ")
    # With details, every method with its interval, and the table of orders.
    details = run(*subset, "--details")[1].splitlines()
    assert details[:4] == lines[:4]
    assert "on 7 families left out (28 models)" in details[5]
    assert len([line for line in details if line.startswith("  ")]) == len(METHODS) - 1 + 5
    scorer = "subset_bank_50/scorer.json"
    code, text, errors = run("score", scorer, "new.csv", "--output", "s.json")
    assert (code, errors) == (0, "")
    saved = json.loads((tmp_path / "s.json").read_text())["m0"]
    assert text.startswith(f"m0: {100 * saved['accuracy']:.1f} % of bank right")
    assert "from 50 answers" in text
    (warning,) = [line for line in text.splitlines() if line.startswith("Warning: ")]
    assert "the model is rejected: x" in warning
    assert saved["lower"] < bank.responses[0].mean() < saved["upper"]
    # Items that are not in the subset change nothing.
    chosen = pd.read_csv("subset_bank_50/items.csv")["item"]
    pd.read_csv("new.csv")[["model", *chosen]].to_csv("some.csv", index=False)
    assert run("score", scorer, "some.csv")[1] == text
    for given, sentence in [
        ((*subset, "--output", "bank.csv"), "cannot be written there"),
        ((*subset[:3], 100), "100 items; expected 5 to 99"),
        (("score", scorer, "new.csv", "--output", "bank.csv/s.json"), "cannot be written there"),
    ]:
        code, _, errors = run(*given)
        assert (code, sentence in errors) == (1, True)
    # Without a table of respondents each model is a family of its own.
    assert "each model counts as a family of its own" in run(*subset[:4], "--details")[1]
    # Few families are no bar: the interval does not rest on them.
    people = pd.read_csv("people.csv")
    people.assign(family=people["family"] % 3).to_csv("people.csv", index=False)
    assert "3 are too few" in run(*subset, "--details")[1]
    pd.read_csv("bank.csv")[:2].to_csv("two.csv", index=False)
    first, second = (
        run("score", scorer, "two.csv")[1].splitlines()[-2].split(":")[0].split(" less ")
    )
    assert {first, second} == {"m0", "m1"}


def test_guessing_is_used_and_said_by_every_command(family_answers, run, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "believed", lambda *_: Guessing(0.25, 0.2, 0.3))
    monkeypatch.setattr(command, "doubt", lambda *_, **__: "")
    written(family_answers(0.25, families_differ=False), tmp_path, monkeypatch)
    said = "right answers are guessed with a chance of 0.25"
    subset = ("subset", "bank.csv", "--respondents", "people.csv", "--size", 50)
    assert said in run(*subset, "--output", "out", "--details")[1]
    saved = json.loads((tmp_path / "out/scorer.json").read_text())
    assert (saved["version"], saved["floor"]["value"]) == (4, 0.25)
    # Guessing is information, and no warning: a score has it in its record.
    assert "Warning" not in run("score", "out/scorer.json", "new.csv")[1]
    assert said in run("score", "out/scorer.json", "new.csv", "--json")[1]
    assert said in run(*words("--hold-out", "m3", "--output", "a.json"))[1]
    assert json.loads((tmp_path / "a.json").read_text())["floor"] == 0.25


def test_a_score_prints_a_note_of_one_model_in_the_one_warning(bank, run):
    run("subset", "bank.csv", "--size", 50, "--respondents", "people.csv")
    chosen = pd.read_csv("subset_bank_50/items.csv")["item"]
    table = pd.read_csv("bank.csv")[:2]
    table[chosen[:5]] = table[chosen[:5]].astype("Int64")
    table.loc[1, chosen[:5]] = pd.NA
    table.to_csv("two.csv", index=False)
    *_, warning = run("score", "subset_bank_50/scorer.json", "two.csv")[1].splitlines()
    assert warning.count("the model is rejected: x") == 1
    assert "m1: 5 items of the subset are not answered" in warning
