import pandas as pd

from saturation.discriminability import names, paper_tables


def test_cells_are_rounded_as_decimals_half_to_even():
    table = pd.DataFrame({"x": [0.8935, 0.8825, 0.9275, None]})
    cells = paper_tables._cells(table, "x", 1, 100)
    assert cells == ["89.4", "88.2", "92.8", "—"]


def test_prefixes_are_identifiers():
    assert names.prefix("v2", "MATH Lvl 5") == "v2_math_lvl_5"
    assert names.prefix("v1") == "v1"
