import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import index_over_time
from saturation.index import saturation_index

BENCHMARKS = pd.DataFrame(
    {"benchmark": ["a", "b"], "kind": ["knowledge", "reasoning"], "n_test": [1000.0, np.nan]}
)


def top(benchmark, month, accuracies, scope="window"):
    return pd.DataFrame(
        {"leaderboard": "x", "benchmark": benchmark, "month": month, "scope": scope,
         "rank": range(1, len(accuracies) + 1), "accuracy": accuracies}
    )  # fmt: skip


def test_index_over_time_is_the_index_of_the_top_k():
    table = index_over_time.index_over_time(
        top("a", "2024-01", [0.9, 0.88, 0.87, 0.85, 0.8, 0.1]), BENCHMARKS, 5, 0.5
    )
    assert table["s_index"].iloc[0] == pytest.approx(saturation_index(0.9, 0.8, 1000))


def test_a_missing_n_and_too_few_models_are_said():
    tables = pd.concat([top("b", "2024-01", [0.9] * 5), top("a", "2024-01", [0.9] * 3)])
    table = index_over_time.index_over_time(tables, BENCHMARKS, 5, 0.5).set_index("benchmark")
    assert table["s_index"].isna().all()
    assert table.loc["a", "note"] == "fewer than 5 models"
    assert table.loc["b", "note"] == "the number of test items is not known"


def test_measures_that_rank_alike_agree_fully():
    months = [f"2024-0{i}" for i in range(1, 7)]
    monthly = pd.DataFrame({"leaderboard": "x", "benchmark": "a", "month": months,
                            "bdi": np.linspace(0.9, 0.2, 6)})  # fmt: skip
    index = monthly.assign(scope="window", s_index=np.linspace(0.1, 0.8, 6)).drop(columns="bdi")
    table = index_over_time.agreement(monthly, index)
    assert table["estimate"].tolist() == [pytest.approx(1)] * 3


def test_pace_and_kinds():
    monthly = pd.DataFrame(
        {"leaderboard": "x", "benchmark": ["a"] * 4 + ["b"] * 4, "month": list("1234") * 2,
         "elapsed": [0, 1, 2, 3] * 2, "bdi": 0.5, "n_models": 50,
         "ceiling_proximity": [0.84, 0.86, 0.85, 0.88, 0.3, 0.4, 0.5, 0.6]}
    )  # fmt: skip
    pace = index_over_time.pace(monthly, BENCHMARKS).set_index("benchmark")
    assert pace.loc["a", "months_to_085"] == 1
    assert np.isnan(pace.loc["b", "months_to_085"])
    assert pace.loc["b", "gain_a_month"] == pytest.approx(0.1)
    kinds = index_over_time.kinds(pace.reset_index()).set_index("kind")
    assert kinds.loc["knowledge", "first_cp_mean"] == 0.84
    assert kinds.loc["reasoning", "reached"] == 0
