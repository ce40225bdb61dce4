"""`saturation adapt`: the loop, the command end to end, and the example of the documentation."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation import cli
from saturation.adaptive.session import Choice, Session, Stop
from saturation.errors import InputError
from saturation.live import run as command
from saturation.live.run import adapt
from validation import subset as simulation

ITEMS = [f"i{number}" for number in range(simulation.ITEMS)]
DOCUMENTATION = Path(__file__).parents[3] / "docs/adapt.md"


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
    def test_batches_are_asked_until_the_end_and_seen_afterwards(self, session):
        batches, lengths = [], []

        def evaluate(items):
            batches.append(list(items))
            return dict.fromkeys(items, True)

        done = adapt(session, evaluate, lambda now: lengths.append(len(now.answers)))
        assert [len(batch) for batch in batches] == [2, 1]
        assert lengths == [2, 3]
        assert done.stopped == "length"
        assert set(done.answers.values()) == {1}

    def test_an_item_that_cannot_be_evaluated_is_replaced(self, session):
        done = adapt(session, lambda items: {item: None if item == "b" else 0 for item in items})
        assert len(done.answers) == 4
        assert done.answers["b"] is None

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


@pytest.fixture
def files(tmp_path):
    cells = simulation.answered(np.random.default_rng(8), simulation.topics, 0.0)
    table = pd.DataFrame(cells, columns=ITEMS)
    table.insert(0, "model", [f"m{row}" for row in range(len(cells))])
    table.to_csv(tmp_path / "bank.csv", index=False)
    people = pd.DataFrame({"respondent": table["model"], "model": table["model"],
                           "family": simulation.FAMILY.astype(str), "checkpoint": 1})  # fmt: skip
    people.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path, cells


def run(capsys, *words):
    code = cli.main([str(word) for word in words])
    return (code, *capsys.readouterr())


def words(folder, *more):
    return ("adapt", folder / "bank.csv", "--respondents", folder / "people.csv",
            "--length", 30, "--batch", 10, *more)  # fmt: skip


class TestCommand:
    def test_a_model_held_out_is_replayed_with_its_true_share(self, files, capsys):
        folder, cells = files
        out = folder / "out.json"
        code, text, errors = run(capsys, *words(folder, "--hold-out", "m7", "--output", out))
        assert (code, errors) == (0, "")
        assert text.startswith("30 of 300 items asked (90.0% saved); stopped by length\nability ")
        assert text.endswith(f"true share right: {cells[7].mean():.3f}\n")
        found = json.loads(out.read_text())
        # Of nine families one is left out.
        assert (found["families"], found["respondents"], len(found["asked"])) == (8, 48, 30)
        assert found["lower"] < cells[7].mean() < found["upper"]
        assert found["ability_lower"] < found["ability"] < found["ability_upper"]

    def test_a_program_answers_and_a_session_goes_on_where_it_was(self, files, capsys):
        folder, cells = files
        log = folder / "log.txt"
        (folder / "answers.json").write_text(json.dumps(dict(zip(ITEMS, cells[0].tolist()))))
        (folder / "program.py").write_text(
            "import json, sys\n"
            f"answers = json.load(open({str(folder / 'answers.json')!r}))\n"
            "for line in sys.stdin:\n"
            "    items = json.loads(line)['items']\n"
            f"    print(*items, file=open({str(log)!r}, 'a'))\n"
            "    given = {item: answers[item] for item in items}\n"
            "    given[items[0]] = None\n"
            "    print(json.dumps({'answers': given}), flush=True)\n"
        )
        line = f"{sys.executable} {folder / 'program.py'}"
        kept = folder / "session.json"
        code, text, errors = run(capsys, *words(folder, "--run", line, "--session", kept))
        assert (code, errors) == (0, "")
        assert "items could not be evaluated" in text
        asked = log.read_text().split()
        assert len(asked) == len(set(asked)) > 30
        # All is answered: nothing is asked again.
        assert run(capsys, *words(folder, "--run", line, "--session", kept))[:2] == (0, text)
        assert log.read_text().split() == asked

    def test_a_session_with_other_settings_is_not_taken_up(self, files, capsys):
        folder, _ = files
        (folder / "program.py").write_text(
            "import json, sys\n"
            "for line in sys.stdin:\n"
            "    items = json.loads(line)['items']\n"
            "    print(json.dumps({'answers': {i: len(i) % 2 for i in items}}), flush=True)\n"
        )
        kept = folder / "new/session.json"
        given = words(folder, "--run", f"{sys.executable} {folder / 'program.py'}",
                      "--session", kept)  # fmt: skip
        assert run(capsys, *given)[0] == 0
        assert [path.name for path in kept.parent.iterdir()] == ["session.json"]
        for more, sentence in [
            (("--length", 40), "saved with --length 30, and here it is 40; give the same"),
            (("--batch", 5), "saved with --batch 10, and here it is 5"),
            (("--among", 2, "--seed", 3), "saved with --seed 0, and here it is 3"),
            (("--standard-error", 0.2), "saved with --standard-error 0.0, and here it is 0.2"),
        ]:
            code, _, errors = run(capsys, *given, *more)
            assert (code, sentence in errors) == (1, True)
        saved = kept.read_text()
        for change, sentence in [
            ({"floor": 0.3}, "saved with floor 0.3, and here it is 0.0"),
            ({"start": 1.0}, "saved with start 1.0, and here it is 0.0"),
            ({"prior": [0, 1, None, None]}, "saved with prior (0.0, 1.0, -inf, inf), and here"),
        ]:
            kept.write_text(json.dumps({**json.loads(saved), **change}))
            code, _, errors = run(capsys, *given)
            assert (code, sentence in errors) == (1, True)

    @pytest.mark.parametrize("content", [b"\xff\xfe", None])
    def test_a_session_that_is_no_text_is_said_to_be(self, files, capsys, content):
        path = files[0] / "session.json"
        path.mkdir() if content is None else path.write_bytes(content)
        code, _, errors = run(capsys, *words(files[0], "--run", "x", "--session", path))
        assert (code, "session.json: no saved session can be read there" in errors) == (1, True)

    def test_what_cannot_be_written_is_said(self, files, capsys):
        (files[0] / "file").write_text("")
        for option, what in [("--output", "the result"), ("--session", "the session")]:
            place = files[0] / "file/x.json"
            code, _, errors = run(capsys, *words(files[0], "--hold-out", "m7", option, place))
            assert (code, f"file/x.json: {what} cannot be written there" in errors) == (1, True)

    def test_a_model_of_which_nothing_could_be_evaluated_is_not_judged(self, files, capsys):
        (files[0] / "program.py").write_text(
            "import json, sys\n"
            "for line in sys.stdin:\n"
            "    items = json.loads(line)['items']\n"
            "    print(json.dumps({'answers': dict.fromkeys(items)}), flush=True)\n"
        )
        line = f"{sys.executable} {files[0] / 'program.py'}"
        code, text, errors = run(capsys, *words(files[0], "--run", line))
        assert (code, text) == (1, "")
        assert "none of 300 items could be evaluated" in errors

    def test_a_share_that_random_items_tell_better_is_not_told(self, files, capsys, monkeypatch):
        folder, _ = files
        true = command.tried
        monkeypatch.setattr(
            command, "tried", lambda *given: true(*given)._replace(random_error=0.0)
        )
        out = folder / "out.json"
        _, text, _ = run(capsys, *words(folder, "--hold-out", "m7", "--output", out))
        assert "the share right is not predicted: it would be missed by 0.0" in text
        assert json.loads(out.read_text())["share_right"] is None

    @pytest.mark.parametrize(
        ("more", "sentence"),
        [((), "--run is missing"), (("--hold-out", "x"), "--hold-out: no respondent 'x'"),
         (("--run", "x", "--through", "lm-eval"), "--task is missing"),
         (("--run", "no-such-tool", "--through", "inspect"), "cannot be started"),
         (("--length", 300), "length 300; the bank has 300 items: ask fewer, or all"),
         (("--run", "no-such-tool"), "cannot be started")],
    )  # fmt: skip
    def test_what_cannot_be_run_is_said(self, files, capsys, more, sentence):
        code, _, errors = run(capsys, *words(files[0], *more))
        assert (code, sentence in errors) == (1, True)


def test_the_example_of_the_documentation_is_what_comes_out(capsys):
    text = DOCUMENTATION.read_text()
    called, printed = re.search(r"```\n\$ saturation (adapt .*?)\n(.*?)```", text, re.S).groups()
    code, out, errors = run(capsys, *called.split())
    assert (code, errors) == (0, "")
    assert out.split() == printed.split()
