import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import windows
from saturation.index import saturation_bin, saturation_index

BENCHMARKS = pd.DataFrame(
    {"benchmark": ["a", "b"], "kind": ["knowledge", "reasoning"], "n_test": [1000.0, np.nan]}
)


def top(benchmark, month, accuracies, scope="window"):
    return pd.DataFrame(
        {"leaderboard": "x", "benchmark": benchmark, "month": month, "scope": scope,
         "rank": range(1, len(accuracies) + 1), "accuracy": accuracies}
    )  # fmt: skip


def test_index_over_time_is_the_index_of_the_top_k():
    table = windows.index_over_time(
        top("a", "2024-01", [0.9, 0.88, 0.87, 0.85, 0.8, 0.1]), BENCHMARKS, 5, 0.5
    )
    assert table["s_index"].iloc[0] == pytest.approx(saturation_index(0.9, 0.8, 1000))


def test_a_missing_n_and_too_few_models_are_said():
    tables = pd.concat([top("b", "2024-01", [0.9] * 5), top("a", "2024-01", [0.9] * 3)])
    table = windows.index_over_time(tables, BENCHMARKS, 5, 0.5).set_index("benchmark")
    assert table["s_index"].isna().all()
    assert table.loc["a", "note"] == "fewer than 5 models"
    assert table.loc["b", "note"] == "the number of test items is not known"


def test_the_index_takes_the_best_accuracies_of_each_scope():
    window = top("a", "2024-01", [0.5, 0.9, 0.7, 0.8])  # ranked by a score, not by accuracy
    so_far = top("a", "2024-01", [0.95, 0.9, 0.7, 0.8], scope="so_far")
    table = windows.index_over_time(pd.concat([window, so_far]), BENCHMARKS, 3, 1.0)
    assert table["scope"].tolist() == ["so_far", "window"]
    assert table["s_1"].tolist() == [0.95, 0.9]
    assert table["s_k"].tolist() == [0.8, 0.7]
    expected = saturation_index([0.95, 0.9], [0.8, 0.7], 1000, 1.0)
    assert table["s_index"].tolist() == pytest.approx(expected.tolist(), abs=1e-12)
    assert table["bin"].tolist() == saturation_bin(expected).tolist()
    assert table["note"].tolist() == ["", ""]


def test_measures_that_rank_alike_agree_fully():
    months = [f"2024-0{i}" for i in range(1, 7)]
    monthly = pd.DataFrame({"leaderboard": "x", "benchmark": "a", "month": months,
                            "bdi": np.linspace(0.9, 0.2, 6)})  # fmt: skip
    index = monthly.assign(scope="window", s_index=np.linspace(0.1, 0.8, 6)).drop(columns="bdi")
    table = windows.agreement(monthly, index)
    assert table["estimate"].tolist() == [pytest.approx(1)] * 3


def test_agreement_is_taken_by_benchmark_leaderboard_and_over_all():
    months = [f"2024-0{i}" for i in range(1, 6)]
    frames = []
    for board, benchmark, bdi, s_index in (
        ("x", "a", [0.9, 0.8, 0.7, 0.6, 0.5], [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("x", "b", [0.9, 0.8, 0.7, 0.6, 0.5], [0.5, 0.4, 0.3, 0.2, 0.1]),
        ("z", "c", [0.5] * 5, [0.1, 0.2, 0.3, 0.4, 0.5]),
        ("z", "d", [0.9, 0.1, 0.2, 0.3, 0.4], [0.1, 0.2, np.nan, np.nan, np.nan]),
    ):
        frames.append(
            pd.DataFrame({"leaderboard": board, "benchmark": benchmark, "month": months,
                          "bdi": bdi, "scope": "window", "s_index": s_index})
        )  # fmt: skip
    both = pd.concat(frames)
    table = windows.agreement(
        both.drop(columns=["scope", "s_index"]), both.drop(columns="bdi")
    ).set_index(["leaderboard", "benchmark"])
    assert table["n"].to_dict() == {
        ("x", "a"): 5, ("x", "b"): 5, ("z", "c"): 5, ("z", "d"): 2,
        ("x", "all"): 10, ("z", "all"): 7, ("all", "all"): 17,
    }  # fmt: skip
    assert table.loc[("x", "a"), "estimate"] == pytest.approx(1)
    assert table.loc[("x", "b"), "estimate"] == pytest.approx(-1)
    assert table.loc[("x", "all"), "estimate"] == pytest.approx(0, abs=1e-12)
    # An index that does not vary has no rank; two windows are too few.
    assert table.loc[[("z", "c"), ("z", "d")], "estimate"].isna().all()


def test_the_pace_is_the_slope_of_the_best_so_far():
    # R: summary(lm(c(0.2, 0.5, 0.5, 0.7) ~ c(0, 1, 3, 4))) gives 0.1 and 0.03708099.
    # By hand: Sxy / Sxx = 1 / 10; residuals -0.075, 0.125, -0.075, 0.025 with 2 of freedom.
    slope, error = 0.1, np.sqrt(0.0275 / 2 / 10)
    monthly = pd.DataFrame(
        {"leaderboard": "x", "benchmark": "a", "month": list("4312"), "elapsed": [4, 3, 0, 1],
         "bdi": [0.3, 0.4, 0.8, 0.6], "n_models": 50, "ceiling_proximity": [0.7, 0.4, 0.2, 0.5]}
    )  # fmt: skip
    row = windows.pace(monthly, BENCHMARKS).iloc[0]
    assert row["gain_a_month"] == pytest.approx(slope, abs=1e-9)
    assert row["gain_a_month_error"] == pytest.approx(error, abs=1e-9)
    assert (row["windows"], row["first_cp"], row["last_cp"], row["highest_cp"]) == (
        4,
        0.2,
        0.7,
        0.7,
    )
    assert row["bdi_change"] == pytest.approx(-0.5)
    assert row["kind"] == "knowledge"
    # Two windows have no slope with an error.
    two = windows.pace(monthly.head(2), BENCHMARKS).iloc[0]
    assert np.isnan(two["gain_a_month"])
    assert np.isnan(two["gain_a_month_error"])
    assert two["last_cp"] == 0.7


def test_the_ceiling_is_approached_beyond_085():
    monthly = pd.DataFrame(
        {"leaderboard": "x", "benchmark": "a", "month": list("123"), "elapsed": [0, 2, 5],
         "bdi": 0.5, "n_models": 50, "ceiling_proximity": [0.8, 0.85, 0.8501]}
    )  # fmt: skip
    assert windows.pace(monthly, BENCHMARKS)["months_to_085"].tolist() == [5]


def test_pace_and_kinds():
    monthly = pd.DataFrame(
        {"leaderboard": "x", "benchmark": ["a"] * 4 + ["b"] * 4, "month": list("1234") * 2,
         "elapsed": [0, 1, 2, 3] * 2, "bdi": 0.5, "n_models": 50,
         "ceiling_proximity": [0.84, 0.86, 0.85, 0.88, 0.3, 0.4, 0.5, 0.6]}
    )  # fmt: skip
    pace = windows.pace(monthly, BENCHMARKS).set_index("benchmark")
    assert pace.loc["a", "months_to_085"] == 1
    assert np.isnan(pace.loc["b", "months_to_085"])
    assert pace.loc["b", "gain_a_month"] == pytest.approx(0.1)
    kinds = windows.kinds(pace.reset_index()).set_index("kind")
    assert kinds.loc["knowledge", "first_cp_mean"] == 0.84
    assert kinds.loc["reasoning", "reached"] == 0
