"""Sentences of a failed table check, and the error that carries them."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import schema as files_schema
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
        files_schema.validate(frame, SCHEMA, "t.csv")
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
    schema = Schema({"a": Column(str), "b": Column(int, coerce=True)}, unique=["a", "b"])
    with pytest.raises(InputError) as caught:
        files_schema.validate(pd.DataFrame({"a": ["x", "x", "y"], "b": [1, 1, 1]}), schema, "t.csv")
    assert caught.value.violations == [
        f"t.csv, row {row}: the combination of a x, b 1 is a duplicate; each may stand only once"
        for row in (2, 3)
    ]


def test_a_column_without_a_description_says_its_check():
    schema = Schema({"a": Column(int, Check.ge(2))})
    with pytest.raises(InputError, match=r"value 1 is not allowed: greater_than_or_equal_to\(2\)"):
        files_schema.validate(pd.DataFrame({"a": [1]}), schema, "t.csv")
