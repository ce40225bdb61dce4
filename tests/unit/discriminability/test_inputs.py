import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import inputs, leaderboards, summaries
from saturation.errors import InputError


def summary(months=("2024-01", "2024-02", "2024-03"), n=30, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.concat(
        [
            pd.DataFrame(
                {"model": [f"m{i}" for i in range(j * 10, j * 10 + n)], "benchmark": "b",
                 "date": f"{month}-15", "score": rng.uniform(5, 95, n),
                 "family": [f"f{i % 7}" for i in range(n)]}
            )
            for j, month in enumerate(months)
        ]
    )  # fmt: skip
    raw = leaderboards.numbered(frame.reset_index(drop=True), "own.csv")
    kept, _ = leaderboards.screen(raw, (0, 100), "own.csv")
    return kept, summaries.summarise(kept, "x")


def test_a_quarter_is_its_three_months_together():
    kept, tables = summary()
    windows, _ = inputs.windowed(tables, "quarter", 3, 10)
    row = windows["windows"].iloc[0]
    assert (row["month"], row["n_models"]) == ("2024Q1", 90)
    assert row["mean"] == pytest.approx(kept["score"].mean())
    assert row["sd"] == pytest.approx(kept["score"].std())
    best = windows["top"].query("scope == 'window'")["score"]
    assert best.tolist() == pytest.approx(sorted(kept["score"], reverse=True)[:20])


def test_rolling_windows_overlap_but_count_models_so_far_once():
    _, tables = summary()
    windows, _ = inputs.windowed(tables, "rolling", 2, 10)
    assert windows["windows"]["n_models"].tolist() == [30, 60, 60]
    so_far = windows["bins"].groupby("month")["so_far"].sum()
    assert so_far.tolist() == [30, 40, 50]
    top = windows["top"].query("scope == 'so_far' and month == '2024-03'")["score"]
    assert top.tolist() == sorted(tables["top"]["score"], reverse=True)[:20]


def test_elapsed_counts_calendar_months():
    _, tables = summary(months=("2023-11", "2024-01", "2024-06"))
    windows, _ = inputs.windowed(tables, "month", 3, 10)
    assert windows["windows"]["elapsed"].tolist() == [0, 2, 7]


def test_small_windows_are_listed_and_a_benchmark_without_any_stops():
    kept, _ = summary()
    few = kept[(kept["month"] != "2024-02") | (kept.groupby("month", observed=True).cumcount() < 4)]
    windows, left_out = inputs.windowed(summaries.summarise(few, "x"), "month", 3, 10)
    assert windows["windows"]["month"].tolist() == ["2024-01", "2024-03"]
    assert left_out["month"].tolist() == ["2024-02"]
    assert "4 evaluations; at least 10" in left_out["reason"].iloc[0]
    with pytest.raises(InputError, match="benchmark 'b': no window has 31 evaluations"):
        inputs.windowed(summaries.summarise(kept, "x"), "month", 3, 31)
