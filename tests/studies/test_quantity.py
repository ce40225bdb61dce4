"""Quantities that are cells of tables: names, limits, remarks and makers."""

import numpy as np
import pandas as pd

from studies.quantity import Pick, frame, picked

TABLES = {
    "groups": pd.DataFrame(
        {
            "group": ["a", "b"],
            "n": [3, 4],
            "rate": [0.1, 0.2],
            "rate_lower": [0.0, 0.1],
            "rate_upper": [0.5, 0.6],
        }
    ),
    "trends": pd.DataFrame({"rho": [0.3], "p": [0.02], "lower": [0.1], "upper": [0.4]}),
}


def make_quantities(*picks):
    return frame(picked(TABLES, picks)).set_index("quantity")


def test_a_row_names_its_quantities_and_a_mapping_their_words():
    table = make_quantities(
        Pick("groups", "", "{group}_{word}", {"rate": "share"}),
        Pick("groups", "group == 'b'", "{word}_of_{group}", ["n"], "group {group}"),
    )
    assert table["value"].to_dict() == {"a_share": 0.1, "b_share": 0.2, "n_of_b": 4}
    assert table.loc["a_share", ["lower", "upper"]].tolist() == [0.0, 0.5]
    assert np.isnan(table.loc["n_of_b", "lower"])
    assert table["note"].tolist() == ["", "", "group b"]


def test_limits_without_a_column_are_those_of_the_first_column():
    table = make_quantities(Pick("trends", "", "{word}", ["rho", "p"]))
    assert table.loc["rho", ["lower", "upper"]].tolist() == [0.1, 0.4]
    assert table.loc["p", ["lower", "upper"]].isna().all()


def test_the_study_s_function_is_the_maker():
    table = make_quantities(Pick("groups", "", "{group}", ["n"]))
    assert set(table["made_by"]) == {f"{__name__}:test_the_study_s_function_is_the_maker"}
