"""Reading refuses what is not a table; writing gives the same bytes for the same content."""

import json

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import tables


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.csv", b"", "the file is empty; expected a table with a header line"),
        ("blank.csv", b"\n\n", "not readable as a table"),
        ("latin.csv", "id,name\n1,a\n2,café\n".encode("latin-1"), "row 3: byte 17 is not UTF-8"),
        ("wide.csv", "id\n1\n".encode("utf-16"), "row 1: byte 0 is not UTF-8"),
        ("ragged.csv", b"a,b\n1,2\n1,2,3\n", "Expected 2 fields in line 3, saw 3"),
        ("shifted.csv", b"a,b\n1,2,3\n4,5,6\n", "the rows have more cells than the header line"),
        ("cut.csv", b"a,b,c\n1,2,3\n4,5", "row 3: the file ends after 2 of 3 cells"),
        ("bad.parquet", b"a,b\n1,2\n", "not readable as a table"),
    ],
)
def test_a_file_that_is_no_table_is_named(tmp_path, name, content, said):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        tables.load_table(path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)


def test_the_wrong_byte_of_a_long_file_is_found(tmp_path):
    path = tmp_path / "long.csv"
    start = b"a,b\n" + b"1,x\n" * 100_000
    path.write_bytes(start + b"1,\xe9\n")
    with pytest.raises(InputError, match=f"row 100002: byte {len(start) + 2} is not UTF-8"):
        tables.load_table(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv: the file does not exist"):
        tables.load_table(tmp_path / "none.csv")
    with pytest.raises(InputError, match="not readable as a table"):
        tables.load_table(tmp_path)


def test_a_last_row_without_newline_is_whole_when_no_cell_is_missing(tmp_path):
    path = tmp_path / "own.csv"
    path.write_bytes(b'a,b\n1,2\n3,"x,\ny"')
    assert tables.load_table(path)["b"].tolist() == ["2", "x,\ny"]


def test_only_empty_cells_are_missing(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\nNA,1\nNone,\n,3\n")
    frame = tables.load_table(path)
    assert frame["a"].tolist()[:2] == ["NA", "None"]
    assert frame.isna().sum().tolist() == [1, 1]


def test_a_table_comes_back_as_it_was_written(tmp_path):
    frame = pd.DataFrame({"a": ["x", 'é, "y"'], "b": [1, 2], "c": [0.1, None]})
    tables.write_csv(frame, tmp_path / "new" / "t.csv")
    pd.testing.assert_frame_equal(tables.load_table(tmp_path / "new" / "t.csv"), frame)
    frame["kind"] = pd.Categorical(["b", "a"])
    tables.write_parquet(frame, tmp_path / "other" / "t.parquet")
    pd.testing.assert_frame_equal(tables.load_table(tmp_path / "other" / "t.parquet"), frame)


def test_a_name_that_a_spreadsheet_would_compute_is_text_and_comes_back(tmp_path):
    formulas = ['=HYPERLINK("http://x","y")', "'=1+1", "@SUM(A1)", "-2+cmd|' /C calc'!A0"]
    plain = ["@cf/meta/llama", "-x", "'quoted'", "a=b(c)", "0.5"]
    for kind in (str, object, "category", "large_string[pyarrow]"):
        table = pd.DataFrame({"model": [*formulas, *plain], "n": range(9)}).astype({"model": kind})
        tables.write_csv(table, tmp_path / "a.csv")
        text = pd.read_csv(tmp_path / "a.csv", dtype=str)["model"]
        assert list(text) == [*(f"'{cell}" for cell in formulas), *plain]
        assert list(tables.load_table(tmp_path / "a.csv")["model"]) == [*formulas, *plain]


def test_noise_beyond_ten_digits_does_not_reach_a_file(tmp_path):
    for name, noise in (("one", 0.0), ("two", 1e-14)):
        tables.write_csv(pd.DataFrame({"a": [1 / 3 + noise]}), tmp_path / f"{name}.csv")
        tables.write_json({"a": 1 / 3 + noise}, tmp_path / f"{name}.json")
    for suffix in ("csv", "json"):
        first, second = (tmp_path / f"{name}.{suffix}" for name in ("one", "two"))
        assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "one.csv").read_bytes() == b"a\n0.3333333333\n"


def test_json_is_sorted_plain_and_strict(tmp_path):
    content = {"b": np.float64(0.5), "a": [np.int64(1), (True, "é")], 3: float("nan"),
               "c": float("inf")}  # fmt: skip
    path = tmp_path / "new" / "x.json"
    tables.write_json(content, path)

    def refuse(constant):
        raise AssertionError(constant)

    read = json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)
    assert read == {"3": None, "a": [1, [True, "é"]], "b": 0.5, "c": None}
    assert list(read) == sorted(read)
    assert tables.json_line({"b": 1 / 3, "a": None}) == '{"a": null, "b": 0.3333333333}'


def test_what_cannot_be_written_is_said_with_the_place(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match=r"x\.json: the score cannot be written there: File exists"),
        tables.writing("x.json", "the score"),
    ):
        tables.write_json({}, tmp_path / "file/x.json")


def test_those_of_a_wheel_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "INSTALLED", tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").touch()
    assert tables.shipped("config/config.yaml") == tmp_path / "config/config.yaml"
    assert tables.shipped("resources/plateau/benchmarks.csv").is_file()


def test_what_does_not_come_with_it_is_named():
    with pytest.raises(FileNotFoundError, match="none/such: the package comes without this file"):
        tables.shipped("none/such")
