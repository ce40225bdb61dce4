"""One row a board: the card's own numbers."""

import pytest

from saturation import index
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import write_csv
from saturation.leaderboard import top
from studies.boards import ranked, schemas


def by_board(table, name):
    return table[table["board"] == name].iloc[0]


def test_tables_are_as_their_schemas_say(tables):
    for name, schema in schemas.BY_INPUT_NAME.items():
        assert list(tables[name].columns) == list(schema.columns), name
        validate(tables[name], schema, name)


def test_a_run_without_remarks_has_an_empty_table(tables, tmp_path):
    write_csv(tables["remarks"].iloc[:0], tmp_path / "empty.csv")
    assert stages.read(tmp_path / "empty.csv", schemas.REMARKS).empty


def test_a_row_says_what_a_card_says(boards, tables):
    board = next(one for one in boards if one.board == "swebench_epoch")
    row = by_board(tables["overview"], "swebench_epoch")
    estimates = ranked.estimates(board.answers)
    items = board.answers, ranked.separate_clusters(board.answers)
    card = top.frontier(estimates, items, top.Settings())
    assert row["n_tied"] == len(card.ties["paired"].group)
    assert row["detectable"] == card.answers.resolution.minimum_detectable_difference
    assert row["items_needed"] == card.power.items_for_top_k
    assert row["first_and_kth"] == card.index.first_and_kth
    assert not row["kth_tied"]
    expected = index.saturation_index(row["s_1"], row["s_k"], 500, 0.5)
    assert row["s_index"] == pytest.approx(float(expected))
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
