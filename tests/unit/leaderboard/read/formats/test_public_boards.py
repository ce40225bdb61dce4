"""Files of public boards, small and in their layout."""

import zipfile

import pandas as pd
import pytest

from saturation.leaderboard.read import registry
from saturation.leaderboard.read.rows import Choice, Origin

EPOCH = """model,task,sample_id,score,benchmark,run_id
h/a,X,q1,1.0,GPQA diamond,r1
h/a,X,q2,0.875,GPQA diamond,r1
h/a,X,q1,0.0,GPQA diamond,r2
h/b,X,q1,0.5,GPQA diamond,r3
h/a,Y,q1,1.0,OTIS,r4
"""
JUDGED = [
    # One question was judged again, and stands before the first judgment.
    ("q1", "math", "a", 0.0, 1, 1719792000.5, "m"),
    ("q1", "math", "a", 1.0, 1, 1717200000.0, "m"),
    ("q2", "typos", "a", 0.25, 1, 1717286400.0, "l"),
    ("q2", "typos", "b", 0.5, 1, 1717286400.0, "l"),
]
OUTPUTS = [
    {"question_id": 70, "category": "law", "answer": "I", "pred": "I", "question": "?"},
    {"question_id": 71, "category": "law", "answer": "A", "pred": None, "question": "?"},
    {"question_id": 72, "category": "math", "answer": "B", "pred": "C", "question": "?"},
]


def judgments(folder):
    names = ["question_id", "task", "model", "score", "turn", "tstamp", "category"]
    path = folder / "livebench.parquet"
    pd.DataFrame(JUDGED, columns=names).to_parquet(path)
    return path


def columns(found, *names):
    return found.responses[list(names)].astype({names[0]: str}).to_numpy().tolist()


class TestEpoch:
    def test_a_benchmark_of_its_runs(self, write, read, violation):
        path = write(EPOCH, "parsed.csv")
        assert "2 benchmarks ('GPQA diamond', 'OTIS')" in violation(path)
        assert registry.tasks(Origin(path), Choice()) == ["GPQA diamond", "OTIS"]
        found = read(path, Choice(task="GPQA diamond"))
        assert found.format == "epoch_runs"
        assert columns(found, "model", "item", "run", "response") == [
            ["h/a", "q1", "r1", 1.0], ["h/a", "q2", "r1", 0.875], ["h/a", "q1", "r2", 0.0],
            ["h/b", "q1", "r3", 0.5],
        ]  # fmt: skip
        assert (found.minimum, found.maximum, found.higher_is_better) == (0, 1, True)


class TestLivebench:
    def test_further_judgments_are_runs_in_the_order_of_time(self, tmp_path, read):
        found = read(judgments(tmp_path))
        assert found.format == "livebench_judgments"
        assert columns(found, "model", "item", "run", "date", "response") == [
            ["a", "q1", "2", "2024-07-01", 0.0], ["a", "q1", "1", "2024-06-02", 1.0],
            ["a", "q2", "1", "2024-06-02", 0.25], ["b", "q2", "1", "2024-06-02", 0.5],
        ]  # fmt: skip
        assert found.notes == ["1 further judgments of a question count as repeated runs"]

    def test_a_task_alone(self, tmp_path, read, violation):
        path = judgments(tmp_path)
        found = read(path, Choice(task="typos"))
        assert columns(found, "model", "response") == [["a", 0.25], ["b", 0.5]]
        assert found.notes == []
        assert "no task 'sums'; the file has: 'math', 'typos'" in violation(
            path, Choice(task="sums")
        )
        assert registry.tasks(Origin(path), Choice()) == ["math", "typos"]


class TestMmluPro:
    @pytest.mark.parametrize("packed", [False, True])
    def test_outputs_of_the_model_in_the_file_s_name(self, write, read, tmp_path, packed):
        path = write(OUTPUTS, "model_outputs_Some-3_1-70B_5shots.json")
        if packed:
            with zipfile.ZipFile(tmp_path / "model_outputs_Some-3_1-70B_5shots.zip", "w") as packed:
                packed.write(path, "x/y.json")
            path = tmp_path / "model_outputs_Some-3_1-70B_5shots.zip"
        found = read(path)
        assert found.format == "mmlu_pro_outputs"
        assert [(row.model, row.item, row.response) for row in found.responses] == [
            ("Some-3_1-70B", "70", 1.0), ("Some-3_1-70B", "71", 0.0), ("Some-3_1-70B", "72", 0.0)
        ]  # fmt: skip
        assert found.notes == ["1 answers name no option and count as wrong"]

    def test_a_category_and_a_file_of_another_name(self, write, read, violation):
        path = write(OUTPUTS, "outputs.json")
        assert "'model'" in violation(path)
        found = read(path, Choice(task="math"), model="m")
        assert [row.item for row in found.responses] == ["72"]
        assert "no categories 'art'" in violation(path, Choice(task="art"), model="m")
        assert registry.tasks(Origin(path, model="m"), Choice()) == ["law", "math"]
