"""A plain table of models with their scores."""

import pandas as pd
import pytest

from saturation.leaderboard.read.rows import Choice


def test_deviations_and_intervals_become_errors(write, read):
    path = write("model,score,standard_deviation,n_items,lower,upper\n"
                 "a,0.9,0.3,900,,\nb,0.8,,,0.78,0.82\nNA,0.7,,10,,\n", "x.csv")  # fmt: skip
    a, b, c = read(path).scores
    assert a.standard_error == pytest.approx(0.01)
    assert b.standard_error == pytest.approx(0.02 / 1.95996, 1e-4)
    assert (c.model, c.standard_error, c.n_items) == ("NA", None, 10)


def test_an_interval_is_read_at_the_level_that_the_config_gives(write, read):
    path = write("model,score,lower,upper\na,0.8,0.7,0.9\nb,0.8,0.7,\n", "x.csv")
    a, b = read(path, Choice(interval_level=0.9)).scores
    assert a.standard_error == pytest.approx(0.1 / 1.6448536269514722, 1e-12)
    assert b.standard_error is None


def test_a_stated_error_comes_before_all_else(write, read):
    text = ("model,score,standard_error,standard_deviation,n_items,lower,upper\n"
            "a,0.8,0.02,0.3,900,0.7,0.9\nb,0.8,,0.3,900,0.7,0.9\n")  # fmt: skip
    a, b = read(write(text, "x.csv")).scores
    assert a.standard_error == 0.02
    assert b.standard_error == pytest.approx(0.01)


def test_a_row_says_more_than_the_config(write, read):
    text = (
        "model,score,metric,task,run,configuration,date\na,0.9,acc,t,1,c,2025-01-02\nb,0.8,,t,,,\n"
    )
    known = {"configuration": "prompt", "date": "2026-03-04"}
    a, b = read(write(text, "x.csv"), Choice(metric="f1"), **known).scores
    assert (a.metric, a.task, a.run, a.configuration, a.date) == (
        "acc",
        "t",
        "1",
        "c",
        "2025-01-02",
    )
    assert (b.metric, b.task, b.run, b.configuration, b.date) == (
        "f1", "t", "", "prompt", "2026-03-04",
    )  # fmt: skip
    assert (a.row, b.row) == (2, 3)
    (plain,) = read(write("model,score\na,0.9\n", "y.csv")).scores
    assert plain.metric == "score"


def test_of_several_tasks_the_chosen_one_is_read(write, read, violation):
    path = write("model,score,task\na,0.9,t\na,0.5,u\n", "x.csv")
    assert [score.score for score in read(path, Choice(task="u")).scores] == [0.5]
    assert "2 tasks ('t', 'u'); choose one with the key 'task'" in violation(path)
    untold = write("model,score\na,0.9\n", "y.csv")
    assert len(read(untold, Choice(task="u")).scores) == 1


def test_spaces_around_columns_and_names_made_of_digits(write, read):
    (score,) = read(write("model , score\n007,0.9\n", "x.csv")).scores
    assert (score.model, score.score) == ("007", 0.9)


def test_parquet_is_recognised_whatever_its_name(tmp_path, read, violation):
    pd.DataFrame({"model": ["a"], "score": [0.5]}).to_parquet(tmp_path / "table")
    imported = read(tmp_path / "table")
    assert (imported.format, imported.scores[0].score) == ("leaderboard", 0.5)
    (tmp_path / "cut").write_bytes((tmp_path / "table").read_bytes()[:300])
    assert "cut: not readable as a table" in violation(tmp_path / "cut")


def test_answers_to_items_are_refused_with_the_columns_that_they_need(write, violation, read):
    rows = [
        f"m{model},q{item},{model * 10 + item},{item % 2}"
        for model in range(5)
        for item in range(10)
    ]
    repeated = "m0,q0,999,1"
    path = write("\n".join(["model,question,stamp,score", *rows, repeated]), "board.csv")
    said = violation(path).splitlines()[-1]
    asked = "model=model, item=question, run=stamp, response=score"
    assert said.endswith(f"with the key 'columns': {asked}")
    columns = dict(pair.split("=") for pair in asked.split(", "))
    assert read(path, Choice(columns=columns)).format == "long_responses"
