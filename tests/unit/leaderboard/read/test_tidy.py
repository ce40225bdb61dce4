"""Rows of all files in one unit and one direction; what is refused is in the own study's table."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.leaderboard.read import tidy

PROPORTION = tidy.Unit(minimum=0, maximum=1, higher_is_better=True)
PERCENT_LOST = tidy.Unit(minimum=0, maximum=100, higher_is_better=False)
RATING = tidy.Unit(higher_is_better=True, bounded=False)


@pytest.fixture
def table(write, read):
    """``(text, unit)``: the tidy scores of a CSV file."""

    def tidied(text, unit=PROPORTION):
        return tidy.scores("x", [("f.csv", read(write(text, "x.csv")))], unit)

    return tidied


@pytest.mark.parametrize(
    ("unit", "given", "score", "error"),
    [
        (PERCENT_LOST, "25,2", 0.75, 0.02),
        (RATING, "1312,2", 1312, 2),
        (tidy.Unit(minimum=0, maximum=100, higher_is_better=True, bounded=False), "50,2", 50, 2),
        (PROPORTION, "0.5,0", 0.5, 0),
    ],
)
def test_only_a_unit_with_bounds_stretches_a_score(table, unit, given, score, error):
    row = table(f"model,score,standard_error\na,{given}\n", unit).iloc[0]
    assert (row["score"], row["standard_error"]) == (score, error)


def test_a_share_needs_n_and_a_metric_without_bounds_needs_none(table):
    none = pd.DataFrame(columns=tidy.RESPONSE_COLUMNS)
    tidy.require_n(table("model,score\na,5\n", RATING), none, RATING)
    # Responses give n.
    bare = table("model,score\na,0.5\nb,0.4\n")
    with pytest.raises(InputError, match="model 'b' has no number of items"):
        tidy.require_n(bare, pd.DataFrame({"model": ["a", "a"]}), PROPORTION)


def test_responses_of_a_metric_without_range_keep_their_unit(write, read):
    unit = tidy.Unit(higher_is_better=False, bounded=False)
    imported = read(write("model,item,response\na,q,7.5\nb,q,x\n", "x.csv"))
    with pytest.raises(InputError, match=r"item 'q': response 'x'; expected a finite number; "):
        tidy.responses("x", [("f", imported)], unit)
    imported = read(write("model,item,response\na,q,7.5\n", "y.csv"))
    assert tidy.responses("x", [("f", imported)], unit)["response"].item() == -7.5


@pytest.mark.parametrize(("row", "place"), [(3, ", row 3"), (None, ""), (float("nan"), "")])
def test_a_score_is_found_by_its_row_if_that_is_known(row, place):
    assert tidy.where_of("f.csv", row, "m") == f"f.csv{place}, model 'm'"


def test_the_edges_of_the_range_belong_to_it_up_to_rounding(table):
    head = "model,score,n_items\n"
    assert list(table(head + "a,1,10\nb,0,1\nc,1.0000000005,10\n")["score"]) == [1, 0, 1]
    for score in ("1.00000001", "-0.00000001"):
        with pytest.raises(InputError, match="is outside"):
            table(head + f"a,{score},10\n")


def test_tables_are_sorted_and_no_responses_are_an_empty_table(write, read, table):
    rows = table("model,score,n_items,date\nb,0.5,10,\na,0.5,10,2025-02-01\na,0.6,10,2025-01-01\n")
    assert list(rows["model"]) == ["a", "a", "b"]
    assert list(rows["date"])[:2] == ["2025-01-01", "2025-02-01"]
    none = tidy.responses("x", [("f", read(write("model,score\na,0.5\n")))], PROPORTION)
    assert none.empty
    assert list(none.columns) == tidy.RESPONSE_COLUMNS
