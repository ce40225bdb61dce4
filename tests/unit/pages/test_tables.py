"""Tables for readers: headings in words, intervals in a cell, nothing lost."""

import re

import pandas as pd
import pytest

from saturation.pages import tables
from saturation.pages.tables import heading, readable


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("benchmark_id", "benchmark"),
        ("s_index", "S"),
        ("p_holm", "p, Holm"),
        ("p_fits", "p, fits"),
        ("n_items", "number of items"),
        ("s_lower", "S, lower limit"),
        ("slope_se", "slope, standard error"),
        ("bdi_from", "BDI from"),
        ("Max score (%)", "Max score (%)"),
    ],
)
def test_a_column_is_called_by_words(name, words):
    assert heading(name) == words


def test_an_estimate_has_its_interval_in_its_cell():
    frame = pd.DataFrame(
        {
            "gap_lower": [0.25, None],
            "gap": [0.5, 0.75],
            "gap_upper": [1.0, None],
            "p_value": [0.00001, 0.5],
        }
    )
    shown = readable(frame)
    assert list(shown) == ["gap [interval]", "p"]
    assert shown["gap [interval]"].tolist() == ["0.5 [0.25, 1]", "0.75"]
    assert shown["p"].tolist() == ["< 0.0001", "0.5"]


def test_limits_without_their_estimate_keep_columns_of_their_own():
    shown = readable(pd.DataFrame({"s_index": [0.5], "s_lower": [0.25], "s_upper": [0.75]}))
    assert list(shown) == ["S", "S, lower limit", "S, upper limit"]


def test_values_are_words_and_names_that_one_looks_up_stay():
    frame = pd.DataFrame(
        {
            "claim_id": ["plateau_001", "plateau_002"],
            "bin": ["very_high", "low"],
            "saturated": [True, False],
            "note": [None, "p_value < 0.05 of the_first"],
            "n_test": [1319, 30],
            "share": [0.123456, 1e-7],
        }
    )
    shown = readable(frame)
    assert shown["claim"].tolist() == ["plateau_001", "plateau_002"]
    assert shown["level of S"].tolist() == ["very high", "low"]
    assert shown["saturated"].tolist() == ["yes", "no"]
    assert shown["note"].tolist() == ["", "p_value < 0.05 of the_first"]
    assert shown["test-set size n"].tolist() == ["1319", "30"]
    assert shown["share"].tolist() == ["0.1235", "1e-07"]


def test_no_column_is_lost_where_two_have_the_same_words():
    assert list(readable(pd.DataFrame({"p": [0.5], "p_value": [0.25]}))) == ["p", "p_value"]


def test_values_and_title_are_escaped():
    text = tables.page(pd.DataFrame({"<h>": ["<script>x</script>", "a & b"]}), "A < B")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "a &amp; b" in text
    assert text.count("A &lt; B") == 2


def test_numbers_stand_right_and_words_left():
    frame = pd.DataFrame(
        {"word": ["a", "b"], "score": [0.5, None], "gap": ["-1", "2e-05"], "none": [None, None]}
    )
    (rule,) = re.findall(r".*text-align: right.*", tables.page(frame, "T"))
    assert re.findall(r"nth-child\((\d)\)", rule) == ["2", "3"]
    assert "text-align: right" not in tables.page(frame[["word"]], "T")
