"""Who evaluates, and answers and banks out of files in the importers' formats."""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.leaderboard.read.rows import Choice
from saturation.live import evaluators
from saturation.live.evaluators import answers, bank, choice_of

FIXTURES = Path(__file__).parents[2] / "fixtures/adapt"
PLAYED = f"{sys.executable} {FIXTURES / 'played.py'}"
TOY = Choice(task="toy")


def program(tmp_path, body):
    """A program that does `body` with each line."""
    path = tmp_path / "program.py"
    path.write_text(f"import json, sys\nfor line in sys.stdin:\n    {body}\n")
    return f"{sys.executable} {path}"


def recorded(name):
    """What the recorded logs say, read plainly."""
    if name == "samples.jsonl":
        rows = map(json.loads, (FIXTURES / name).read_text().splitlines())
        return {f"toy/{row['doc_id']}": int(row["acc"]) for row in rows}
    samples = json.loads((FIXTURES / name).read_text())["samples"]
    return {each["id"]: int(each["scores"]["match"]["value"] == "C") for each in samples}


class TestProgram:
    def test_one_line_a_batch_and_one_line_back(self, tmp_path):
        body = (
            "print(json.dumps({'answers': {item: int(item == 'a') for item in "
            "json.loads(line)['items']}}), flush=True)"
        )
        with evaluators.program(program(tmp_path, body)) as evaluate:
            assert evaluate(["a", "b"]) == {"a": 1, "b": 0}
            assert evaluate(["c"]) == {"c": 0}

    @pytest.mark.parametrize(
        ("body", "sentence"),
        [("sys.exit(3)", r"ended \(code 3\) without an answer to 1 items"),
         ("print('what?', flush=True)", "wrote 'what\\?'; expected one line such as"),
         ("print('{\"answers\": [1]}', flush=True)", "expected one line such as"),
         ("print('{}', flush=True)", "expected one line such as")],
    )  # fmt: skip
    def test_what_is_no_answer_is_said(self, tmp_path, body, sentence):
        with (
            pytest.raises(InputError, match=sentence),
            evaluators.program(program(tmp_path, body)) as evaluate,
        ):
            evaluate(["a"])

    @pytest.mark.parametrize("command", ["no-such-program", "", "'"])
    def test_a_program_that_cannot_be_started(self, command):
        with (
            pytest.raises(InputError, match="cannot be started"),
            evaluators.program(command),
        ):
            pass

    def test_a_program_that_has_ended_before_it_is_asked(self, tmp_path):
        path = tmp_path / "ends.py"
        path.write_text("")
        with evaluators.program(f"{sys.executable} {path}") as evaluate:
            for _ in range(2):
                with pytest.raises(InputError, match="ended"):
                    evaluate(["a"] * 100_000)

    def test_a_program_that_goes_on_is_ended(self, tmp_path, monkeypatch):
        monkeypatch.setattr(evaluators, "_PATIENCE", 0.2)
        path = tmp_path / "stays.py"
        path.write_text("import time\ntime.sleep(60)\n")
        with evaluators.program(f"{sys.executable} {path}"):
            pass


class TestTools:
    @pytest.mark.parametrize(("prefix"), ["toy/", ""])
    def test_the_harness_is_asked_for_documents_and_read_back(self, prefix):
        evaluate = evaluators.harness(f"{PLAYED} lm_eval", TOY)
        truth = recorded("samples.jsonl")
        for asked in ([2, 7, 11], [0]):
            found = evaluate([f"{prefix}{number}" for number in asked])
            assert found == {f"{prefix}{number}": truth[f"toy/{number}"] for number in asked}
        assert set(truth.values()) == {0, 1}

    def test_inspect_is_asked_for_samples_and_read_back(self):
        evaluate = evaluators.inspect(f"{PLAYED} inspect", Choice())
        truth = recorded("log.json")
        assert evaluate(["q3", "q1"]) == {"q3": truth["q3"], "q1": truth["q1"]}
        # The task's solver is right where the number is divisible by three.
        assert [truth[f"q{number}"] for number in range(6)] == [1, 0, 0, 1, 0, 0]

    def test_what_a_tool_cannot_do_is_said(self):
        with pytest.raises(InputError, match="--task is missing"):
            evaluators.harness("x", Choice())
        with pytest.raises(InputError, match="item 'first': lm-evaluation-harness numbers"):
            evaluators.harness(f"{PLAYED} lm_eval", TOY)(["first"])
        with pytest.raises(InputError, match="item 'a,b': Inspect takes identifiers"):
            evaluators.inspect(f"{PLAYED} inspect", Choice())(["a,b"])
        with pytest.raises(InputError, match=r"failed \(code 1\); it said:\nno such model"):
            evaluators.inspect(f"{PLAYED} fail", Choice())(["q1"])
        with pytest.raises(InputError, match="ended without a log"):
            evaluators.inspect(f"{PLAYED} nothing", Choice())(["q1"])
        with pytest.raises(InputError, match="'no-such-tool' cannot be started"):
            evaluators.inspect("no-such-tool", Choice())(["q1"])


@pytest.mark.heavy
class TestRealTools:
    """The tools themselves, where SATURATION_TOOLS names the folder of their programs."""

    @pytest.fixture
    def programs(self, tmp_path, monkeypatch):
        folder = Path(os.environ.get("SATURATION_TOOLS", "none"))
        if not (folder / "lm_eval").is_file() or not (folder / "inspect").is_file():
            pytest.skip("SATURATION_TOOLS names no folder with lm_eval and inspect")
        for name in ("toy_inspect.py", "toy.jsonl"):
            shutil.copy(FIXTURES / name, tmp_path)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        monkeypatch.setenv("HF_HOME", str(tmp_path))
        return folder

    def test_both_answer_as_recorded(self, programs, tmp_path):
        sys.path.insert(0, str(FIXTURES))
        try:
            import record
        finally:
            sys.path.remove(str(FIXTURES))
        harness = evaluators.harness(record.harness(programs, record.task_folder(tmp_path)), TOY)
        truth = recorded("samples.jsonl")
        asked = ["toy/2", "toy/7", "toy/11"]
        assert harness(asked) == {item: truth[item] for item in asked}
        inspect = evaluators.inspect(record.inspect(programs), Choice())
        truth = recorded("log.json")
        assert inspect(["q3", "q1"]) == {"q3": truth["q3"], "q1": truth["q1"]}


def test_answers_of_a_table_and_of_a_log_by_model_and_item(tmp_path):
    (tmp_path / "t.csv").write_text("model,item,response\na,q1,1\na,q2,0\nb,q1,1\n")
    assert answers([tmp_path / "t.csv"], None, Choice()) == {
        "a": {"q1": 1, "q2": 0},
        "b": {"q1": 1},
    }
    line = {"doc_id": 3, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": 1.0}
    (tmp_path / "s.jsonl").write_text(json.dumps(line) + "\n")
    found = answers([tmp_path / "s.jsonl"], "mine", Choice(task="t"))
    assert list(found) == ["mine"]
    assert list(found["mine"].values()) == [1]


@pytest.mark.parametrize("given", [None, [("model", "A"), ("item", "B"), ("response", "C")]])
def test_columns_of_one_s_own_are_chosen_like_task_metric_and_filter(tmp_path, given):
    options = argparse.Namespace(task=None, metric=None, filter=None, columns=given)
    head = "A,B,C" if given else "model,item,response"
    (tmp_path / "t.csv").write_text(f"{head}\na,q1,1\n")
    assert answers([tmp_path / "t.csv"], None, choice_of(options)) == {"a": {"q1": 1}}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("model,item,response\na,q1,0.5\n", "t.csv, row 2: item 'q1' has the answer '0.5'; exp"),
     ("model,item,response\na,q1,1\na,q1,1\n", "row 3: item 'q1' of model 'a' stands a second"),
     ("model,score,n_items\na,0.5,10\n", "no answers to single items")],
)  # fmt: skip
def test_what_is_no_answer_is_named(tmp_path, content, sentence):
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(InputError, match=sentence):
        answers([tmp_path / "t.csv"], None, Choice())


def wide(tmp_path, rows=6):
    table = pd.DataFrame({"model": [f"m{row}" for row in range(rows)], "q1": 1, "q2": 0, "q3": 1})
    table.loc[0, "q3"] = None
    table.to_csv(tmp_path / "bank.csv", index=False)
    return [str(tmp_path / "bank.csv")]


def test_a_bank_of_files_has_gaps_and_each_model_is_its_own_family(tmp_path):
    name, given, families = bank(wide(tmp_path), None, Choice())
    assert (name, given.items, families) == ("bank", ["q1", "q2", "q3"], given.respondents)
    assert given.responses[0].tolist() == [1, 0, -1]
    people = pd.DataFrame(
        {"respondent": given.respondents, "model": "m", "family": list("aabbcc"), "checkpoint": 1}
    )
    people.to_csv(tmp_path / "people.csv", index=False)
    people.to_csv(tmp_path / "semicolons.csv", index=False, sep=";", encoding="utf-8-sig")
    people.to_parquet(tmp_path / "people.parquet")
    for name in ("people.csv", "semicolons.csv", "people.parquet"):
        assert bank(wide(tmp_path), tmp_path / name, Choice())[2] == list("aabbcc")
    people.assign(family=[*"aabbc", None]).to_csv(tmp_path / "people.csv", index=False)
    with pytest.raises(InputError, match=r"people.csv, row 7, column 'family': the value is miss"):
        bank(wide(tmp_path), tmp_path / "people.csv", Choice())
    people.drop(columns="family").to_csv(tmp_path / "people.csv", index=False)
    with pytest.raises(InputError, match=r"people.csv: column 'family' is missing"):
        bank(wide(tmp_path), tmp_path / "people.csv", Choice())


def test_a_bank_that_is_none(tmp_path):
    name, given, families = bank(["nlu_commonsenseqa"], None, Choice())
    assert (name, given.responses.shape, len(set(families))) == (
        "nlu_commonsenseqa",
        (90, 611),
        8,
    )
    with pytest.raises(InputError, match=r"none\.csv: the file does not exist"):
        bank(["none.csv"], None, Choice())
    with pytest.raises(InputError, match="no bank 'none'"):
        bank(["none"], None, Choice())
    with pytest.raises(InputError, match="4 respondents; at least 5"):
        bank(wide(tmp_path, 4), None, Choice())
