"""One row a board: against the card's own numbers; the course over time; what readers see."""

import numpy as np
import pytest

from saturation import index
from saturation.boards import overview, ranked, schemas
from saturation.boards.overview import Settings
from saturation.files.schema import validate
from saturation.leaderboard import top


def by_board(table, name):
    return table[table["board"] == name].iloc[0]


def test_tables_are_as_their_schemas_say(tables):
    for name, schema in schemas.BY_INPUT_NAME.items():
        assert list(tables[name].columns) == list(schema.columns), name
        validate(tables[name], schema, name)


def test_a_row_says_what_a_card_says(boards, tables):
    board = next(one for one in boards if one.board == "nlu_boolq")
    row = by_board(tables["overview"], "nlu_boolq")
    estimates = ranked.estimates(board.answers)
    card = top.frontier(estimates, board.answers, ranked.alone(board.answers), top.Settings())
    assert row["n_tied"] == len(card.ties["paired"].group)
    assert row["detectable"] == card.power.minimum_detectable_difference
    assert row["items_needed"] == card.power.items_for_top_k
    for end in ("", "_lowest", "_highest"):
        assert row[f"p_saturated{end}"] == getattr(card.index, f"p_saturated{end}")
    assert not row["kth_tied"]
    assert row["gap_lower"] < row["gap"] < row["gap_upper"]
    assert row["gap"] == pytest.approx(row["s_1"] - row["s_k"])
    expected = index.saturation_index(row["s_1"], row["s_k"], 1635, 0.5)
    assert row["s_index"] == pytest.approx(float(expected))
    measured = index.saturation_index(row["s_1"], row["s_k"], 1635, row["measured_alpha"])
    assert row["s_index_measured"] == pytest.approx(float(measured))
    assert (row["verdict"], row["reason"]) == ("separates_in_part", "partly_told_apart")


def test_every_model_has_the_ranks_that_it_may_hold(boards, tables):
    for board in boards:
        models = tables["models"][tables["models"]["board"] == board.board]
        row = by_board(tables["overview"], board.board)
        assert list(models["model"]) == list(board.answers.columns)
        assert models["score"].is_monotonic_decreasing
        assert models["place"].between(models["best_rank"], models["worst_rank"]).all()
        assert models["score"].between(models["lower"], models["upper"]).all()
        assert models["tied_with_leader"].sum() == row["n_tied"]
        assert list(models["released"].dropna()) == list(board.dates.dropna())
    # More of them than a card lists.
    assert tables["models"]["board"].value_counts()["livebench"] == 87


def test_ties_and_saturation_are_told(tables):
    gpqa = by_board(tables["overview"], "gpqa_diamond")
    assert gpqa["kth_tied"]
    assert gpqa["n_tied"] == 10
    assert gpqa["verdict"] == "underpowered"
    public = by_board(tables["overview"], "frontiermath_public")
    assert np.isnan(public["s_index_measured"])
    assert np.isnan(public["smallest_random"]) or public["smallest_random"] < 10
    assert public["n_left_out"] == 10


def test_the_course_ends_at_all_dated_models(boards, tables):
    course = tables["course"]
    assert set(course["board"]) == {
        "livebench", "gpqa_diamond", "swebench_epoch", "frontiermath_public"
    }  # fmt: skip
    for name, rows in course.groupby("board"):
        dated = next(one for one in boards if one.board == name).dates.notna().sum()
        assert rows["n_models"].is_monotonic_increasing
        assert rows["n_models"].iloc[-1] == dated
        assert rows["until"].is_monotonic_increasing
        assert (rows["n_models"] >= 5).all()
    last = by_board(course[course["until"] == course["until"].max()], "gpqa_diamond")
    assert last["s_index"] == by_board(tables["overview"], "gpqa_diamond")["s_index"]
    assert last["alpha"] == pytest.approx(1.13, abs=0.01)
    assert last["alpha_lower"] < last["alpha"] < last["alpha_upper"]


def test_quarters_with_too_few_models_or_items_have_no_row_or_no_alpha(made):
    rng = np.random.default_rng(0)
    answers = {f"m{place}": rng.random(20).round() for place in range(6)}
    dates = ["2024-01-05"] * 4 + ["2024-05-01", "2024-12-31"]
    board = ranked.ranked("mmlu_pro", *made("mmlu_pro", answers, dates=dates), 0.8)
    rows = list(overview.course(board, float("nan"), Settings()))
    assert [row["until"] for row in rows] == ["2024-06-30", "2024-12-31"]
    assert [row["n_models"] for row in rows] == [5, 6]
    assert np.isnan(rows[0]["s_index_measured"])
    nobody = board.answers.copy()
    nobody.iloc[1:, :5] = np.nan
    assert np.isnan(overview._alpha_then(board, nobody, Settings())["alpha"])


def test_readers_see_what_was_left_out(tables):
    shown = overview.shown(tables).set_index("Board")
    assert "left out: 12 evaluations" in shown.loc["LiveBench", "Remarks"]
    assert "; 47 of 87 models have no release date" in shown.loc["LiveBench", "Remarks"]
    assert shown.loc["SWE-bench Verified (Epoch AI)", "Models"] == 14


def test_settings_come_from_the_parts_of_a_config():
    made = overview.settings({"k": 3, "ceiling": 0.8}, halves=7)
    assert (made.frontier.k, made.frontier.ceiling, made.halves) == (3, 0.8, 7)
