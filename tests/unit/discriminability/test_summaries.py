import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import leaderboards, names, study


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


def test_the_summary_holds_the_counts_the_best_and_the_moments():
    kept, tables = summary()
    january = kept[kept["month"] == "2024-01"]
    bins = tables["bins"].query("month == '2024-01'")
    assert bins["count"].sum() == 30
    assert bins["new_count"].sum() == 30
    moments = tables["moments"].query("month == '2024-01'").iloc[0]
    assert moments["mean"] == pytest.approx(january["score"].mean())
    assert moments["sd"] == pytest.approx(january["score"].std())
    top = tables["top"].query("month == '2024-01'")
    assert top["score"].tolist() == sorted(january["score"], reverse=True)[:20]


def test_a_model_is_new_once_and_comes_back_in_the_population():
    _, tables = summary()
    assert tables["bins"]["new_count"].sum() == 50  # 30, then 10 new ones a month
    names = tables["population"].query("unit == 'model'")
    assert names.groupby("name").size().between(2, 3).all()
    assert set(tables["population"].query("unit == 'family'")["name"]) == {
        f"f{i}" for i in range(7)
    }


def test_row_order_does_not_change_the_summary():
    kept, tables = summary()
    shuffled = leaderboards.summarise(kept.sample(frac=1, random_state=1), "x")
    for name, table in tables.items():
        pd.testing.assert_frame_equal(table, shuffled[name])


def test_summaries_of_several_leaderboards_stand_below_each_other():
    _, first = summary()
    _, second = summary(seed=1)
    both = leaderboards.combine([first, second])
    assert list(both) == list(names.SUMMARY)
    for name, table in both.items():
        pd.testing.assert_frame_equal(
            table, pd.concat([first[name], second[name]], ignore_index=True)
        )


def test_only_the_best_twenty_are_kept_with_their_accuracies():
    kept, _ = summary(n=25)
    tables = leaderboards.summarise(kept.assign(accuracy=kept["score"] / 2), "x")
    top = tables["top"].query("month == '2024-01'")
    assert top["rank"].tolist() == list(range(1, 21))
    assert (top["accuracy"] == top["score"] / 2).all()


def test_histograms_put_the_counts_in_their_bins():
    _, tables = summary()
    windows, _ = study.windowed(tables, "month", 3, 10)
    wide = leaderboards.histograms(windows["bins"])
    assert wide.shape == (3, names.FINE_BINS)
    assert wide.sum(axis=1).tolist() == [30, 30, 30]


def test_those_with_several_evaluations_are_listed_with_their_bins():
    kept, _ = summary(months=("2024-01", "2024-02"), n=12)
    named = kept.assign(
        submitter=["one", "one", "two", *map(str, range(9)), "two", "one", *map(str, range(10, 20))]
    )
    table = leaderboards.summarise(named, "x")["submitters"]
    counted = table.groupby(["month", "submitter"])["count"].sum()
    assert counted.to_dict() == {
        ("2024-01", "one"): 2, ("2024-01", "two"): 1, ("2024-02", "one"): 1, ("2024-02", "two"): 1,
    }  # fmt: skip
    first = named[(named["submitter"] == "one") & (named["month"] == "2024-01")]
    assert sorted(table.query("submitter == 'one' and month == '2024-01'")["bin"]) == sorted(
        first["bin"].unique()
    )
