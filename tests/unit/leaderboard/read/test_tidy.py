"""Rows of all files in one unit and one direction, or refused with the reason."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.leaderboard.read import tidy

PROPORTION = tidy.Unit(minimum=0, maximum=1, higher_is_better=True)


@pytest.fixture
def table(write, read):
    """``(text, unit)``: the tidy scores of a CSV file."""

    def tidied(text, unit=PROPORTION):
        return tidy.scores("x", [("f.csv", read(write(text, "x.csv")))], unit)

    return tidied


@pytest.fixture
def sentences(table):
    """``(text, unit)``: the sentences with which a CSV file is refused."""

    def refused(text, unit=PROPORTION):
        with pytest.raises(InputError) as error:
            table(text, unit)
        return error.value.violations

    return refused


class TestTidy:
    def test_percent_becomes_proportion_with_its_error_and_lower_is_turned_round(self, table):
        percent = tidy.Unit(minimum=0, maximum=100, higher_is_better=False)
        row = table("model,score,standard_error\na,25,2\n", percent).iloc[0]
        assert (row["score"], row["standard_error"]) == (0.75, 0.02)

    def test_ratings_keep_their_unit(self, table):
        unit = tidy.Unit(higher_is_better=True, bounded=False)
        assert table("model,score\na,1312\n", unit)["score"].item() == 1312

    def test_cells_that_are_no_numbers_are_said_before_a_range_that_none_gives(self, sentences):
        text = 'model,score,n_items\na,88.0±1.3,10\nb,"0,9",10\nb2,"0,905",10\nc,0.5,10\n'
        first, second, third, last = sentences(text, tidy.Unit(higher_is_better=True))
        assert "row 2, model 'a': score '88.0±1.3'; expected a finite number; correct" in first
        assert "row 3, model 'b': score '0,9'; expected a finite number; write a point" in second
        assert "score '0,905'; expected a finite number; write a point" in third
        assert "in which range" in last

    def test_duplicate_models(self, table, sentences):
        (found,) = sentences("model,score,n_items\na,0.5,10\na,0.6,10\n")
        assert "model 'a' has more than one score" in found
        runs = table("model,score,n_items,run\na,0.5,10,1\na,0.6,10,2\n")
        assert len(runs) == 2

    def test_scores_without_n_and_without_error(self, table):
        bare = table("model,score\na,0.5\n")
        none = pd.DataFrame(columns=tidy.RESPONSE_COLUMNS)
        with pytest.raises(InputError, match=r"model 'a' has no number of items"):
            tidy.require_errors(bare, none, PROPORTION)
        runs = table("model,score,run\na,0.5,1\na,0.6,2\n")
        with pytest.raises(InputError, match="'n_items'"):
            tidy.require_errors(runs, none, PROPORTION)
        rating = tidy.Unit(higher_is_better=True, bounded=False)
        tidy.require_errors(runs, none, rating)
        tidy.require_errors(table("model,score,standard_error\na,5,1\n", rating), none, rating)
        with pytest.raises(InputError, match="neither a standard error above 0 nor repeated runs"):
            tidy.require_errors(bare, none, rating)
        with pytest.raises(InputError, match="'a' has neither a standard error above 0"):
            tidy.require_errors(table("model,score,standard_error\na,5,0\n", rating), none, rating)
        given = tidy.Unit(minimum=0, maximum=1, higher_is_better=True, n_items=50)
        assert table("model,score\na,0.5\n", given)["n_items"].item() == 50

    def test_responses_out_of_range_missing_or_twice(self, read, write):
        text = "model,item,response\na,q1,2\na,q2,\n"
        with pytest.raises(InputError) as error:
            tidy.responses("x", [("f", read(write(text, "x.csv")))], PROPORTION)
        assert "row 2, model 'a', item 'q1': response 2" in error.value.violations[0]
        assert len(error.value.violations) == 2
        twice = read(write("model,item,response\na,q,1\na,q,0\n", "y.csv"))
        with pytest.raises(InputError, match="answers item 'q' twice"):
            tidy.responses("x", [("f", twice)], PROPORTION)

    def test_responses_of_a_metric_without_range_keep_their_unit(self, write, read):
        unit = tidy.Unit(higher_is_better=False, bounded=False)
        imported = read(write("model,item,response\na,q,7.5\nb,q,x\n", "x.csv"))
        with pytest.raises(InputError, match=r"item 'q': response 'x'; expected a finite number; "):
            tidy.responses("x", [("f", imported)], unit)
        imported = read(write("model,item,response\na,q,7.5\n", "y.csv"))
        assert tidy.responses("x", [("f", imported)], unit)["response"].item() == -7.5

    def test_the_edges_of_the_range_belong_to_it_up_to_rounding(self, table, sentences):
        head = "model,score,n_items\n"
        assert list(table(head + "a,1,10\nb,0,10\nc,1.0000000005,10\n")["score"]) == [1, 0, 1]
        for score in ("1.00000001", "-0.00000001"):
            assert "is outside" in sentences(head + f"a,{score},10\n")[0]

    def test_an_error_of_zero_one_item_and_text_instead_of_numbers(self, table, sentences):
        head = "model,score,n_items,standard_error\n"
        row = table(head + "a,0.5,1,0\n").iloc[0]
        assert (row["n_items"], row["standard_error"]) == (1, 0)
        refused = sentences(head + "a,0.5,x,\nb,0.5,10,inf\nc,0.5,10,about 2\n")
        assert any("n_items 'x'; expected a whole number from 1" in line for line in refused)
        assert any("standard error 'inf'; expected a number from 0" in line for line in refused)
        assert any("standard error 'about 2'; expected a number from 0" in line for line in refused)

    def test_tables_are_sorted_and_no_responses_are_an_empty_table(self, write, read, table):
        rows = table(
            "model,score,n_items,date\nb,0.5,10,\na,0.5,10,2025-02-01\na,0.6,10,2025-01-01\n"
        )
        assert list(rows["model"]) == ["a", "a", "b"]
        assert list(rows["date"])[:2] == ["2025-01-01", "2025-02-01"]
        none = tidy.responses("x", [("f", read(write("model,score\na,0.5\n")))], PROPORTION)
        assert none.empty
        assert list(none.columns) == tidy.RESPONSE_COLUMNS

    def test_scores_of_models_with_responses_need_no_error(self, table):
        bare = table("model,score\na,0.5\nb,0.4\n")
        with pytest.raises(InputError) as error:
            tidy.require_errors(bare, pd.DataFrame({"model": ["a", "a"]}), PROPORTION)
        (sentence,) = error.value.violations
        assert "model 'b'" in sentence


def test_only_a_unit_with_both_bounds_stretches_a_score(table):
    rating = tidy.Unit(minimum=0, maximum=100, higher_is_better=True, bounded=False)
    row = table("model,score,standard_error\na,50,2\n", rating).iloc[0]
    assert (row["score"], row["standard_error"]) == (50, 2)
    assert tidy.Unit().bounded
