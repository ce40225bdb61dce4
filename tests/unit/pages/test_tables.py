"""Tables for readers: headings in words, intervals in a cell, nothing lost."""

import pandas as pd

from saturation.pages.tables import heading, readable


def test_a_column_is_called_by_words():
    names = ["benchmark_id", "s_index", "p_holm", "p_fits", "n_items", "Max score (%)"]
    words = ["benchmark", "S", "p, Holm", "p, fits", "number of items", "Max score (%)"]
    assert list(map(heading, names)) == words
    assert heading("slope_se") == "slope, standard error"
    assert (heading("s_lower"), heading("bdi_from")) == ("S, lower limit", "BDI from")


def test_an_estimate_has_its_interval_in_its_cell():
    limits = {"gap_lower": [0.25, None], "gap": [0.5, 0.75], "gap_upper": [1.0, None]}
    frame = pd.DataFrame({**limits, "p_value": [0.00001, 0.5]})
    shown = readable(frame)
    assert list(shown) == ["gap [interval]", "p"]
    assert shown["gap [interval]"].tolist() == ["0.5 [0.25, 1]", "0.75"]
    assert shown["p"].tolist() == ["< 0.0001", "0.5"]


def test_limits_without_their_estimate_keep_columns_of_their_own():
    shown = readable(pd.DataFrame({"s_index": [0.5], "s_lower": [0.25], "s_upper": [0.75]}))
    assert list(shown) == ["S", "S, lower limit", "S, upper limit"]


def test_values_are_words_and_names_that_one_looks_up_stay():
    columns = ["claim_id", "bin", "saturated", "note", "n_test", "share"]
    rows = [
        ("plateau_001", "very_high", True, None, 1319, 0.123456),
        ("plateau_002", "low", False, "p_value < 0.05 of the_first", 30, 1e-7),
    ]
    shown = readable(pd.DataFrame(rows, columns=columns))
    assert list(shown) == ["claim", "level of S", "saturated", "note", "test-set size n", "share"]
    assert shown.to_numpy().tolist() == [
        ["plateau_001", "very high", "yes", "", "1319", "0.1235"],
        ["plateau_002", "low", "no", "p_value < 0.05 of the_first", "30", "1e-07"],
    ]


def test_no_column_is_lost_where_two_have_the_same_words():
    assert list(readable(pd.DataFrame({"p": [0.5], "p_value": [0.25]}))) == ["p", "p_value"]
