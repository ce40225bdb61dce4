"""Plain tables: scores, item responses and counts of attempts."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from saturation.leaderboard.read import open as files
from saturation.leaderboard.read import registry, tidy
from saturation.leaderboard.read.formats.plain import pass_at_k
from saturation.leaderboard.read.rows import Choice, Origin

PAIRS = [(model, item) for model in range(3) for item in range(12)]


def test_errors_deviations_and_intervals_become_errors(write, read):
    text = ("model,score,standard_error,standard_deviation,n_items,lower,upper\n"
            "a,0.8,0.02,0.3,900,0.7,0.9\nb,0.8,,0.3,900,0.7,0.9\nc,0.8,,,,0.78,0.82\n"
            "d,0.8,,,10,0.7,\n")  # fmt: skip
    path = write(text, "x.csv")
    for choice, quantile in ((Choice(), 1.959964), (Choice(interval_level=0.9), 1.644854)):
        errors = [score.standard_error for score in read(path, choice).scores]
        assert errors == pytest.approx([0.02, 0.01, 0.02 / quantile, None])


def test_a_row_says_more_than_the_config(write, read):
    text = (
        "model,score,metric,task,run,configuration,date\na,0.9,acc,t,1,c,2025-01-02\nb,0.8,,t,,,\n"
    )
    known = {"configuration": "prompt", "date": "2026-03-04"}
    a, b = read(write(text, "x.csv"), Choice(metric="f1"), **known).scores
    names = ("metric", "task", "run", "configuration", "date")
    assert [getattr(a, name) for name in names] == ["acc", "t", "1", "c", "2025-01-02"]
    assert [getattr(b, name) for name in names] == ["f1", "t", "", "prompt", "2026-03-04"]
    assert (a.row, b.row) == (2, 3)
    (plain,) = read(write("model,score\na,0.9\n", "y.csv")).scores
    assert plain.metric == "score"


def test_of_several_tasks_the_chosen_one_is_read(write, read, violation):
    path = write("model,score,task\na,0.9,t\na,0.5,u\n", "x.csv")
    assert [score.score for score in read(path, Choice(task="u")).scores] == [0.5]
    assert "2 tasks ('t', 'u'); choose one with the key 'task'" in violation(path)
    untold = write("model,score\na,0.9\n", "y.csv")
    assert len(read(untold, Choice(task="u")).scores) == 1


def test_spaces_around_columns_and_names_that_look_like_other_things(write, read):
    scores = read(write("model , score\n007,0.9\nNA,0.8\n", "x.csv")).scores
    assert [(score.model, score.score) for score in scores] == [("007", 0.9), ("NA", 0.8)]


def test_parquet_is_recognised_whatever_its_name(tmp_path, read, violation):
    pd.DataFrame({"model": ["a"], "score": [0.5]}).to_parquet(tmp_path / "table")
    imported = read(tmp_path / "table")
    assert (imported.format, imported.scores[0].score) == ("table", 0.5)
    (tmp_path / "cut").write_bytes((tmp_path / "table").read_bytes()[:300])
    assert "compare it with a file that the tool itself has written" in violation(tmp_path / "cut")


def test_parquet_of_more_cells_than_its_bytes_is_refused_unread(tmp_path, violation):
    zeros = pa.array(np.zeros(1 + files.MOST_CELLS // 3, np.int8))
    parquet.write_table(pa.table(dict.fromkeys("abc", zeros)), tmp_path / "bomb.parquet")
    assert (tmp_path / "bomb.parquet").stat().st_size < 2**18
    assert "cells; allowed: 50,000,000" in violation(tmp_path / "bomb.parquet")


def test_answers_to_items_are_refused_with_the_columns_that_they_need(write, violation, read):
    rows = [
        f"m{model},q{item},0.{model}{item},1,{item % 2}" for model in range(5) for item in range(10)
    ]
    repeated = "m0,q0,0.99,2,1"
    path = write("\n".join(["model,question,pause,trial,score", *rows, repeated]), "board.csv")
    said = violation(path).splitlines()[-1]
    asked = "model=model, item=question, run=trial, response=score"
    assert said.endswith(f"with the key 'columns': {asked}")
    columns = dict(pair.split("=") for pair in asked.split(", "))
    assert read(path, Choice(columns=columns)).format == "long_responses"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("model,q1,q2\na,1,0\nb,1,1\n", "wide_responses"),
        ("item,a,b\nq1,1,1\nq2,0,1\n", "wide_responses"),
        ("model,item,response\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n", "long_responses"),
        ("model,item,Score\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n", "long_responses"),
    ],
)
def test_response_matrices_in_every_layout(write, read, text, name):
    imported = read(write(text, "x.csv"))
    table = tidy.responses("x", [("f", imported)], tidy.Unit(0, 1, higher_is_better=True))
    assert table.groupby("model")["response"].mean().to_dict() == {"a": 0.5, "b": 1.0}
    assert imported.format == name


def test_an_empty_cell_of_a_matrix_is_an_item_that_was_not_answered(write, read):
    imported = read(write("model,q1,q2\na,1,\nb,1,1\n", "x.csv"))
    rows = imported.responses[["model", "item", "row"]].to_numpy().tolist()
    assert rows == [["a", "q1", 2], ["b", "q1", 3], ["b", "q2", 3]]
    assert imported.notes == ["1 cells without a grade: items that a model did not answer"]
    assert read(write("model,q1,q2\na,1,0\n", "x.csv")).notes == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("1", "0"), ("True", "false"), ("correct", "Incorrect"), ("PASS", "FAIL"), ("right", "wrong")],
)
@pytest.mark.parametrize("column", ["correct", "result", "response"])
def test_answers_in_words_are_right_or_wrong(write, read, column, right, wrong):
    lines = [f"{model},{item},{right if model < item else wrong}" for model, item in PAIRS]
    content = read(write("\n".join([f"model,item,{column}", *lines]), "x.csv"))
    assert content.responses["response"].tolist() == [float(model < item) for model, item in PAIRS]


def test_yes_and_no_may_be_options_and_are_not_taken_for_right(write, read):
    content = read(write("model,item,response\na,q1,yes\na,q2,no\n", "x.csv"))
    assert content.responses["response"].tolist() == ["yes", "no"]


def test_a_response_says_its_cluster_run_and_configuration(write, read):
    text = "model,item,response,cluster,run,configuration\na,q,1,c,2,terse\na,r,1,,,\n"
    first, second = read(write(text, "x.csv"), configuration="plain").responses.itertuples()
    assert (first.cluster, first.run, first.configuration, first.row) == ("c", "2", "terse", 2)
    assert (second.cluster, second.run, second.configuration) == ("", "", "plain")


def test_a_table_of_several_tasks_is_chosen_from(write, read, violation):
    path = write("model,item,response,task\na,p,1,x\na,p,0,y\nb,p,1,x\n", "long.csv")
    assert "2 tasks ('x', 'y')" in violation(path)
    found = read(path, Choice(task="x"))
    assert found.responses["response"].tolist() == [1, 1]
    assert found.responses["row"].tolist() == [2, 4]
    assert registry.tasks(Origin(path), Choice()) == ["x", "y"]


def test_rows_without_a_task_are_left_out_and_said(write, read):
    found = read(write("model,item,response,task\na,p,1,x\na,p,0,\n", "long.csv"))
    assert found.responses["response"].tolist() == [1]
    assert found.notes == ["1 rows without a task are left out"]
    found = read(write("model,item,response,task\na,p,1,\na,q,0,\n", "long.csv"))
    assert found.responses["response"].tolist() == [1, 0]
    assert found.notes == []


def test_a_header_longer_than_any_cell_is_read(write, read):
    """At the marks that do not separate its cells, it is one cell."""
    items = [str(item) * 20_000 for item in range(10)]
    assert len(read(write(f"model,{','.join(items)}\na{',1' * 10}\n", "x.csv")).responses) == 10


def test_attempts_become_pass_at_k(write, read, violation):
    path = write("model,item,attempts,correct\na,q1,5,1\na,q2,5,0\na,q3,2,2\n", "x.csv")
    imported = read(path, Choice(pass_k=2))
    assert imported.responses["response"].tolist() == pytest.approx([0.4, 0, 1])
    assert (imported.minimum, imported.maximum, imported.higher_is_better) == (0, 1, True)
    assert "give the k of pass@k" in violation(path)
    assert "row 2: 1 of 5 attempts; allowed: at least 6" in violation(path, Choice(pass_k=6))


@pytest.mark.parametrize(
    ("counts", "row"),
    [("1,1", 3), ("2,3", 3), ("2,-1", 3), ("2,", 3), (",1", 3), ("2.5,1", 3), ("3,1.5", 3)],
)
def test_counts_that_cannot_be_are_named(write, violation, counts, row):
    path = write(f"model,item,attempts,correct\na,q1,2,2\na,q2,{counts}\n", "x.csv")
    (sentence,) = violation(path, Choice(pass_k=2)).splitlines()
    assert f"row {row}: " in sentence
    assert "allowed: at least 2 attempts (pass_k), at most as many correct" in sentence


def test_pass_at_k_counts_subsets():
    assert pass_at_k([5, 5, 5, 5], [0, 1, 4, 5], 2) == pytest.approx([0, 0.4, 1, 1])
    assert pass_at_k(10_000, 1, 100) == pytest.approx(0.01)
    assert pass_at_k(9, 3, 4) == pytest.approx(1 - math.comb(6, 4) / math.comb(9, 4), abs=1e-12)


@given(st.integers(1, 40), st.data())
def test_pass_at_1_is_the_share_and_pass_at_k_rises_with_k(n, data):
    c = data.draw(st.integers(0, n))
    values = [float(pass_at_k(n, c, k)) for k in range(1, n + 1)]
    assert values[0] == pytest.approx(c / n)
    assert (np.diff(values) >= -1e-12).all()


def test_dates_of_items_are_read_and_a_wrong_one_is_named(write, read, violation):
    found = read(write("item,date\nq1,2024-05-01\nq2,2024-06-30T10:00:00\n", "dates.csv"))
    assert found.item_dates == {"q1": "2024-05-01", "q2": "2024-06-30"}
    assert found.format == "item_dates"
    for row, part in (("q2,30.06.2024", "'30.06.2024'"), ("q1,2024-06-30", "twice")):
        said = violation(write(f"item,date\nq1,2024-05-01\n{row}\n", "wrong.csv"))
        assert "row 3" in said
        assert part in said


def test_scores_of_raters_are_averaged_and_their_part_is_said(write, read):
    rows = [
        f"m{model},q{item},r{rater},{(model + 2 * item + 3 * rater * item) % 7 / 6:.3f}"
        for model in range(3)
        for item in range(6)
        for rater in range(3)
    ]
    text = "\n".join(["model,item,rater,response", *rows])
    found = read(write(text, "rated.csv"))
    assert set(found.responses["run"]) == {"rater r0", "rater r1", "rater r2"}
    assert "3 raters" in found.notes[0]
    assert "raters resampled" in found.notes[0]
    two = "\n".join(["model,item,rater,response", *(row for row in rows if ",r2," not in row)])
    assert "these raters alone" in read(write(two, "two.csv")).notes[0]
    gap = "\n".join(["model,item,rater,response", *rows[1:]])
    assert "each rater has to score each item" in read(write(gap, "gap.csv")).notes[0]
