import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import windows
from saturation.discriminability.bdi import bdi
from saturation.statistics import entropy


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
    result = windows.fixed_population(table, CHANGE, 20, 0.95)
    return result.set_index("unit")


def test_a_decline_from_new_submitters_vanishes_on_the_fixed_population():
    same = np.linspace(0, 299, 40).astype(int)
    row = fixed(entries({"2024-01": same, "2024-02": same})).loc["family"]
    assert row["members"] == 40
    assert row["change"] == 0
    assert row["corrected_change"] == 0
    assert row["plain_change"] == -0.3


def test_a_real_compression_shows_on_the_fixed_population():
    wide, narrow = np.linspace(0, 17, 60).astype(int) ** 2, np.full(60, 290)
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
    table = windows.dynamic_bdi(bins, 20)
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
    # Without any one of the ten, nine are split five to four.
    nine = -(5 * np.log(5 / 9) + 4 * np.log(4 / 9)) / 9
    assert row["corrected_change"] == pytest.approx(-(10 * np.log(2) - 9 * nine) / np.log(20))
    assert np.isnan(row["corrected_change_lower"])
    assert row["note"] == "10 members; at least 50 are needed for an interval"


def test_the_interval_leaves_out_members_with_both_their_scores():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 8, (2, 60)) * 15
    ends[1, :30] = ends[0, :30]
    row = fixed(entries({"2024-01": ends[0], "2024-02": ends[1]}, unit="model")).loc["model"]

    def change(members):
        first, last = (np.bincount(end // 15, minlength=20) for end in members)
        return float(bdi(last) - bdi(first))

    parts = [change(np.delete(ends, i, axis=1)) for i in range(60)]
    pseudo = 60 * change(ends) - 59 * np.array(parts)
    assert row["change"] == pytest.approx(change(ends))
    assert row["corrected_change"] == pytest.approx(pseudo.mean())
    half = row["corrected_change_upper"] - row["corrected_change"]
    error = pseudo.std(ddof=1) / 60**0.5
    assert 2 * error < half < 2.2 * error  # of Student's t with about as many degrees of freedom
    assert row["corrected_change"] - row["corrected_change_lower"] == pytest.approx(half)
    assert row["note"] == ""


@pytest.mark.parametrize(("members", "known"), [(49, False), (50, True)])
def test_an_interval_needs_fifty_members(members, known):
    assert entropy.FEWEST == 50
    first = np.arange(members) * 6 % 300
    row = fixed(entries({"2024-01": first, "2024-02": first[::-1] // 2})).loc["family"]
    assert np.isfinite(row["corrected_change_upper"]) == known
    assert (row["note"] == "") == known


def test_where_nobody_moved_nothing_is_known_of_the_error():
    bins = np.arange(60) * 5
    row = fixed(entries({"2024-01": bins, "2024-02": bins})).loc["family"]
    assert row["corrected_change"] == 0
    assert np.isnan(row["corrected_change_lower"])
    assert row["note"].endswith("so nothing is known of the error")


def test_a_change_within_one_window_or_to_an_unknown_one_has_no_members():
    table = entries({"2024-01": range(12), "2024-02": range(12)})
    for end in ("2024-01", "2024-03"):
        change = CHANGE.assign(to=end)
        result = windows.fixed_population(table, change, 20, 0.95)
        assert result["members"].tolist() == [0, 0]
        assert result["change"].isna().all()


def test_without_changes_the_table_is_empty_but_has_its_columns():
    table = windows.fixed_population(entries({"2024-01": range(12)}), CHANGE.head(0), 20, 0.95)
    assert table.empty
    assert table.columns.tolist()[-1] == "note"
