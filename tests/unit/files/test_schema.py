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


def violations(frame):
    with pytest.raises(InputError) as caught:
        schema.validate(frame, SCHEMA, "t.csv")
    return caught.value.violations


def test_rows_are_counted_as_an_editor_does():
    frame = pd.DataFrame({"name": ["a", "b"], "kind": ["x", "z"]})
    assert violations(frame) == [
        "t.csv, row 3, column 'kind': value 'z' is not allowed; expected one of: x, y"
    ]


def test_missing_columns_are_named_all_and_first():
    frame = pd.DataFrame({"remark": ["r"]})
    assert violations(frame) == [
        f"t.csv: column '{name}' is missing; the file has: remark" for name in ("name", "kind")
    ]


def test_an_unknown_column_is_named_with_the_known_ones():
    frame = pd.DataFrame({"name": ["a"], "kind": ["x"], "remarks": ["r"]})
    assert violations(frame) == [
        "t.csv: column 'remarks' is not known; allowed: name, kind, remark"
    ]


def test_a_missing_value_a_duplicate_and_a_wrong_value_are_said_at_once():
    frame = pd.DataFrame({"name": ["a", "a", "b"], "kind": ["x", None, "z"]})
    duplicate = "column 'name': value 'a' is a duplicate; each may stand only once"
    assert sorted(violations(frame)) == sorted(
        [
            f"t.csv, row 2, {duplicate}",
            f"t.csv, row 3, {duplicate}",
            "t.csv, row 3, column 'kind': the value is missing; expected one of: x, y",
            "t.csv, row 4, column 'kind': value 'z' is not allowed; expected one of: x, y",
        ]
    )


def test_a_long_list_is_cut_and_says_so():
    frame = pd.DataFrame({"name": [f"n{i}" for i in range(50)], "kind": "z"})
    lines = violations(frame)
    assert len(lines) == 21
    assert lines[-1] == "and 30 more violations"


def test_a_table_without_rows_is_named():
    assert violations(pd.DataFrame({"name": [], "kind": []})) == [
        "t.csv: the table has no rows; at least one is needed"
    ]


def test_a_combination_that_stands_twice_is_named_with_its_values():
    pairs = Schema({"a": Column(str), "b": Column(int, coerce=True)}, unique=["a", "b"])
    with pytest.raises(InputError) as caught:
        schema.validate(pd.DataFrame({"a": ["x", "x", "y"], "b": [1, 1, 1]}), pairs, "t.csv")
    assert caught.value.violations == [
        f"t.csv, row {row}: the combination of a x, b 1 is a duplicate; each may stand only once"
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
        (schema.one_of(["a", "b"]), ["a", "b"], ["c"], "one of: a, b"),
        (schema.one_of(["a"]), ["a"], [None], "one of: a"),
        (schema.one_of(["a"], optional=True), ["a", None], ["b"], "one of: a"),
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


def test_a_table_has_exactly_its_columns():
    table = schema.table({"x": schema.whole()})
    with pytest.raises(InputError, match="column 'y' is not known; allowed: x"):
        schema.validate(pd.DataFrame({"x": [1], "y": [2]}), table, "t.csv")
