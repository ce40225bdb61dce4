"""What a user reads when a cell of the plateau study's tables is wrong."""

import re
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.schema import validate
from saturation.files.tables import read_table
from saturation.plateau import schemas

EMBEDDED = Path(__file__).parents[3] / "resources" / "plateau"


def changed(path, name, column, value):
    """The embedded table, written anew with one cell of its second data row changed."""
    table = pd.read_csv(EMBEDDED / name, dtype=str, keep_default_na=False)
    table.loc[1, column] = value
    table.to_csv(path / name, index=False)
    return read_table(path / name)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("benchmark_id", "math_500", "value 'math_500' is a duplicate"),
        ("benchmark_id", "Math 500", "expected a unique name of lower-case letters"),
        ("name", "", "the value is missing; expected the benchmark's name"),
        ("n_test", "", "the value is missing; expected number of test samples"),
        ("n_test", "0", "value 0 is not allowed; expected number of test samples"),
        ("n_test", "-3", "a whole number of at least 1"),
        ("n_test", "1.5", "value 1.5 is not allowed"),
        ("n_test", "many", "value 'many' is not allowed"),
        ("released", "31/12/2020", "expected the release date as YYYY-MM-DD"),
        ("released", "", "the value is missing"),
        ("citations", "lots", "value 'lots' is not allowed; expected citation count, or empty"),
        ("availability", "secret", "expected one of: public, private"),
        ("output_format", "audio", "expected one of: multiple_choice, free_form, both"),
        ("english_only", "no", "value 'no' is not allowed; expected true or false"),
        ("templated", "", "the value is missing; expected true or false"),
        ("flags", "duplicate_model;odd", "out of: duplicate_model"),
    ],
)
def test_a_bad_cell_is_named(tmp_path, column, value, said):
    table = changed(tmp_path, "benchmarks.csv", column, value)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        validate(table, schemas.BENCHMARKS, "benchmarks.csv")
    lines = caught.value.violations
    assert f"benchmarks.csv, row 3, column '{column}'" in lines[-1]
    # The other row of a duplicate is a line of its own; nothing else is reported.
    assert len(lines) == (2 if "duplicate;" in lines[0] else 1)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("high", "value 'high' is not allowed; expected a number from 0 to 100"),
        ("", "the value is missing"),
        ("101", "value 101.0 is not allowed"),
        ("-1", "value -1.0 is not allowed"),
    ],
)
def test_a_bad_score_is_named(tmp_path, value, said):
    table = changed(tmp_path, "top_scores.csv", "score", value)
    with pytest.raises(InputError) as caught:
        validate(table, schemas.TOP_SCORES, "top_scores.csv")
    assert len(caught.value.violations) == 1
    assert f"top_scores.csv, row 3, column 'score': {said}" in caught.value.violations[0]


def test_a_rank_stands_once_for_each_benchmark(tmp_path):
    table = changed(tmp_path, "top_scores.csv", "rank", "1")
    with pytest.raises(InputError) as caught:
        validate(table, schemas.TOP_SCORES, "top_scores.csv")
    said = (
        "the combination of benchmark_id math_500, rank 1 is a duplicate; each may stand only once"
    )
    assert caught.value.violations == [f"top_scores.csv, row {row}: {said}" for row in (2, 3)]


def test_a_required_column_is_missed_and_an_optional_one_is_not():
    table = read_table(EMBEDDED / "benchmarks.csv")
    assert len(validate(table.drop(columns=["flags", "languages"]), schemas.BENCHMARKS, "b")) == 60
    with pytest.raises(InputError, match="column 'n_test' is missing"):
        validate(table.drop(columns="n_test"), schemas.BENCHMARKS, "b")


def test_an_unknown_column_is_named():
    table = read_table(EMBEDDED / "benchmarks.csv").assign(flag="")
    with pytest.raises(InputError, match=r"column 'flag' is not known; allowed: .*flags"):
        validate(table, schemas.BENCHMARKS, "b")
