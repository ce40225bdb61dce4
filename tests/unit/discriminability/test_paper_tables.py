import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import study


def test_cells_are_rounded_as_decimals_half_to_even():
    table = pd.DataFrame({"x": [0.8935, 0.8825, 0.9275, None]})
    cells = study._cells(table, "x", 1, 100)
    assert cells == ["89.4", "88.2", "92.8", "—"]


@pytest.fixture
def tables():
    """Two leaderboards; on the first, `a` has two windows and `b` a single one."""
    boards = ["w", "v", "v", "v"]
    monthly = pd.DataFrame(
        {"leaderboard": boards, "benchmark": ["a", "a", "a", "b"],
         "max_score": [0.1, 0.825, 0.815, 0.5]}
    )  # fmt: skip
    change = {"leaderboard": "v", "benchmark": "a", "bdi_from": 0.75, "bdi_to": 0.5,
              "change": -0.2, "submitters_change": -0.25,
              "submitters_change_lower": -0.375, "submitters_change_upper": 0.125,
              "reason": np.nan}  # fmt: skip
    changes = pd.DataFrame(
        [
            {**change, "comparison": "first_to_last", "last_window": "any"},
            {**change, "comparison": "peak_to_last", "last_window": "any", "change": -9.0},
            {**change, "comparison": "first_to_last", "last_window": "large", "change": -9.0},
            {**change, "leaderboard": "w", "comparison": "first_to_last", "last_window": "any"},
        ]
    )
    growth = pd.DataFrame(
        [
            ("v", "a", "paper", 0.86, 0.985, np.nan, np.nan),
            ("v", "a", "paper_running_maximum", 0.1, 0.1, np.nan, np.nan),
            ("v", "a", "honest", 0.875, 0.9, False, ""),
            ("v", "b", "paper", 0.49, 0.2, np.nan, np.nan),
            ("v", "b", "honest", 0.6, 0.3, True, "R2 is low"),
        ],
        columns=["leaderboard", "benchmark", "reading", "ceiling", "r_squared", "abstains",
                 "reason"],
    )  # fmt: skip
    first_due = pd.DataFrame(
        {"leaderboard": ["v", "v"], "benchmark": ["a", "b"], "first_due": ["2024-05", np.nan]}
    )
    return {"monthly": monthly, "changes": changes, "growth": growth, "first_due": first_due}


def test_leaderboards_are_in_the_order_of_their_names(tables):
    assert study.board_names(tables["monthly"]) == ["v", "w"]


def test_the_status_takes_each_number_from_its_table(tables):
    status = study.status(tables, "v").set_index("benchmark")
    assert status.index.tolist() == ["a", "b"]
    row = status.loc["a"]
    assert row["max_score"] == row["ceiling_proximity"] == 0.825
    assert (row["bdi_first"], row["bdi_last"]) == (0.75, 0.5)
    assert row["change"] == -0.2
    assert row[study.INTERVAL].tolist() == [-0.25, -0.375, 0.125]
    assert (row["ceiling"], row["r_squared"], row["honest_ceiling"]) == (0.86, 0.985, 0.875)
    assert row["first_due"] == "2024-05"
    # `b` abstains: no ceiling, but a reason.
    assert np.isnan(status.loc["b", "honest_ceiling"])
    assert status.loc["b", "abstains_because"] == "R2 is low"
    assert np.isnan(status.loc["b", "change"])


def test_the_printed_table_is_in_percent_with_its_interval_in_one_cell(tables):
    printed = study.printed(study.status(tables, "v"))
    assert printed.iloc[0].tolist() == [
        "a", "82.5", "0.82", "0.750", "0.500", "-0.200", "-0.250 [-0.375, +0.125]", "", "86.0",
        "0.98", "87.5", "", "2024-05",
    ]  # fmt: skip
    assert printed.iloc[1].tolist() == [
        "b", "50.0", "0.50", "—", "—", "—", "—", "", "49.0", "0.20", "—", "R2 is low", "never",
    ]  # fmt: skip
