import pandas as pd
import pytest

from saturation.discriminability import growth

THRESHOLDS = growth.Thresholds(ceiling_proximity=0.9, top10_gap=0.01, bdi_decline=0.15)


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
    table = growth.retirement_table(
        monthly([0.95, 0.95, 0.95, 0.8], [0.02, 0.005, 0.005, 0.005], [0.8, 0.7, 0.6, 0.6]),
        THRESHOLDS,
    )
    assert table["met"].tolist() == [1, 2, 3, 2]
    assert table["due"].tolist() == [False, False, True, False]
    first = growth.first_due(table).iloc[0]
    assert (first["first_due"], first["windows_due"]) == ("2024-03", 1)
    assert first["first_gap_met"] == "2024-02"


def test_decline_is_from_the_peak_so_far_not_from_a_later_one():
    table = growth.retirement_table(monthly([0.5] * 3, [0.1] * 3, [0.5, 0.8, 0.8]), THRESHOLDS)
    assert table["bdi_decline"].tolist() == [0, 0, 0]


def test_the_thresholds_are_not_met_at_equality_and_a_missing_gap_is_not_met():
    table = growth.retirement_table(monthly([0.9], [float("nan")], [0.5]), THRESHOLDS)
    assert table["met"].tolist() == [0]
    assert pd.isna(growth.first_due(table)["first_due"]).all()


@pytest.mark.parametrize(
    ("ceiling", "gap", "bdi", "met"),
    [
        (0.9001, 0.1, 1, "ceiling_met"),
        (0.5, 0.0099, 1, "gap_met"),
        (0.5, 0.1, 0.8499, "decline_met"),
        (0.9, 0.01, 0.85, None),
    ],
)
def test_each_criterion_at_its_limit(ceiling, gap, bdi, met):
    # 1 - 0.85 is the decline from 1 to 0.85 as it is computed; 0.15 is not, in the last place.
    thresholds = growth.Thresholds(0.9, 0.01, 1 - 0.85)
    row = growth.retirement_table(monthly([0.5, ceiling], [0.1, gap], [1, bdi]), thresholds)
    assert [name for name in growth.CRITERIA if row[name].iloc[1]] == ([met] if met else [])


def test_an_index_that_is_always_0_has_not_declined():
    table = growth.retirement_table(monthly([0.5] * 2, [0.1] * 2, [0.0, 0.0]), THRESHOLDS)
    assert table["bdi_decline"].tolist() == [0, 0]


def test_the_first_window_of_each_criterion_and_how_often_all_are_met():
    table = growth.retirement_table(
        pd.concat(
            [
                monthly([0.95, 0.95, 0.95], [0.02, 0.005, 0.005], [0.8, 0.7, 0.6]),
                monthly([0.95, 0.95, 0.95], [0.005] * 3, [0.8, 0.6, 0.5]).assign(benchmark="a"),
            ]
        )[::-1],
        THRESHOLDS,
    )
    first = growth.first_due(table)
    assert first["benchmark"].tolist() == ["a", "y"]
    assert first["first_due"].tolist() == ["2024-02", "2024-03"]
    assert first["first_ceiling_met"].tolist() == ["2024-01", "2024-01"]
    assert first["first_decline_met"].tolist() == ["2024-02", "2024-03"]
    assert first["windows"].tolist() == [3, 3]
    assert first["windows_due"].tolist() == [2, 1]
    assert table.query("benchmark == 'y'")["peak_bdi"].tolist() == [0.8, 0.8, 0.8]
