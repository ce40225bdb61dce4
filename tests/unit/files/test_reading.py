import re

import pandas as pd
import pytest

from saturation.pages import tables


def rows(number):
    return pd.DataFrame({"name": [f"<b>{row}" for row in range(number)], "n_test": range(number)})


def test_values_and_title_are_escaped():
    text = tables.page(pd.DataFrame({"<h>": ["<script>x</script>", "a & b"]}), "A < B")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "a &amp; b" in text
    assert text.count("A &lt; B") == 2


@pytest.mark.parametrize(("number", "long"), [(1, False), (20, False), (21, True)])
def test_a_long_table_can_be_searched(number, long):
    text = tables.page(rows(number), "T")
    assert ('type="search"' in text) == long
    assert ("addEventListener" in text) == long
    assert (f"{number} rows" in text) == long


def test_numbers_stand_right_and_words_left():
    frame = pd.DataFrame(
        {"word": ["a", "b"], "score": [0.5, None], "gap": ["-1", "2e-05"], "none": [None, None]}
    )
    (rule,) = re.findall(r".*text-align: right.*", tables.page(frame, "T"))
    assert re.findall(r"nth-child\((\d)\)", rule) == ["2", "3"]
    assert "text-align: right" not in tables.page(frame[["word"]], "T")


def test_long_texts_break_into_lines_and_a_table_without_rows_says_so():
    text = tables.page(pd.DataFrame({"note": ["word " * 20], "n_test": [5]}), "T")
    assert '<th style="min-width: 16em;">note</th>' in text
    assert "<th>test-set size n</th>" in text
    assert "Nothing of this kind came out" in tables.page(pd.DataFrame({"note": []}), "T")
