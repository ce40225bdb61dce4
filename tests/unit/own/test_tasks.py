"""One entry of the config, a card for each task of its files."""

import json

import pytest

from saturation.errors import InputError
from saturation.own.imports import each, read

DECLARED = {"family": "accuracy", "each_task": True, "files": ["x*.json"], "metric": "acc"}


@pytest.fixture
def results(tmp_path):
    """Write a results file of a model with these tasks."""

    def write(model, *tasks):
        path = tmp_path / f"{model}.json"
        entries = {task: {"acc": 0.5, "acc_norm": 0.6} for task in tasks}
        config = {"model_args": f"pretrained={model}"}
        path.write_text(json.dumps({"results": entries, "config": config}))
        return {"path": str(path)}

    return write


def test_eighty_seven_tasks_are_one_entry(results):
    tasks = [f"task {i:02d}" for i in range(87)]
    files = [results(f"m{i}", *tasks) for i in range(3)]
    entries = each("mine", files, DECLARED)
    assert list(entries) == [f"mine-task-{i:02d}" for i in range(87)]
    entry = entries["mine-task-05"]
    assert entry == {"family": "accuracy", "metric": "acc", "task": "task 05", "files": files}
    imported = read("x", entry["files"], entry | {"n_items": 10})
    assert imported.scores["score"].tolist() == [0.5] * 3


def test_a_task_has_the_files_that_hold_it_and_what_they_say(results):
    both, one = results("a", "t", "u"), results("b", "u") | {"configuration": "terse"}
    entries = each("mine", [both, one], DECLARED)
    assert entries["mine-t"]["files"] == [both]
    assert entries["mine-u"]["files"] == [both, one]


def test_tasks_of_one_name_are_refused(results):
    with pytest.raises(InputError, match=r"'a b' and 'a-b' would both be called 'mine-a-b'"):
        each("mine", [results("m", "a b", "a-b")], DECLARED)
    with pytest.raises(InputError, match="would both be called"):
        each("mine", [results("m", "A"), results("n", "a")], DECLARED)


def test_a_file_without_tasks_is_refused(tmp_path):
    (tmp_path / "x.csv").write_text("model,item,response\na,q,1\n")
    with pytest.raises(InputError, match=r"holds no tasks .* 'each_task' of own.benchmarks.mine"):
        each("mine", [{"path": str(tmp_path / "x.csv")}], DECLARED)
