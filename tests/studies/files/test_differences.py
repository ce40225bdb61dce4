"""An embedded table against its source: every cell that differs is named, and only those."""

import pandas as pd
import pytest

from saturation.errors import InputError
from studies.files import differences
from studies.files.differences import Pair

TABLE = pd.DataFrame({"a": ["1", None], "b": ["x", "y"]})


@pytest.mark.parametrize("other", [TABLE.head(1), TABLE.rename(columns={"b": "c"})])
def test_without_a_key_another_shape_is_one_difference(other):
    (line,) = differences.sentences(Pair("t.csv", TABLE, other))
    assert line == (
        "t.csv: the embedded table has 2 rows and the columns a, b; "
        f"the source gives {len(other)} rows and {', '.join(other.columns)}"
    )


def test_rows_are_paired_by_position_past_the_ninth():
    numbers = pd.DataFrame({"a": range(12)})
    changed = numbers.assign(a=[*range(9), -1, 10, -2])
    compared = differences.cells(numbers, changed)
    assert compared["row"].tolist() == [11, 13]
    assert compared["source"].tolist() == ["-1", "-2"]


def test_equal_tables_do_not_differ_whatever_their_dtypes():
    embedded = pd.DataFrame({"id": [1, 2], "n": [5, None], "flag": [True, False]})
    source = pd.DataFrame({"id": ["1", "2"], "n": ["5", ""], "flag": ["true", "false"]})
    assert differences.cells(embedded, source, ["id"]).empty


def test_a_changed_cell_is_found_by_its_key_with_both_values():
    source = pd.DataFrame({"id": [1, 2], "n": [5, 6], "model": ["A", "B"]})
    embedded = source.assign(n=[5, 7]).iloc[::-1]  # the order of the rows does not count
    assert differences.sentences(Pair("t.csv", embedded, source, ["id"])) == [
        "t.csv, row 2 (id 2), column 'n': the embedded table has '7', the source gives '6'"
    ]


def test_a_missing_row_and_a_row_too_many_are_found():
    whole = pd.DataFrame({"id": [1, 2], "n": [5, 6]})
    assert differences.sentences(Pair("t.csv", whole.iloc[:1], whole, ["id"])) == [
        "t.csv, no row (id 2), column 'n': the embedded table has '(no such cell)', "
        "the source gives '6'"
    ]
    missing = differences.cells(whole, whole.iloc[:1], ["id"])
    assert missing[["row", "source"]].to_numpy().tolist() == [[3, "(no such cell)"]]


def test_numbers_are_compared_to_ten_digits():
    embedded = pd.DataFrame({"n": [0.12345678901, 0.1234567891]})
    source = pd.DataFrame({"n": [0.12345678904, 0.1234567894]})
    assert differences.cells(embedded, source)["row"].tolist() == [3]


def test_what_was_compared_is_counted():
    counted = differences.verified([Pair("t.csv", TABLE, TABLE), Pair("u.csv", TABLE, TABLE, "a")])
    assert counted.to_dict("records") == [
        {"table": name, "rows": 2, "columns": 2, "cells_compared": 4, "cells_different": 0}
        for name in ("t.csv", "u.csv")
    ]


def test_all_tables_are_compared_before_it_is_said_what_differs():
    changed = pd.concat([TABLE] * 15, ignore_index=True)
    other = changed.assign(b="z")
    with pytest.raises(InputError) as caught:
        differences.verified([Pair("t.csv", changed, other), Pair("u.csv", changed, other)])
    lines = caught.value.violations
    said = "t.csv, row 2, column 'b': the embedded table has 'x', the source gives 'z'"
    assert lines[0] == said
    assert lines[-1] == "and 40 more violations"
