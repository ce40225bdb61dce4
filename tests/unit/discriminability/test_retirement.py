import pandas as pd

from saturation.discriminability import retirement

THRESHOLDS = retirement.Thresholds(ceiling_proximity=0.9, top10_gap=0.01, bdi_decline=0.15)


def monthly(ceiling, gap, bdi):
    return pd.DataFrame(
        {
            "leaderboard": "x",
            "benchmark": "y",
            "month": [f"2024-0{i + 1}" for i in range(len(bdi))],
            "elapsed": range(len(bdi)),
            "n_models": 100,
            "ceiling_proximity": ceiling,
            "top10_gap": gap,
            "bdi": bdi,
        }
    )


def test_due_only_when_all_three_criteria_are_met():
    table = retirement.retirement_table(
        monthly([0.95, 0.95, 0.95, 0.8], [0.02, 0.005, 0.005, 0.005], [0.8, 0.7, 0.6, 0.6]),
        THRESHOLDS,
    )
    assert table["met"].tolist() == [1, 2, 3, 2]
    assert table["due"].tolist() == [False, False, True, False]
    first = retirement.first_due(table).iloc[0]
    assert (first["first_due"], first["windows_due"]) == ("2024-03", 1)
    assert first["first_gap_met"] == "2024-02"


def test_decline_is_from_the_peak_so_far_not_from_a_later_one():
    table = retirement.retirement_table(monthly([0.5] * 3, [0.1] * 3, [0.5, 0.8, 0.8]), THRESHOLDS)
    assert table["bdi_decline"].tolist() == [0, 0, 0]


def test_the_thresholds_are_not_met_at_equality_and_a_missing_gap_is_not_met():
    table = retirement.retirement_table(monthly([0.9], [float("nan")], [0.5]), THRESHOLDS)
    assert table["met"].tolist() == [0]
    assert pd.isna(retirement.first_due(table)["first_due"]).all()
