"""Columns by what they hold: at each bound a value passes, and beyond it does not."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import schema as files_schema
from saturation.files.schema import validate


def accepted(column, values):
    """Whether values pass as a column, and what is said if not."""
    try:
        validate(pd.DataFrame({"x": values}), files_schema.table({"x": column}), "t.csv")
    except InputError as error:
        return str(error)
    return True


@pytest.mark.parametrize(
    ("column", "good", "bad", "expected"),
    [
        (files_schema.text(), ["a", "a"], [None], "a name"),
        (files_schema.text(unique=True), ["a", "b"], ["a", "a"], "only once"),
        (files_schema.text(optional=True), ["a", None], [""], "text that is not empty"),
        (files_schema.one_of(["a", "b"]), ["a", "b"], ["c"], "one of: a, b"),
        (files_schema.one_of(["a"]), ["a"], [None], "one of: a"),
        (files_schema.one_of(["a"], optional=True), ["a", None], ["b"], "one of: a"),
        (files_schema.number(), [-1e9, 1e9], ["x"], "a number"),
        (files_schema.number(), [0.0], [np.nan], "a number"),
        (files_schema.number(optional=True), [1.0, np.nan], ["x"], "a number"),
        (files_schema.number(0), [0, 5], [-1e-9], "a number of at least 0"),
        (files_schema.number(upper=2), [-9, 2], [2.001], "a number of at most 2"),
        (files_schema.number(0, 2.5), [0, 2.5], [2.6], "a number of at least 0 and at most 2.5"),
        (files_schema.proportion(), [0, 0.5, 1], [1.0001], "from 0 to 1"),
        (files_schema.proportion(), [0], [-0.0001], "from 0 to 1"),
        (files_schema.proportion(optional=True), [0, np.nan], [2], "from 0 to 1"),
        (files_schema.proportion(), [1], [np.nan], "from 0 to 1"),
        (files_schema.whole(), [0, 7], [-1], "a whole number of at least 0"),
        (files_schema.whole(2), [2], [1], "a whole number of at least 2"),
        (files_schema.whole(), [3.0], [0.5], "a whole number"),
        (files_schema.flag(), [True, False], ["yes", "no"], "True or False"),
        (files_schema.flag(), [True], [1], "True or False"),
    ],
)
def test_a_column_takes_what_it_says(column, good, bad, expected):
    assert accepted(column, good) is True
    assert expected in accepted(column, bad)


def test_a_table_has_exactly_its_columns():
    schema = files_schema.table({"x": files_schema.whole()})
    with pytest.raises(InputError, match="column 'y' is not known; allowed: x"):
        validate(pd.DataFrame({"x": [1], "y": [2]}), schema, "t.csv")


def test_whether_a_table_may_be_empty_is_its_own_to_say():
    assert files_schema.table({}, may_be_empty=True).metadata == {"may_be_empty": True}
    assert files_schema.table({}).metadata == {"may_be_empty": False}


def test_a_fraction_in_a_column_of_whole_numbers_is_named_not_cut():
    assert accepted(files_schema.whole(), [3.0, 2.5]) == (
        "t.csv, row 3, column 'x': value '2.5' is not allowed; "
        "expected a whole number of at least 0"
    )
