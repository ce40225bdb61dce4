"""The quick look at a table: what it accepts is what pandera makes of it, and nothing else."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandera.errors import SchemaErrors

from saturation.files import schema as files_schema
from saturation.files.schema import Check, Column, Schema, as_it_should_be

COLUMNS = [
    files_schema.text(),
    files_schema.text(unique=True),
    files_schema.text(optional=True),
    files_schema.one_of(["a", "b"]),
    files_schema.one_of(["a", "b"], optional=True),
    files_schema.number(),
    files_schema.number(0, 2, optional=True),
    files_schema.proportion(),
    files_schema.proportion(optional=True),
    files_schema.whole(),
    files_schema.whole(1),
    files_schema.flag(),
    Column(str, coerce=True, default=""),
    Column(str, [Check.not_empty()]),
    Column(float, Check.gt(0), nullable=True),
    Column("Int64", Check.ge(2), nullable=True, coerce=True),
    Column(object, Check.isin([True, False]), nullable=True, coerce=True),
    Column("datetime64[ns]", nullable=True, coerce=True),
    Column(str, Check.str_matches("^[a-c]$"), nullable=True),
    Column(None, Check(lambda cells: cells.map(lambda value: str(value) != "b"), name="no_b")),
    Column(nullable=True),
    Column(float, required=False, nullable=True),
]
CELLS = [
    st.sampled_from(["a", "b", "c", "", None]),
    st.sampled_from(["a", "b"]),
    st.sampled_from([0, 1, 2, -1]),
    st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, np.nan]),
    st.booleans(),
    st.sampled_from([True, False, None]),
    st.sampled_from([1, "a", None]),
    st.just(np.nan),
    st.sampled_from([np.float32(0.1), np.float32(1)]),
    st.sampled_from([np.uint64(2**63), np.uint64(1)]),
    st.sampled_from(["2024-01-05", "2023-12-31", None]),
]


def by_pandera(frame, schema):
    try:
        return schema.pandera().validate(frame, lazy=True)
    except SchemaErrors:
        return None


@st.composite
def frames(draw):
    rows = draw(st.integers(1, 4))
    kinds = st.sampled_from([None, None, "category"])
    return pd.DataFrame(
        {
            name: pd.Series(
                draw(st.lists(draw(st.sampled_from(CELLS)), min_size=rows, max_size=rows)),
                dtype=draw(kinds),
            )
            for name in draw(st.sampled_from([["x"], ["x", "y"], ["y", "x"], ["x", "y", "z"]]))
        }
    )


@st.composite
def schemas(draw):
    return Schema(
        {name: draw(st.sampled_from(COLUMNS)) for name in ("x", "y")},
        unique=draw(st.sampled_from([None, ["x", "y"]])),
        strict=draw(st.sampled_from([True, False, "filter"])),
    )


# What pandas says while pandera tries to make dates of anything.
@pytest.mark.filterwarnings("ignore:Could not infer format", "ignore::pandas.errors.Pandas4Warning")
@settings(max_examples=300, deadline=None)
@given(frames(), schemas())
def test_what_is_accepted_is_what_pandera_returns(frame, schema):
    quick = as_it_should_be(frame, schema)
    if quick is not None:
        pd.testing.assert_frame_equal(quick, by_pandera(frame, schema))


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        (files_schema.text(), ["a", "b"]),
        (files_schema.text(), [1, 2]),
        (files_schema.text(optional=True), [np.nan, np.nan]),
        (files_schema.number(), [1, 2]),
        (files_schema.number(optional=True), [0.5, np.nan]),
        (files_schema.whole(), [1, 2]),
        (files_schema.whole(), np.array([1, 2], dtype="uint8")),
        (files_schema.number(), np.array([0.5, 2], dtype="float32")),
        (files_schema.text(), pd.Categorical(["a", "b"])),
        (files_schema.text(optional=True), pd.Categorical(["a", None])),
        (files_schema.text(optional=True), [True, None]),
        (files_schema.flag(), [True, False]),
        (Column("Int64", nullable=True, coerce=True), [2.0, np.nan]),
        (Column("datetime64[ns]", nullable=True, coerce=True), ["2024-01-05", None]),
    ],
)
def test_what_stages_write_takes_the_quick_look_alone(column, cells):
    frame = pd.DataFrame({"x": cells})
    quick = as_it_should_be(frame, Schema({"x": column}, strict=True))
    pd.testing.assert_frame_equal(quick, by_pandera(frame, Schema({"x": column})))


@pytest.mark.parametrize(
    "schema",
    [
        Schema({"x": Column(int)}, checks=[Check(lambda frame: frame["x"] > 1)]),
        Schema({"x": Column(int)}, unique=["y"]),
        Schema({"x": Column(int), "absent": Column()}),
        Schema({"x": Column(int)}, strict=True),
        Schema({"x": Column(int, Check.le(1))}),
        Schema({"x": Column(int), "[a-z]": Column(int, Check.ge(5), regex=True)}),
    ],
)
def test_what_is_wrong_is_left_to_pandera(schema):
    frame = pd.DataFrame({"x": [1, 2], "y": [3, 3]})
    assert as_it_should_be(frame, schema) is None
    assert by_pandera(frame, schema) is None


def test_a_pattern_stands_for_all_columns_that_match_but_those_with_a_name():
    schema = Schema(
        {"x": Column(str), "^(?!x$).+": Column(float, regex=True, coerce=True, required=False)},
        strict=True,
    )
    frame = pd.DataFrame({"x": ["a"], "y": [1], "z": [2]})
    quick = as_it_should_be(frame, schema)
    pd.testing.assert_frame_equal(quick, by_pandera(frame, schema))
    assert quick.dtypes.astype(str).to_list() == ["str", "float64", "float64"]


def test_a_column_that_stands_twice_is_left_to_pandera():
    frame = pd.DataFrame([[1, 2]], columns=["x", "x"])
    assert as_it_should_be(frame, Schema({"x": Column(int)})) is None


def test_a_schema_takes_more_columns_and_other_words():
    schema = Schema({"x": Column(int, description="a")})
    assert list(schema.add_columns({"y": Column()}).columns) == ["x", "y"]
    changed = schema.update_columns({"x": {"nullable": True}}).columns["x"]
    assert (changed.nullable, changed.description) == (True, "a")
    assert not schema.columns["x"].nullable


def test_pandera_is_not_loaded_for_a_table_that_is_as_it_should_be():
    code = (
        "import sys, pandas as pd\n"
        "from saturation.files import columns, checks\n"
        "table = columns.table({'x': columns.text()})\n"
        "checks.validate(pd.DataFrame({'x': ['a']}), table, 't.csv')\n"
        "assert 'pandera' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
