import pandas as pd

from saturation.files import differences

TABLE = pd.DataFrame({"a": ["1", None], "b": ["x", "y"]})


def test_equal_tables_have_no_differences():
    assert differences.sentences(TABLE, TABLE.copy(), "t.csv") == []


def test_a_changed_cell_is_named():
    other = TABLE.assign(b=["x", "z"])
    assert differences.sentences(TABLE, other, "t.csv") == [
        "t.csv, row 3, column 'b': the embedded table has 'y', the source gives 'z'"
    ]


def test_another_shape_is_one_difference():
    assert "1 rows" in differences.sentences(TABLE, TABLE.head(1), "t.csv")[0]
