import numpy as np
import pandas as pd
import pytest

from saturation import seeds
from saturation.discriminability import population
from saturation.discriminability.bdi import (
    Resampling,
    bdi,
    bdi_corrected,
    pivotal_interval,
)
from saturation.statistics import intervals


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


def test_the_paired_change_by_hand():
    """Ten members over two of twenty bins at first, all in one of them at last."""
    # Bins 0 to 14 are the first of twenty, 15 to 29 the second.
    table = entries({"2024-01": [14, 15] * 5 + [30], "2024-02": [15, 29] * 5})
    row = fixed(table).loc["family"]
    assert row["members"] == 10  # the eleventh is in one window only
    assert row["bdi_to"] == 0
    assert row["bdi_from"] == pytest.approx(np.log(2) / np.log(20))
    assert row["change"] == pytest.approx(-np.log(2) / np.log(20))
    # Corrected: one occupied bin more than one is missing 1 / (2 * 10) nat.
    assert row["corrected_change"] == pytest.approx(-(np.log(2) + 0.05) / np.log(20))
    assert row["change_lower"] <= row["change"] <= row["change_upper"] <= 0
    assert row["note"] == ""


def test_members_are_drawn_with_both_their_scores():
    """With the same score at both ends no resample shows a change."""
    table = entries({"2024-01": range(0, 300, 15), "2024-02": range(0, 300, 15)})
    row = fixed(table).loc["family"]
    assert (row["change_lower"], row["change_upper"]) == (0, 0)
    assert (row["corrected_change_lower"], row["corrected_change_upper"]) == (0, 0)


def test_the_intervals_are_those_of_the_joint_histograms_resamples():
    ends = np.array(
        [[0, 0, 0, 20, 20, 40, 40, 299, 299, 299], [0, 20, 20, 20, 40, 40, 299, 0, 0, 0]]
    )
    row = fixed(entries({"2024-01": ends[0], "2024-02": ends[1]}, unit="model")).loc["model"]
    joint = np.zeros((20, 20), dtype=int)
    for start, end in ends.T // 15:
        joint[start, end] += 1
    rng = seeds.generator(0, "discriminability", "population")
    drawn = rng.multinomial(10, joint.ravel() / 10, size=500).reshape(500, 20, 20)
    plain = [bdi(table.sum(axis=0)) - bdi(table.sum(axis=1)) for table in drawn]
    bounds = intervals.percentile(plain, 0.95)
    assert (row["change_lower"], row["change_upper"]) == pytest.approx(bounds, abs=1e-12)
    corrected = [
        bdi_corrected(table.sum(axis=0)) - bdi_corrected(table.sum(axis=1)) for table in drawn
    ]
    bounds = pivotal_interval(row["corrected_change"], corrected, row["change"], 0.95)
    assert row["corrected_change_lower"] == pytest.approx(bounds[0], abs=1e-12)
    assert row["corrected_change_upper"] == pytest.approx(bounds[1], abs=1e-12)


def test_a_change_within_one_window_or_to_an_unknown_one_has_no_members():
    table = entries({"2024-01": range(12), "2024-02": range(12)})
    for end in ("2024-01", "2024-03"):
        change = CHANGE.assign(to=end)
        result = population.fixed_population(table, change, Resampling(20, 10, 0.95, seed=0))
        assert result["members"].tolist() == [0, 0]
        assert result["change"].isna().all()


def test_without_changes_the_table_is_empty_but_has_its_columns():
    table = population.fixed_population(
        entries({"2024-01": range(12)}), CHANGE.head(0), Resampling(20, 10, 0.95, seed=0)
    )
    assert table.empty
    assert table.columns.tolist()[-1] == "note"
