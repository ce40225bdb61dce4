"""The numbers that texts quote: by name, the first of a name, none that was not computed."""

import pandas as pd
import pytest

from saturation.ledger.rules import quoted


@pytest.fixture
def named():
    columns = ["quantity", "value", "lower", "upper", "note"]
    first = pd.DataFrame(
        [("gap", 0.5, 0.25, 0.75, "of ten"), ("empty", None, None, None, None)], columns=columns
    )
    second = pd.DataFrame(
        [("gap", 9.0, None, None, None), ("n_boards", 15.0, None, None, None)],
        columns=columns,
    )  # fmt: skip
    summary = pd.DataFrame({"paper": ["one", "all"], "not run here": [1, 3], "claims": [2, 4]})
    grades = pd.DataFrame({"grade": ["contradicted, within"], "claims": [7]})
    return quoted({"first": first, "second": second}, summary, grades)


def test_a_value_comes_with_its_interval_and_note(named):
    assert named["gap"] == 0.5
    assert (named["gap_lower"], named["gap_upper"], named["gap_note"]) == (0.25, 0.75, "of ten")


def test_what_was_not_computed_is_left_out(named):
    assert "empty" not in named
    assert "n_boards_lower" not in named


def test_the_ledger_s_counts_are_those_of_all_papers(named):
    assert named["not_run_here"] == 3
    assert named["claims"] == 4
    assert named["contradicted_within"] == 7
