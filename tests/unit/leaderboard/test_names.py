"""Metric families, and the tidy tables: what is text is read as text, nothing is an empty name."""

import pytest

from saturation.errors import InputError
from saturation.files import stages
from saturation.leaderboard import names


@pytest.fixture
def read(tmp_path):
    def reader(text, schema=names.RESPONSES):
        (tmp_path / "x.csv").write_text(text)
        return stages.read(tmp_path / "x.csv", schema, dtype=names.text_columns(schema))

    return reader


RESPONSES = "benchmark,model,item,cluster,run,configuration,response,synthetic\n"
SCORES = "benchmark,model,metric,run,configuration,date,score,standard_error,n_items,synthetic\n"


def test_text_columns():
    assert list(names.text_columns(names.RESPONSES)) == [
        "benchmark", "model", "item", "cluster", "run", "configuration", "date",
    ]  # fmt: skip
    assert "date" in names.text_columns(names.SCORES)
    assert "score" not in names.text_columns(names.SCORES)


def test_empty_labels_are_empty_text_and_digits_stay_names(read):
    (row,) = read(RESPONSES + "01,002,3,,,,0.5,False\n").to_dict("records")
    assert (row["benchmark"], row["model"], row["item"]) == ("01", "002", "3")
    assert row["cluster"] == row["run"] == row["configuration"] == ""


def test_a_table_may_be_empty_but_for_its_header(read):
    assert read(RESPONSES).empty
    assert read(SCORES, names.SCORES).empty
    with pytest.raises(InputError, match="column 'item' is missing"):
        read(RESPONSES.replace(",item", ""))


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (",m,i,,,,0.5,False", "benchmark"),
        ("b,,i,,,,0.5,False", "model"),
        ("b,m,,,,,0.5,False", "item"),
        ("b,m,i,,,,1.1,False", "response"),
        ("b,m,i,,,,,False", "response"),
    ],
)
def test_responses_that_are_refused(read, row, column):
    with pytest.raises(InputError, match=f"row 2, column '{column}'"):
        read(RESPONSES + row + "\n")


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("b,m,acc,,,,,0.1,10,False", "score"),
        ("b,m,acc,,,,0.5,-0.1,10,False", "standard_error"),
        ("b,m,acc,,,,0.5,0.1,0,False", "n_items"),
    ],
)
def test_scores_that_are_refused(read, row, column):
    with pytest.raises(InputError, match=f"row 2, column '{column}'"):
        read(SCORES + row + "\n", names.SCORES)


def test_ratings_have_no_bounds():
    assert [name for name in names.FAMILIES if not names.bounded(name)] == ["rating", "other"]
    assert set(names.HIGHER_IS_BETTER) <= set(names.FAMILIES)
