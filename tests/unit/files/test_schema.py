"""What a failed check of a table says, and what each kind of column takes at its bounds."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import schema
from saturation.files.schema import Check, Column, Schema

SCHEMA = Schema(
    {
        "name": Column(str, unique=True, description="a name"),
        "kind": Column(str, Check.isin(["x", "y"]), description="one of: x, y"),
        "remark": Column(str, nullable=True, required=False, description="anything"),
    },
    strict=True,
)


def violations(checked=SCHEMA, **columns):
    with pytest.raises(InputError) as caught:
        schema.validate(pd.DataFrame(columns), checked, "t.csv")
    return [line.removeprefix("t.csv") for line in caught.value.violations]


def test_missing_columns_are_named_all_and_first():
    assert violations(remark=["r"]) == [
        f": column '{name}' is missing; the file has: remark" for name in ("name", "kind")
    ]


def test_an_unknown_column_is_named_with_the_known_ones():
    said = ": column 'remarks' is not known; allowed: name, kind, remark"
    assert violations(name=["a"], kind=["x"], remarks=["r"]) == [said]


def test_a_missing_value_a_duplicate_and_a_wrong_value_are_said_at_once_with_an_editors_rows():
    duplicate = "column 'name': value 'a' is a duplicate; each may stand only once"
    assert sorted(violations(name=["a", "a", "b"], kind=["x", None, "z"])) == [
        f", row 2, {duplicate}",
        ", row 3, column 'kind': the value is missing; expected one of: x, y",
        f", row 3, {duplicate}",
        ", row 4, column 'kind': value 'z' is not allowed; expected one of: x, y",
    ]


def test_a_table_without_rows_is_named():
    assert violations(name=[], kind=[]) == [": the table has no rows; at least one is needed"]


def test_a_combination_that_stands_twice_is_named_with_its_values():
    pairs = Schema({"a": Column(str), "b": Column(int, coerce=True)}, unique=["a", "b"])
    assert violations(pairs, a=["x", "x", "y"], b=[1, 1, 1]) == [
        f", row {row}: the combination of a x, b 1 is a duplicate; each may stand only once"
        for row in (2, 3)
    ]


def accepted(column, values):
    """Whether values pass as a column, and what is said if not."""
    try:
        schema.validate(pd.DataFrame({"x": values}), schema.table({"x": column}), "t.csv")
    except InputError as error:
        return str(error)
    return True


@pytest.mark.parametrize(
    ("column", "good", "bad", "expected"),
    [
        (schema.text(), ["a", "a"], [None], "a name"),
        (schema.text(unique=True), ["a", "b"], ["a", "a"], "only once"),
        (schema.text(optional=True), ["a", None], [""], "text that is not empty"),
        (schema.words_column(["a", "b"]), ["a", "b"], ["c"], "one of: a, b"),
        (schema.words_column(["a"]), ["a"], [None], "one of: a"),
        (schema.words_column(["a"], optional=True), ["a", None], ["b"], "one of: a"),
        (schema.number(), [-1e9, 1e9], ["x"], "a number"),
        (schema.number(), [0.0], [np.nan], "a number"),
        (schema.number(optional=True), [1.0, np.nan], ["x"], "a number"),
        (schema.number(0), [0, 5], [-1e-9], "a number of at least 0"),
        (schema.number(upper=2), [-9, 2], [2.001], "a number of at most 2"),
        (schema.number(0, 2.5), [0, 2.5], [2.6], "a number of at least 0 and at most 2.5"),
        (schema.proportion(), [0, 0.5, 1], [1.0001], "from 0 to 1"),
        (schema.proportion(), [0], [-0.0001], "from 0 to 1"),
        (schema.proportion(optional=True), [0, np.nan], [2], "from 0 to 1"),
        (schema.proportion(), [1], [np.nan], "from 0 to 1"),
        (schema.whole(), [0, 7], [-1], "a whole number of at least 0"),
        (schema.whole(2), [2], [1], "a whole number of at least 2"),
        (schema.whole(), [3.0], [0.5], "a whole number"),
        (schema.flag(), [True, False], ["yes", "no"], "True or False"),
        (schema.flag(), [True], [1], "True or False"),
    ],
)
def test_a_column_takes_what_it_says(column, good, bad, expected):
    assert accepted(column, good) is True
    assert expected in accepted(column, bad)
