"""Columns by what they hold: at each bound a value passes, and beyond it does not."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import columns
from saturation.files.checks import validate


def accepted(column, values):
    """Whether values pass as a column, and what is said if not."""
    try:
        validate(pd.DataFrame({"x": values}), columns.table({"x": column}), "t.csv")
    except InputError as error:
        return str(error)
    return True


@pytest.mark.parametrize(
    ("column", "good", "bad", "expected"),
    [
        (columns.text(), ["a", "a"], [None], "a name"),
        (columns.text(unique=True), ["a", "b"], ["a", "a"], "only once"),
        (columns.text(optional=True), ["a", None], [""], "text that is not empty"),
        (columns.one_of(["a", "b"]), ["a", "b"], ["c"], "one of: a, b"),
        (columns.one_of(["a"]), ["a"], [None], "one of: a"),
        (columns.one_of(["a"], optional=True), ["a", None], ["b"], "one of: a"),
        (columns.number(), [-1e9, 1e9], ["x"], "a number"),
        (columns.number(), [0.0], [np.nan], "a number"),
        (columns.number(optional=True), [1.0, np.nan], ["x"], "a number"),
        (columns.number(0), [0, 5], [-1e-9], "a number of at least 0"),
        (columns.number(upper=2), [-9, 2], [2.001], "a number of at most 2"),
        (columns.number(0, 2.5), [0, 2.5], [2.6], "a number of at least 0 and at most 2.5"),
        (columns.proportion(), [0, 0.5, 1], [1.0001], "from 0 to 1"),
        (columns.proportion(), [0], [-0.0001], "from 0 to 1"),
        (columns.proportion(optional=True), [0, np.nan], [2], "from 0 to 1"),
        (columns.proportion(), [1], [np.nan], "from 0 to 1"),
        (columns.whole(), [0, 7], [-1], "a whole number of at least 0"),
        (columns.whole(2), [2], [1], "a whole number of at least 2"),
        (columns.whole(), [3.0], [0.5], "a whole number"),
        (columns.flag(), [True, False], ["yes", "no"], "True or False"),
        (columns.flag(), [True], [1], "True or False"),
    ],
)
def test_a_column_takes_what_it_says(column, good, bad, expected):
    assert accepted(column, good) is True
    assert expected in accepted(column, bad)


def test_a_table_has_exactly_its_columns():
    schema = columns.table({"x": columns.whole()})
    with pytest.raises(InputError, match="column 'y' is not known; allowed: x"):
        validate(pd.DataFrame({"x": [1], "y": [2]}), schema, "t.csv")


def test_whether_a_table_may_be_empty_is_its_own_to_say():
    assert columns.table({}, may_be_empty=True).metadata == {"may_be_empty": True}
    assert columns.table({}).metadata == {"may_be_empty": False}


def test_a_fraction_in_a_column_of_whole_numbers_is_named_not_cut():
    assert accepted(columns.whole(), [3.0, 2.5]) == (
        "t.csv, row 3, column 'x': value '2.5' is not allowed; "
        "expected a whole number of at least 0"
    )
