"""Alpha of boards, tasks and pairs: rows, reasons, and what the embedded boards show."""

import numpy as np
import pandas as pd
import pytest

from saturation.boards import alpha, ranked
from saturation.boards.alpha import GROUPS, ITEMS, WHOLE
from saturation.index import standard_error_of_difference
from saturation.statistics.pairs import paired_tests


@pytest.fixture(scope="module")
def settings():
    return alpha.Settings(splits=4)


def board_of(made, answers, tasks="task", name="livebench"):
    names = [f"m{place}" for place in range(answers.shape[1])]
    columns = dict(zip(names, answers.T))
    return ranked.ranked(name, *made(name, columns, tasks=tasks), 0.8)


def test_at_the_measured_alpha_the_papers_error_is_the_paired_one(boards, tables):
    board = next(one for one in boards if one.board == "swebench_epoch")
    pairs = tables["pairs"][tables["pairs"]["board"] == "swebench_epoch"]
    errors = paired_tests(board.answers.iloc[:, :5], ranked.alone(board.answers)).standard_error
    for row in pairs.itertuples():
        paper = standard_error_of_difference(row.score_a, row.score_b, 500, row.alpha)
        # Up to the jackknife's correction of the bias.
        assert paper == pytest.approx(errors[row.rank_a - 1, row.rank_b - 1], rel=0.01)
        assert row.lower < row.alpha < row.upper
    assert len(pairs) == 10


def test_on_every_embedded_board_alpha_is_above_the_papers(tables):
    table = tables["alpha"]
    whole = table[(table["task"] == WHOLE) & (table["sample"] == ITEMS)].set_index("board")
    known = whole[whole["reason"].isna()]
    assert set(known.index) == {"livebench", "gpqa_diamond", "swebench_epoch", "nlu_boolq"}
    assert (known["lower"] > 1).all()
    assert known["alpha_split"].to_numpy() == pytest.approx(known["alpha"].to_numpy(), abs=0.02)
    assert whole.loc["frontiermath_public", "reason"] == (
        "the top models share 10 items; 30 are needed"
    )
    groups = table[table["sample"] == GROUPS].set_index("board")
    assert 0.5 < groups.loc["livebench", "lower"] < groups.loc["livebench", "upper"] < 1
    assert groups.loc["swebench_epoch", "reason"].startswith("groups worth 1.4 equal ones; 8")


def test_shares_over_runs_have_their_noise_told_apart(tables):
    table = tables["alpha"].set_index(["board", "task", "sample"])
    gpqa, boolq = (table.loc[(name, WHOLE, ITEMS)] for name in ("gpqa_diamond", "nlu_boolq"))
    assert gpqa["alpha_published"] > gpqa["alpha"] + 0.05
    assert 0.5 < gpqa["run_noise"] < 1
    assert np.isnan(boolq["run_noise"])
    assert gpqa["bounded_part"] == 0
    assert table.loc[("livebench", WHOLE, ITEMS)]["bounded_part"] > 0.01


def test_equal_independent_models_have_an_alpha_of_one(made, settings):
    answers = (np.random.default_rng(0).random((4000, 6)) < 0.7).astype(float)
    row = alpha.measured([board_of(made, answers)], settings).iloc[0]
    assert row["lower"] < 1 < row["upper"]
    assert row["upper"] - row["lower"] < 0.03
    assert (row["k"], row["n_models"], row["n_items"], row["n_groups"]) == (5, 6, 4000, 4000)
    assert row["gap"] == pytest.approx(row["s_1"] - row["s_k"])


def test_tasks_have_their_own_top(made, settings):
    rng = np.random.default_rng(1)
    ease = np.linspace(0.9, 0.4, 6)
    answers = rng.random((200, 6)) < np.vstack([[ease] * 100, [ease[::-1]] * 100]).reshape(200, 6)
    table = alpha.measured(
        [board_of(made, answers.astype(float), ["x"] * 100 + ["y"] * 100)], settings
    )
    tasks = table[(table["task"] != WHOLE)].set_index("task")
    assert tasks["s_1"].to_numpy() == pytest.approx([0.9, 0.9], abs=0.08)
    assert table["task"].tolist() == [WHOLE, WHOLE, "x", "y"]
    assert table["sample"].tolist() == [ITEMS, GROUPS, ITEMS, ITEMS]
    assert table["reason"].iloc[1] == "groups worth 2.0 equal ones; 8 are needed"


def test_what_cannot_be_measured_says_why(made, settings):
    rng = np.random.default_rng(2)
    few = alpha.measured([board_of(made, rng.random((40, 4)).round())], settings).iloc[0]
    assert few["reason"] == "4 models; 5 are compared"
    same = np.repeat(rng.random((40, 1)).round(), 5, axis=1)
    alike = alpha.measured([board_of(made, same)], settings).iloc[0]
    assert alike["reason"] == "the top models answered alike: their gap shows no error"
    assert np.isnan(alike["alpha"])
    assert alpha.pairs([board_of(made, rng.random((40, 4)).round())], settings).empty


@pytest.mark.parametrize(("n_items", "measured"), [(29, False), (30, True)])
def test_the_fewest_items_are_enough(made, settings, n_items, measured):
    answers = np.random.default_rng(3).random((n_items, 6)).round()
    row = alpha.measured([board_of(made, answers)], settings).iloc[0]
    assert pd.isna(row["reason"]) == measured


def test_pooling_is_over_origins(tables):
    pooled = tables["pooled"].set_index(["what", "over"])
    everything = pooled.loc[("alpha", "all boards")]
    assert (everything["units"], everything["groups"], everything["degrees"]) == (4, 3, 2)
    assert everything["predicted_lower"] < everything["lower"]
    # Two origins are left.
    assert pooled.loc[("alpha", "without LiveBench"), "groups"] == 2
    slope = pooled.loc[("slope on correlation", "tasks, or boards without tasks")]
    assert slope["lower"] > 0
    assert slope["units"] > 20


def test_one_origin_is_not_pooled(tables):
    table = tables["alpha"]
    pooled = alpha.pooled(table[table["board"] == "gpqa_diamond"], 0.95)
    assert pooled["value"].isna().all()
    assert pooled.set_index("what").loc["slope on score", "groups"] == 1
