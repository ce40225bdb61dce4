import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import leaderboards, study
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
    return kept, leaderboards.summarise(kept, "x")


def test_a_quarter_is_its_three_months_together():
    kept, tables = summary()
    windows, _ = study.windowed(tables, "quarter", 3, 10)
    row = windows["windows"].iloc[0]
    assert (row["month"], row["n_models"]) == ("2024Q1", 90)
    assert row["mean"] == pytest.approx(kept["score"].mean())
    assert row["sd"] == pytest.approx(kept["score"].std())
    best = windows["top"].query("scope == 'window'")["score"]
    assert best.tolist() == pytest.approx(sorted(kept["score"], reverse=True)[:20])


def test_rolling_windows_overlap_but_count_models_so_far_once():
    _, tables = summary()
    windows, _ = study.windowed(tables, "rolling", 2, 10)
    assert windows["windows"]["n_models"].tolist() == [30, 60, 60]
    so_far = windows["bins"].groupby("month")["so_far"].sum()
    assert so_far.tolist() == [30, 40, 50]
    top = windows["top"].query("scope == 'so_far' and month == '2024-03'")["score"]
    assert top.tolist() == sorted(tables["top"]["score"], reverse=True)[:20]


def test_elapsed_counts_calendar_months():
    _, tables = summary(months=("2023-11", "2024-01", "2024-06"))
    windows, _ = study.windowed(tables, "month", 3, 10)
    assert windows["windows"]["elapsed"].tolist() == [0, 2, 7]


def test_small_windows_are_listed_and_a_benchmark_without_any_stops():
    kept, _ = summary()
    few = kept[(kept["month"] != "2024-02") | (kept.groupby("month", observed=True).cumcount() < 4)]
    windows, left_out = study.windowed(leaderboards.summarise(few, "x"), "month", 3, 10)
    assert windows["windows"]["month"].tolist() == ["2024-01", "2024-03"]
    assert left_out["month"].tolist() == ["2024-02"]
    assert "4 evaluations; at least 10" in left_out["reason"].iloc[0]
    with pytest.raises(InputError, match="benchmark 'b': no window has 31 evaluations"):
        study.windowed(leaderboards.summarise(kept, "x"), "month", 3, 31)


SETTINGS = study.InputsSettings("month", 3, 10)
BENCHMARKS = pd.DataFrame({"benchmark": ["b", "c"], "kind": "other", "n_test": np.nan})


def test_the_inputs_are_the_windows_the_benchmarks_and_what_was_left_out():
    kept, _ = summary()
    few = kept[(kept["month"] != "2024-02") | (kept.groupby("month", observed=True).cumcount() < 4)]
    dropped = pd.DataFrame([{"leaderboard": "x", "benchmark": "b", "row": 7, "reason": "bad"}])
    formed = study.inputs(
        leaderboards.summarise(few, "x"), BENCHMARKS, dropped, SETTINGS, "benchmarks.csv"
    )
    assert list(formed) == [
        "bins", "top", "population", "submitters", "windows", "benchmarks", "dropped",
    ]  # fmt: skip
    assert formed["windows"]["month"].tolist() == ["2024-01", "2024-03"]
    assert formed["dropped"]["row"].tolist()[0] == 7
    assert formed["dropped"]["month"].tolist()[1] == "2024-02"
    assert formed["dropped"].columns.tolist() == leaderboards.DROPPED


def test_a_benchmark_that_is_not_listed_is_named():
    _, tables = summary()
    with pytest.raises(InputError, match=r"mine\.csv: no row for benchmark 'b'; add one"):
        study.inputs(tables, BENCHMARKS.tail(1), pd.DataFrame(), SETTINGS, "mine.csv")


def test_windows_of_each_kind_by_hand():
    months = ["2024-01", "2023-11", "2024-03", "2024-01"]
    plain = study.window_months(months, "month", 3)
    assert plain.to_numpy().tolist() == [
        ["2023-11", "2023-11", 24286], ["2024-01", "2024-01", 24288], ["2024-03", "2024-03", 24290]
    ]  # fmt: skip
    quarters = study.window_months(months, "quarter", 3)
    assert quarters.to_numpy().tolist() == [
        ["2023Q4", "2023-11", 24287], ["2024Q1", "2024-01", 24290], ["2024Q1", "2024-03", 24290]
    ]  # fmt: skip
    rolling = study.window_months(months, "rolling", 3)
    assert rolling.to_numpy().tolist() == [
        ["2023-11", "2023-11", 24286],
        ["2024-01", "2023-11", 24288], ["2024-01", "2024-01", 24288],
        ["2024-03", "2024-01", 24290], ["2024-03", "2024-03", 24290],
    ]  # fmt: skip


def test_a_window_of_exactly_the_fewest_models_is_valid():
    _, tables = summary(n=12)
    windows, left_out = study.windowed(tables, "month", 3, 12)
    assert windows["windows"]["n_models"].tolist() == [12, 12, 12]
    assert left_out.empty


def test_a_window_of_one_model_has_no_standard_deviation():
    kept, _ = summary(months=("2024-01",), n=1)
    windows, _ = study.windowed(leaderboards.summarise(kept, "x"), "month", 3, 1)
    assert windows["windows"]["sd"].isna().all()


def test_a_model_stands_once_in_a_windows_population():
    _, tables = summary()
    windows, _ = study.windowed(tables, "quarter", 3, 10)
    models = windows["population"].query("unit == 'model'")
    assert not models.duplicated(["month", "name"]).any()
    first = tables["population"].query("unit == 'model'").drop_duplicates("name")
    merged = models.merge(first, on="name")
    assert (merged["bin_x"] == merged["bin_y"]).all()  # its first evaluation
