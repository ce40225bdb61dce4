import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import population
from saturation.discriminability.bdi import Resampling, bdi


def entries(bins_by_month, unit="family"):
    return pd.DataFrame(
        [
            ("x", "y", month, unit, f"m{i}", value)
            for month, values in bins_by_month.items()
            for i, value in enumerate(values)
        ],
        columns=["leaderboard", "benchmark", "month", "unit", "name", "bin"],
    )


CHANGE = pd.DataFrame(
    [{"leaderboard": "x", "benchmark": "y", "comparison": "first_to_last", "last_window": "any",
      "from": "2024-01", "to": "2024-02", "change": -0.3}]
)  # fmt: skip


def fixed(table):
    result = population.fixed_population(table, CHANGE, Resampling(20, 500, 0.95, seed=0))
    return result.set_index("unit")


def test_a_decline_from_new_submitters_vanishes_on_the_fixed_population():
    same = np.linspace(0, 299, 40).astype(int)
    row = fixed(entries({"2024-01": same, "2024-02": same})).loc["family"]
    assert row["members"] == 40
    assert row["change"] == 0
    assert row["corrected_change_lower"] <= 0 <= row["corrected_change_upper"]
    assert row["plain_change"] == -0.3


def test_a_real_compression_shows_on_the_fixed_population():
    wide, narrow = np.linspace(0, 299, 60).astype(int), np.full(60, 290)
    row = fixed(entries({"2024-01": wide, "2024-02": narrow})).loc["family"]
    assert row["bdi_to"] == 0
    assert row["corrected_change_upper"] < 0


def test_too_few_shared_members_are_reported_not_computed():
    table = fixed(entries({"2024-01": range(9), "2024-02": range(9)}))
    assert "9 members" in table.loc["family", "note"]
    assert "0 members" in table.loc["model", "note"]


def test_dynamic_index_takes_the_models_so_far():
    bins = pd.DataFrame(
        [("x", "y", "2024-01", 0, 5, 5), ("x", "y", "2024-02", 0, 0, 5),
         ("x", "y", "2024-02", 299, 5, 5)],
        columns=["leaderboard", "benchmark", "month", "bin", "count", "so_far"],
    )  # fmt: skip
    table = population.dynamic_bdi(bins, 20)
    assert table["bdi"].tolist() == [0, 0]
    assert table["bdi_so_far"].tolist() == [0, pytest.approx(float(bdi([5, 5, *[0] * 18])))]
    assert table["models_so_far"].tolist() == [5, 10]
