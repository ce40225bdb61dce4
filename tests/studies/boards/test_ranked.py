"""Which evaluations stand for the models of a board, and what is said of the others."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from studies.boards import ranked
from studies.boards.names import OLDER


def test_a_model_stands_by_its_best_evaluation_and_the_best_model_first(made):
    answers = {"a": [1, 0, 0, 0], "a (run 2)": [1, 1, 1, 0], "b": [1, 1, 0, 0]}
    board = ranked.ranked(
        "otis_aime", *made("otis_aime", answers, models=["a", "a", "b"], runs=[1, 2, 1]), 0.8
    )
    assert board.answers.columns.tolist() == ["a", "b"]
    assert board.answers["a"].tolist() == [1, 1, 1, 0]
    assert board.remarks[0] == "left out: 1 further evaluations of a model that has a better one"


@pytest.mark.parametrize(("answered", "kept"), [(8, True), (7, False)])
def test_a_model_that_answered_too_few_items_is_left_out_and_named(made, answered, kept):
    part = [1.0] * answered + [np.nan] * (10 - answered)
    responses = made("swebench_epoch", {"a": [1.0] * 10, "b": [0.0] * 10, "part": part})
    board = ranked.ranked("swebench_epoch", *responses, 0.8)
    assert ("part" in board.answers) == kept
    said = "left out: 1 evaluations that answered less than 80 % of 10 items: 'part'"
    assert (said in board.remarks) != kept


def test_an_item_that_nobody_answered_is_left_out_and_counted(made):
    responses = made("swebench_epoch", {"a": [1.0, np.nan], "b": [0.0, np.nan]})
    board = ranked.ranked("swebench_epoch", *responses, 0.8)
    assert board.answers.index.tolist() == ["item 0"]
    assert board.remarks[0] == "left out: 1 items that no evaluation answered"


def test_a_board_without_dates_says_so(made):
    answers = {"a": [1.0, 0.0], "b": [0.0, 0.0]}
    undated = ranked.ranked("mmlu_pro", *made("mmlu_pro", answers), 0.8)
    assert undated.remarks == ["no model has a release date"]
    half = ranked.ranked("mmlu_pro", *made("mmlu_pro", answers, dates=["2024-05-01", None]), 0.8)
    assert half.remarks == ["1 of 2 models have no release date"]
    assert half.dates["a"] == "2024-05-01"


def test_groups_are_tasks_or_what_the_names_of_items_share(made):
    table, listed = made("swebench_epoch", {"a": [1.0] * 3, "b": [0.0] * 3})
    table["item"] = ["django__django-1", "django__django-22", "a-b__c-d-3"]
    board = ranked.ranked("swebench_epoch", table, listed, 0.8)
    assert board.groups.tolist() == ["django__django", "django__django", "a-b__c-d"]
    table, listed = made("livebench", {"a": [1.0] * 3, "b": [0.0] * 3}, tasks=["x", "y", "x"])
    assert ranked.ranked("livebench", table, listed, 0.8).groups.tolist() == ["x", "y", "x"]


def test_an_evaluation_that_is_not_listed_stops(made):
    table, listed = made("otis_aime", {"a": [1.0], "b": [0.0]})
    with pytest.raises(InputError, match="'otis_aime' has no row for the evaluation 'b'; add it"):
        ranked.ranked("otis_aime", table, listed[listed["evaluation"] == "a"], 0.8)


def test_the_embedded_boards_are_ranked_whole(boards):
    by_name = {board.board: board for board in boards}
    assert by_name["gpqa_diamond"].shares
    assert not by_name["livebench"].shares
    for board in boards:
        assert (np.diff(board.answers.mean()) <= 1e-12).all()
        assert board.answers.columns.is_unique
    assert by_name["livebench"].answers.shape == (1136, 87)
    gmat = by_name["gmat"]
    assert (gmat.answers.shape, gmat.answers.columns[0], gmat.counts[0]) == (
        (92, 51),
        "qwen3-32b",
        11,
    )


def test_older_boards_have_no_model_of_the_two_years_before_november_2026(evaluations):
    newest = evaluations.groupby("board")["date"].max()
    assert set(newest.index[newest < "2024-11-25"]) == set(OLDER)


def test_estimates_are_those_of_items_that_stand_alone():
    answers = pd.DataFrame({"a": [1.0, 1, 0, 1], "b": [0.0, 1, 0, 0]})
    table = ranked.estimates(answers)
    assert table["score"].tolist() == [0.75, 0.25]
    assert table["standard_error"][0] == pytest.approx(np.sqrt(0.1875 / 3))
    assert ranked.separate_clusters(answers).is_unique
