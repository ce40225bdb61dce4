"""One row a board: the card's own numbers, the course, dead and backwards items, subsets."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import index
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import write_csv
from saturation.leaderboard import top
from studies.boards import overview, ranked, schemas
from studies.boards.ranked import Settings

SETTINGS = Settings(halves=20)


def by_board(table, name):
    return table[table["board"] == name].iloc[0]


def test_tables_are_as_their_schemas_say(tables):
    for name, schema in schemas.BY_INPUT_NAME.items():
        assert list(tables[name].columns) == list(schema.columns), name
        validate(tables[name], schema, name)


@pytest.mark.parametrize("name", ["course", "remarks"])
def test_a_run_without_dates_or_remarks_has_empty_tables(tables, tmp_path, name):
    write_csv(tables[name].iloc[:0], tmp_path / "empty.csv")
    assert stages.read(tmp_path / "empty.csv", schemas.BY_INPUT_NAME[name]).empty


def test_a_row_says_what_a_card_says(boards, tables):
    board = next(one for one in boards if one.board == "swebench_epoch")
    row = by_board(tables["overview"], "swebench_epoch")
    estimates = ranked.estimates(board.answers)
    card = top.frontier(
        estimates, board.answers, ranked.separate_clusters(board.answers), top.Settings()
    )
    assert row["n_tied"] == len(card.ties["paired"].group)
    assert row["detectable"] == card.answers.resolution.minimum_detectable_difference
    assert row["items_needed"] == card.power.items_for_top_k
    assert row["first_and_kth"] == card.index.first_and_kth
    assert not row["kth_tied"]
    for name, alpha in (("s_index", 0.5), ("s_index_measured", row["measured_alpha"])):
        expected = index.saturation_index(row["s_1"], row["s_k"], 500, alpha)
        assert row[name] == pytest.approx(float(expected))
    assert (row["verdict"], row["reason"]) == ("separates_in_part", "some_separated")


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


def test_the_course_ends_at_all_dated_models(boards, tables):
    course = tables["course"]
    assert set(course["board"]) == {board.board for board in boards}
    for name, rows in course.groupby("board"):
        dated = next(one for one in boards if one.board == name).dates.notna().sum()
        assert rows["n_models"].is_monotonic_increasing
        assert rows["n_models"].iloc[-1] == dated
        assert rows["until"].is_monotonic_increasing
        assert (rows["n_models"] >= 5).all()
    last = by_board(course[course["until"] == course["until"].max()], "gpqa_diamond")
    assert last["s_index"] == by_board(tables["overview"], "gpqa_diamond")["s_index"]


def test_quarters_with_too_few_models_have_no_row(made):
    rng = np.random.default_rng(0)
    answers = {f"m{place}": rng.random(20).round() for place in range(6)}
    dates = ["2024-01-05"] * 4 + ["2024-05-01", "2024-12-31"]
    board = ranked.ranked("mmlu_pro", *made("mmlu_pro", answers, dates=dates), 0.8)
    rows = list(overview.course(board, float("nan"), Settings()))
    assert [row["until"] for row in rows] == ["2024-06-30", "2024-12-31"]
    assert [row["n_models"] for row in rows] == [5, 6]
    assert np.isnan(rows[0]["s_index_measured"])


def test_items_are_counted_by_hand():
    answers = np.array(
        [[1, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 1], [np.nan, 1, 1], [np.nan, 0, 1], [1, 0.5, 1]]
    )
    found = overview.items(answers, 2, 0.95)
    assert (found.all_right, found.all_wrong) == (2, 1)
    # Of the first two models only those who answered tell.
    assert found.deciding == 2
    assert found.negative is None
    assert found.backwards is None


def test_a_backwards_item_is_found(drawn):
    answers = drawn(np.random.default_rng(0), 200, np.linspace(2, -2, 40))
    answers[0] = np.arange(40) >= 20
    found = overview.items(answers, 5, 0.95)
    assert found.backwards == 1
    assert found.negative >= 1


def test_the_correlation_is_with_the_ranks_by_all_other_items(drawn):
    answers = drawn(np.random.default_rng(1), 30, np.linspace(1, -1, 12))
    answers[3, 5] = np.nan
    correlation, p = overview.against_the_rest(answers)
    for row in (0, 3):
        given = ~np.isnan(answers[row])
        others = np.delete(answers, row, axis=0)[:, given]
        rest = np.nanmean(others, axis=0)
        expected = stats.pearsonr(answers[row, given], stats.rankdata(rest), alternative="less")
        assert correlation[row] == pytest.approx(expected.statistic)
        assert p[row] == pytest.approx(expected.pvalue)


def test_items_without_variation_have_no_correlation():
    answers = np.ones((3, 12))
    answers[1, :6] = 0
    answers[2, :] = np.nan
    answers[2, :2] = [0, 1]
    correlation, p = overview.against_the_rest(answers)
    assert np.isnan(correlation[[0, 2]]).all()
    assert np.isnan(p[[0, 2]]).all()


@pytest.mark.parametrize(("models", "told"), [(9, False), (10, True)])
def test_few_models_call_nothing_backwards(drawn, models, told):
    answers = drawn(np.random.default_rng(2), 50, np.linspace(1, -1, models))
    assert (overview.items(answers, 5, 0.95).backwards is not None) == told


def tried(answers, settings=SETTINGS, seed=0):
    return overview.subsets(pd.DataFrame(answers), settings, np.random.default_rng(seed))


def kept(table, way, size):
    return float(table.query("way == @way and size == @size")["kept"].iloc[0])


def test_items_that_measure_are_chosen_over_those_that_do_not(drawn):
    rng = np.random.default_rng(1)
    answers = drawn(rng, 600, np.linspace(2, -2, 30))
    answers[100:] = rng.random((500, 30)).round()
    table = tried(answers)
    assert kept(table, "chosen", 50) > kept(table, "random", 50) + 0.1


def test_a_tie_keeps_no_pair():
    """A hundred items decide all; the first ten in the order of covariance are ties."""
    answers = np.repeat(np.linspace(1, 0, 14)[None, :] > 0.5, 40, axis=0).astype(float)
    table = tried(answers)
    rows = table[table["way"] == "random"]
    assert (rows["kept"] == 1).all()
    # A quarter of the items decides: ten drawn ones are without any in 1 of 20 halves.
    flat = np.ones((100, 40))
    flat[-25:, 20:] = 0
    for order in (1, -1):  # the better models come first, or last
        assert 0.8 < kept(tried(flat[:, ::order]), "random", 10) < 1
    assert tried(np.ones((40, 14))).empty


@pytest.mark.parametrize(("models", "none"), [(11, True), (12, False)])
def test_too_few_models_try_nothing(drawn, models, none):
    answers = drawn(np.random.default_rng(3), 50, np.linspace(2, -2, models))
    assert tried(answers).empty == none


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([0.9, 0.96, 0.99], 20),
        ([0.96, 0.94, 0.99], 30),
        ([0.95, 0.95, 0.95], 10),
        ([0.9, 0.9, 0.9], np.nan),
    ],
)
def test_the_smallest_size_is_that_from_which_on_all_keep(shares, expected):
    table = pd.DataFrame({"way": "random", "size": [10, 20, 30], "kept": shares})
    assert overview.smallest(table, "random", 0.95) == pytest.approx(expected, nan_ok=True)
    assert np.isnan(overview.smallest(pd.DataFrame(), "random", 0.95))
