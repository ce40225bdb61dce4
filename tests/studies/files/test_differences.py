"""An embedded table against its source: every cell that differs is named, and only those."""

import pandas as pd
import pytest

from saturation.errors import InputError
from studies.files import differences
from studies.files.differences import Pair

TABLE = pd.DataFrame({"a": ["1", None], "b": ["x", "y"]})


def lines(embedded, source):
    return list(differences.sentences(Pair("t.csv", embedded, source)))


@pytest.mark.parametrize("other", [TABLE.head(1), TABLE.rename(columns={"b": "c"})])
def test_another_shape_is_one_difference(other):
    assert lines(TABLE, other) == [
        "t.csv: the embedded table has 2 rows and the columns a, b; "
        f"the source gives {len(other)} rows and {', '.join(other.columns)}"
    ]


def test_a_changed_cell_is_named_with_its_row_and_both_values():
    numbers = pd.DataFrame({"a": range(12)})
    assert lines(numbers, numbers.assign(a=[*range(9), -1, 10, -2])) == [
        "t.csv, row 11, column 'a': the embedded table has '9', the source gives '-1'",
        "t.csv, row 13, column 'a': the embedded table has '11', the source gives '-2'",
    ]


def test_equal_tables_do_not_differ_whatever_their_dtypes():
    embedded = pd.DataFrame({"id": [1, 2], "n": [5, None], "flag": [True, False]})
    source = pd.DataFrame({"id": ["1", "2"], "n": ["5", ""], "flag": ["true", "false"]})
    assert lines(embedded, source) == []
    assert lines(TABLE.astype("category"), TABLE) == []


def test_numbers_are_compared_to_ten_digits():
    embedded = pd.DataFrame({"n": [0.12345678901, 0.1234567891]})
    (line,) = lines(embedded, pd.DataFrame({"n": [0.12345678904, 0.1234567894]}))
    assert line.startswith("t.csv, row 3, ")


def test_what_was_compared_is_counted():
    counted = differences.verified([Pair("t.csv", TABLE, TABLE), Pair("u.csv", TABLE, TABLE)])
    assert counted.to_dict("records") == [
        {"table": name, "rows": 2, "columns": 2, "cells_compared": 4, "cells_different": 0}
        for name in ("t.csv", "u.csv")
    ]


def test_all_tables_are_compared_before_it_is_said_what_differs():
    changed = pd.concat([TABLE] * 15, ignore_index=True)
    other = changed.assign(b="z")
    with pytest.raises(InputError) as caught:
        differences.verified([Pair("t.csv", changed, other), Pair("u.csv", changed, other)])
    violations = caught.value.violations
    expected = "t.csv, row 2, column 'b': the embedded table has 'x', the source gives 'z'"
    assert violations[0] == expected
    assert violations[-1] == "and 40 more violations"
