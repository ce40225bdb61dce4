"""Who evaluates, and answers and banks out of files in the importers' formats."""

import argparse
import asyncio
import gc
import importlib
import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive.session import Choice as Batches
from saturation.adaptive.session import Session, Stop
from saturation.errors import InputError
from saturation.leaderboard.read.rows import Choice
from saturation.live import evaluators
from saturation.live.evaluators import answers, bank, choice_of
from saturation.live.run import adapt

FIXTURES = Path(__file__).parents[2] / "fixtures/adapt"
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

    def test_a_program_that_writes_nonsense_and_goes_on_is_killed_at_once(self, tmp_path):
        path = tmp_path / "stays.py"
        path.write_text("import time\nprint('nonsense', flush=True)\ntime.sleep(60)\n")
        started = time.monotonic()
        with (
            pytest.raises(InputError, match="nonsense"),
            evaluators.program(f"{sys.executable} {path}") as evaluate,
        ):
            evaluate(["a"])
        assert time.monotonic() - started < 30

    def test_a_program_that_goes_on_is_ended(self, tmp_path, monkeypatch):
        monkeypatch.setattr(evaluators, "_PATIENCE", 0.2)
        path = tmp_path / "stays.py"
        path.write_text("import time\ntime.sleep(60)\n")
        with evaluators.program(f"{sys.executable} {path}"):
            pass


def live_session(items, length=6):
    """A session of items with different difficulties, three a batch."""
    table = pd.DataFrame(
        {"item": items, "discrimination": 1.0, "difficulty": np.linspace(-2, 2, len(items))}
    )
    return Session(table, stop=Stop(length=length), choice=Batches(batch=3))


def lm_eval_of(recording):
    """The parts of lm-evaluation-harness that are called, played from its recorded samples."""
    lines = [json.loads(line) for line in (FIXTURES / recording).read_text().splitlines()]
    made = []

    def simple_evaluate(model, tasks, samples, task_manager, bootstrap_iters, log_samples, limit=0):
        kept = {task: [line for line in lines if line["doc_id"] in samples[task]] for task in tasks}
        return {"samples": kept}

    def create_from_arg_string(arguments, how):
        made.append((arguments, how["batch_size"]))

    model = SimpleNamespace(create_from_arg_string=create_from_arg_string)
    return made, {
        "lm_eval": SimpleNamespace(simple_evaluate=simple_evaluate),
        "lm_eval.tasks": SimpleNamespace(TaskManager=lambda include_path: None),
        "lm_eval.api.registry": SimpleNamespace(get_model=lambda _: model),
    }


class Inspect(SimpleNamespace):
    """The parts of Inspect that are called: samples run in batches, `fail` them or `score` them."""

    def __init__(self, score, fail=()):
        super().__init__(SampleSource=self, score=score, fail=fail, task_with=self.changed)
        self.batches = []

    def from_samples(self, first, **calls):
        assert first == []
        return SimpleNamespace(**calls)

    def changed(self, task, dataset, epochs):
        assert epochs == 1
        task.dataset = dataset
        return task

    def list_tasks(self, file, root_dir):
        return [SimpleNamespace(name=name) for name in ("toy", "other")]

    def eval(self, task, **settings):
        self.settings = settings

        async def run():
            while batch := await task.dataset.next_samples():
                self.batches.append([str(sample.id) for sample in batch])
                for sample in batch:
                    if sample.id in self.fail:
                        await task.dataset.sample_abandoned(sample, 1)
                        continue
                    scored = {"match": SimpleNamespace(value=self.score(sample.id))}
                    done = SimpleNamespace(id=sample.id, scores=scored)
                    await task.dataset.sample_complete(done)

        asyncio.run(run())
        return [SimpleNamespace(status="success")]


def dataset(items):
    return SimpleNamespace(dataset=[SimpleNamespace(id=item) for item in items])


class TestTools:
    """The tools by the shape of what is called, in place of the packages."""

    @pytest.mark.parametrize("prefix", ["toy/", ""])
    def test_the_harness_is_asked_for_documents_and_loads_its_model_once(self, prefix, monkeypatch):
        made, modules = lm_eval_of("samples.jsonl")
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        command = "lm_eval run --model fixed --model_args a=1,b=2 --batch_size 4 --limit 3"
        evaluate = evaluators.harness(command, TOY)
        truth = recorded("samples.jsonl")
        for asked in ([2, 7, 11], [0]):
            found = evaluate([f"{prefix}{number}" for number in asked])
            assert found == {f"{prefix}{number}": truth[f"toy/{number}"] for number in asked}
        assert set(truth.values()) == {0, 1}
        assert made == [("a=1,b=2", 4)]
        for wrong, choice in (("first", TOY), ("3", Choice())):
            with pytest.raises(InputError, match=f"item '{wrong}': lm-evaluation-harness numbers"):
                evaluators.harness(command, choice)([wrong])
        with pytest.raises(InputError, match="no 'colour'"):
            evaluators.harness("lm_eval run --colour red", TOY)

    def test_inspect_asks_a_session_in_one_process(self, monkeypatch):
        items = [f"q{number}" for number in range(12)]
        tool = Inspect(score=lambda item: "CI"[int(item[1:]) % 2], fail=("q5",))
        monkeypatch.setitem(sys.modules, "inspect_ai", tool)
        session, lengths = live_session(items), []
        task = evaluators.adaptive_task(
            dataset(items), session, after=lambda now: lengths.append(len(now.answers))
        )
        tool.eval(task)
        # The one that failed is left out and replaced.
        truth = {item: None if item == "q5" else 1 - int(item[1:]) % 2 for item in items}
        alone = adapt(live_session(items), lambda asked: {item: truth[item] for item in asked})
        assert session.answers == alone.answers
        assert (session.stopped, session.answers["q5"]) == ("length", None)
        assert lengths == [0, 3, 6, 7]
        assert [len(batch) for batch in tool.batches] == [3, 3, 1]

    def test_samples_without_a_name_are_numbered_and_lacking_ones_named(self, monkeypatch):
        tool = Inspect(score=lambda item: True)
        monkeypatch.setitem(sys.modules, "inspect_ai", tool)
        session = live_session(["1", "2", "3"], 3)
        tool.eval(evaluators.adaptive_task(dataset([None] * 3), session))
        assert session.answers == {"1": 1, "2": 1, "3": 1}
        with pytest.raises(InputError, match=r"1 of the bank's 3 items are no samples .* '3'"):
            evaluators.adaptive_task(dataset("12"), live_session(["1", "2", "3"]))

    def test_the_command_names_task_and_settings(self, monkeypatch, tmp_path):
        (tmp_path / "beside.py").write_text("ITEMS = ['a', 'b', 'c']\n")
        (tmp_path / "tasks.py").write_text(
            "from types import SimpleNamespace as S\nfrom beside import ITEMS\n"
            "def toy(add=''):\n    return S(dataset=[S(id=i + add) for i in ITEMS])\n"
        )
        monkeypatch.setattr(sys, "path", list(sys.path))
        tool = Inspect(score=lambda item: item < "b")
        monkeypatch.setitem(sys.modules, "inspect_ai", tool)
        session = live_session(["a1x", "b1x", "c1x"], 3)
        command = f"inspect eval {tmp_path}/tasks.py@toy -T add=1x --model a/b -M n=2 --log-dir=l"
        evaluators.inspect(command, Choice())(session, lambda _: None)
        assert session.answers == {"a1x": 1, "b1x": 0, "c1x": 0}
        expected = {"model": "a/b", "model_args": {"n": 2}, "log_dir": "l", "display": "none"}
        assert tool.settings == expected
        # The only task of a file needs no name.
        alone = live_session(["a", "b", "c"], 3)
        with monkeypatch.context() as one:
            one.setattr(tool, "list_tasks", lambda *_, **__: [SimpleNamespace(name="toy")])
            evaluators.inspect(f"inspect eval {tmp_path}/tasks.py", Choice())(alone, lambda _: None)
        assert alone.answers == {"a": 1, "b": 0, "c": 0}
        for name in ("tasks.py", "tasks.py@none", "none/toy"):
            with pytest.raises(InputError, match=f"'{tmp_path}/{name}' is not the name of one"):
                evaluators.inspect(f"inspect eval {tmp_path}/{name}", Choice())

    def test_what_cannot_be_run_is_said(self, monkeypatch):
        for command in ("x", "inspect score x", "lm_evals"):
            with pytest.raises(InputError, match="run in this process"):
                evaluators.inspect(command, Choice())
            with pytest.raises(InputError, match="run in this process"):
                evaluators.harness(command, TOY)
        with pytest.raises(InputError, match="0 tasks; name one"):
            evaluators.inspect("inspect eval --model x", Choice())
        for name, call in (
            ("inspect_ai", lambda: evaluators.adaptive_task(dataset("a"), live_session(["a"]))),
            ("lm_eval", lambda: evaluators.harness("lm_eval run", TOY)),
        ):
            monkeypatch.setitem(sys.modules, name, None)
            with pytest.raises(InputError, match=f"pip install '{name}>="):
                call()
            monkeypatch.setitem(sys.modules, name, SimpleNamespace())
            with pytest.raises(InputError, match=rf"too old .* --upgrade '{name}>="):
                call()


@pytest.mark.filterwarnings("ignore")
class TestRealTools:
    """The packages themselves, where they are installed."""

    @pytest.fixture
    def place(self, tmp_path, monkeypatch):
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        monkeypatch.setenv("HF_HOME", str(tmp_path))
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "path", list(sys.path))
        yield tmp_path
        # What the tools leave open is noticed here and not in another test.
        gc.collect()

    def test_the_harness_answers_as_recorded(self, place, monkeypatch):
        pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed")
        monkeypatch.syspath_prepend(FIXTURES)
        importlib.import_module("fixed_model")
        text = (FIXTURES / "toy.yaml").read_text()
        for task in ("toy", "twin"):
            data = f"dataset_kwargs:\n  data_files: {{test: {FIXTURES / 'toy.jsonl'}}}\n"
            (place / f"{task}.yaml").write_text(text.replace("task: toy", f"task: {task}") + data)
        evaluate = evaluators.harness(f"lm_eval run --model fixed --include_path {place}", TOY)
        truth = recorded("samples.jsonl")
        for asked in ([2, 7], [11]):
            expected = {f"{task}/{number}": truth[f"toy/{number}"] for number in asked
                        for task in ("toy", "twin")}  # fmt: skip
            assert evaluate([*expected]) == expected

    def test_inspect_answers_as_recorded(self, place):
        pytest.importorskip("inspect_ai", reason="Inspect is not installed")
        truth = recorded("log.json")
        session = live_session([*truth])
        command = f"inspect eval {FIXTURES / 'toy_inspect.py'}@toy --model mockllm/model"
        evaluators.inspect(command, Choice())(session, lambda _: None)
        expected = adapt(
            live_session([*truth]), lambda items: {item: truth[item] for item in items}
        )
        assert session.answers == expected.answers
        # The task's solver is right where the number is divisible by three.
        assert [truth[f"q{number}"] for number in range(6)] == [1, 0, 0, 1, 0, 0]


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
