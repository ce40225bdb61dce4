"""The pinned files of boards, each in its own layout, as one long table."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from studies.boards import sources

QUESTION = "0123456789abcdef"


def judged(*rows):
    table = pd.DataFrame(rows, columns=["question_id", "score", "tstamp"])
    return table.assign(model="m", task="spatial")


def test_a_livebench_question_judged_again_is_a_second_run_by_time():
    long = sources.livebench(
        judged((QUESTION, 0.0, 20.0), (QUESTION, 1.0, 10.0), ("x" * 20, 0.5, 5.0))
    )
    answers = {(row.item, row.run): row.score for row in long.itertuples()}
    assert answers == {(QUESTION[:12], 1): 1.0, (QUESTION[:12], 2): 0.0, ("x" * 12, 1): 0.5}


def test_livebench_items_that_twelve_digits_do_not_tell_apart_are_refused():
    with pytest.raises(InputError, match="two answers for board livebench, model m, run 1"):
        sources.livebench(judged((QUESTION, 1.0, 1.0), (QUESTION[:12] + "zzzz", 1.0, 1.0)))


def epoch_rows(*rows):
    return pd.DataFrame(rows, columns=["benchmark", "model", "run_id", "sample_id", "score"])


def test_epoch_runs_are_numbered_as_they_come_and_hosts_dropped():
    long = sources.epoch(
        epoch_rows(
            ("GPQA diamond", "openai/o1", "b", "q1", 0.5),
            ("GPQA diamond", "openai/o1", "b", "q2", 1.0),
            ("GPQA diamond", "openai/o1", "a", "q1", 0.25),
            ("SWE-Bench verified", "openai/o1", "c", "q1", 1.0),
        )
    )
    assert list(long["board"]) == ["gpqa_diamond"] * 3 + ["swebench_epoch"]
    assert list(long["run"]) == [1, 1, 2, 1]
    assert set(long["model"]) == {"o1"}


def test_one_model_of_two_hosts_keeps_them_in_its_name():
    long = sources.epoch(
        epoch_rows(
            ("GPQA diamond", "a/m", "1", "q1", 0.5),
            ("GPQA diamond", "b/m", "2", "q1", 1.0),
            ("GPQA diamond", "b/n", "3", "q1", 1.0),
        )
    )
    assert list(long["model"]) == ["a/m", "b/m", "n"]


def test_an_epoch_benchmark_that_nobody_named_is_refused():
    with pytest.raises(InputError, match="no board is known for 'Chess'"):
        sources.epoch(epoch_rows(("Chess", "a/m", "1", "q1", 0.5)))


def archive(path, answers):
    with zipfile.ZipFile(path, "w") as stream:
        stream.writestr("x.json", json.dumps(answers))
    return path


def test_an_mmlu_pro_answer_without_an_option_is_wrong(tmp_path):
    answers = [
        {"question_id": 1, "category": "law", "pred": "A", "answer": "A"},
        {"question_id": 2, "category": "law", "pred": None, "answer": "A"},
        {"question_id": 3, "category": "math", "pred": "B", "answer": "A"},
    ]
    long = sources.mmlu_pro({"m": archive(tmp_path / "m.zip", answers)})
    assert list(long["score"]) == [1, 0, 0]
    assert list(long["item"]) == ["1", "2", "3"]
    assert list(long["task"]) == ["law", "law", "math"]


def test_a_bank_has_a_row_a_respondent():
    table = pd.DataFrame({"": ["r1", "r2"], "7": [1, 0], "8": [0, 0]})
    long = sources.bank(table, "nlu_x")
    scores = long.set_index(["model", "item"])["score"]
    assert scores.to_dict() == {("r1", "7"): 1, ("r1", "8"): 0, ("r2", "7"): 0, ("r2", "8"): 0}


def test_shares_of_counted_answers_are_exact_and_keep_their_number():
    table = pd.DataFrame(
        {"model": ["m", "m", "n"], "example_id": ["leetcode.1", "2", "2"], "count": [3, 3, 7],
         "pass1": [0.3333333333, 1.0, 0.2857142857]}
    )  # fmt: skip
    long = sources.sampled(table, "livecodebench")
    assert list(long["score"]) == [1 / 3, 1.0, 2 / 7]
    assert list(long["answers"]) == [3, 3, 7]
    assert list(long["task"]) == ["leetcode", "livecodebench", "livecodebench"]


def test_a_share_that_its_answers_do_not_give_is_refused():
    row = {"model": ["m"], "example_id": ["7"], "count": [10], "pass1": [0.25]}
    with pytest.raises(InputError, match=r"m, item 7: a share of 0\.25 is none of 10"):
        sources.sampled(pd.DataFrame(row), "gpqa")


@given(st.integers(1, sources.MOST_ANSWERS))
def test_the_fewest_answers_that_give_the_shares_are_found(m):
    assert sources.repetitions(pd.Series(np.arange(m + 1) / m)) == m
    assert sources.repetitions(pd.Series([0.0, 0.3141])) == 0


VERSIONS = pd.DataFrame(
    {
        "id": ["o3-2025-04-16_high", "o3-2025-04-16_low", "Llama-3.1-8B-Instruct", "x/gone", None],
        "Version release date": ["2025-04-17", "2025-04-16", "2024-07-23", None, "2020-01-01"],
    }
)


@pytest.mark.parametrize(
    ("name", "date"),
    [
        ("o3-2025-04-16", "2025-04-16"),
        ("openai/o3-2025-04-16_medium", "2025-04-16"),
        ("Meta-Llama-3.1-8B-Instruct", "2024-07-23"),
        ("llama-3.1-8b-instruct-maas", "2024-07-23"),
        ("llama-v3p1-8b-instruct", "2024-07-23"),
        ("Llama-3.1-8B-instruct (High)", "2024-07-23"),
        ("google_llama_3.1_8b_instruct", "2024-07-23"),
        ("20250625_SomeAgent_o3", "2025-06-25"),
        ("gone", None),
        ("never seen", None),
    ],
)
def test_release_dates_are_found_whatever_a_host_calls_the_model(name, date):
    (found,) = sources.release_dates(VERSIONS, pd.Series([name]))
    assert found == date or (date is None and pd.isna(found))


def test_evaluations_and_matrix_name_runs_alike():
    long = pd.DataFrame(
        {
            "board": "gpqa_diamond",
            "model": ["m", "m", "m"],
            "run": [1, 1, 2],
            "item": ["b", "a", "a"],
            "task": "t",
            "score": [1.0, 0.5, 0.0],
            "answers": [None, None, 7],
        }
    )
    table = sources.evaluations(long, VERSIONS)
    assert list(table["evaluation"]) == ["m", "m (run 2)"]
    assert list(table["items"]) == [2, 1]
    assert list(table["answers"]) == [2, 7]
    wide = sources.matrix(long)
    assert list(wide["item"]) == ["a", "b"]
    assert list(wide.columns) == ["item", "task", "m", "m (run 2)"]
    assert wide["m (run 2)"].isna().tolist() == [False, True]
