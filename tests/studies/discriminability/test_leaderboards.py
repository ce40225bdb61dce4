"""Evaluations at the border, their monthly summary, and windows formed from it."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from studies.discriminability import leaderboards


def rows(**changes):
    """Ten good rows; changes replace single cells, given as column=(row, value)."""
    frame = pd.DataFrame(
        {"model": [f"m{i}" for i in range(10)], "benchmark": "b", "date": "2024-05-03",
         "score": np.linspace(30, 90, 10)}
    ).astype({"score": object, "date": object, "model": object})  # fmt: skip
    for column, (row, value) in changes.items():
        frame.loc[row, column] = value
    return leaderboards.numbered(frame, "own.csv")


def screen(frame, score_range=(0, 100)):
    return leaderboards.screen(frame, score_range, "own.csv")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"score": (3, 101)}, "score 101 is outside 0 to 100"),
        ({"score": (3, -2)}, "score -2 is outside 0 to 100"),
        ({"score": (3, "high")}, "score 'high' is not a number"),
        ({"score": (3, np.inf)}, "is not finite"),
        ({"score": (3, None)}, "the score is missing"),
        ({"date": (3, None)}, "the date is missing"),
        ({"date": (3, "May 2024")}, "date 'May 2024' is not an ISO 8601 date"),
        ({"model": (3, "m2")}, "stand in an earlier row"),
        ({"model": (3, None)}, "no model or benchmark"),
    ],
)
def test_bad_rows_are_named_counted_and_can_stop(change, reason):
    kept, dropped = screen(rows(**change))
    assert len(kept) == 9
    assert dropped["row"].tolist() == [5]  # the header is line 1
    assert reason in dropped["reason"].iloc[0]
    with pytest.raises(InputError) as error:
        leaderboards.require_kept(dropped, "own.csv")
    assert "own.csv, row 5" in error.value.violations[0]
    assert "1 scores cannot be used" in error.value.violations[-1]


def test_two_variants_of_a_model_on_one_day_are_two_evaluations():
    frame = rows(model=(3, "m2")).assign(variant=["fp16"] * 9 + ["fp32"])
    assert len(screen(frame)[1]) == 1
    frame.loc[3, "variant"] = "fp32"
    assert screen(frame)[1].empty


def test_missing_columns_are_named():
    with pytest.raises(InputError, match="column 'date' is missing"):
        leaderboards.numbered(pd.DataFrame({"model": ["a"], "benchmark": "b", "score": 1}), "l.csv")
    with pytest.raises(InputError, match="no benchmark column"):
        leaderboards.long_format(pd.DataFrame({"model": ["a"], "date": "2024-01-01"}), "w.csv")


def wide():
    return pd.DataFrame(
        {"model": ["a", "b"], "date": "2024-05-03", "x": [50.0, 160.0], "y": [70.0, 80.0]}
    )


def test_a_users_table_in_either_layout_and_what_is_done_with_bad_rows():
    kept, dropped = leaderboards.usable(wide(), "wide", (0, 100), "drop", "w.csv")
    assert kept["score"].tolist() == pytest.approx([0.5, 0.7, 0.8])
    assert dropped.columns.tolist() == leaderboards.DROPPED
    assert dropped.iloc[0][["leaderboard", "benchmark", "row"]].tolist() == ["own", "x", 3]
    assert pd.isna(dropped["month"]).all()
    long = wide().melt(id_vars=["model", "date"], var_name="benchmark", value_name="score")
    again, _ = leaderboards.usable(long, "long", (0, 100), "drop", "l.csv")
    assert again["score"].tolist() == kept["score"].tolist()
    with pytest.raises(InputError, match="1 x score is outside 0 to 100"):
        leaderboards.usable(wide(), "wide", (0, 100), "stop", "w.csv")
    good, none = leaderboards.usable(wide().head(1), "wide", (0, 100), "stop", "w.csv")
    assert len(good) == 2
    assert none.empty


@pytest.mark.parametrize(
    ("score_range", "score", "proportion", "fine_bin"),
    [
        ((0, 100), 35, 0.35, 105),
        ((0, 100), 34.999, 0.34999, 104),
        ((0, 1), 0.29, 0.29, 87),
        ((-20, 20), -20, 0, 0),
        ((-20, 20), 20, 1, 299),
        ((-20, 20), 0, 0.5, 150),
        ((200, 800), 350, 0.25, 75),
    ],
)
def test_scores_on_any_range(score_range, score, proportion, fine_bin):
    low, high = score_range
    frame = pd.DataFrame(
        {"model": [f"m{i}" for i in range(4)], "benchmark": "b", "date": "2024-05-03",
         "score": [score, high, low, (low + high) / 2]}
    )  # fmt: skip
    kept, dropped = screen(leaderboards.numbered(frame, "own.csv"), score_range)
    assert dropped.empty
    assert kept["score"].iloc[0] == pytest.approx(proportion, abs=1e-12)
    assert kept["accuracy"].iloc[0] == pytest.approx(proportion, abs=1e-12)
    assert kept["bin"].tolist() == [fine_bin, 299, 0, 150]


def test_accuracies_beside_the_scores_are_kept():
    frame = rows().assign(accuracy=np.linspace(40, 95, 10))
    kept, _ = screen(frame)
    assert kept["accuracy"].iloc[-1] == pytest.approx(0.95)
    assert kept["score"].iloc[-1] == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0, 0.5], "every score is at most 1, but the declared range is 0 to 100"),
        ([1.0, 0.0], "every score is at most 1,"),
        ([0.0, 0.0], None),
        ([1.01, 0.5], None),  # above a hundredth of the range: less than five times higher
        ([1.0, 4.99], None),
        ([1.0, 5.0], "scores up to 1 and from 5 with none between look like proportions"),
    ],
)
def test_scales_at_their_limits(scores, message):
    benchmarks, values = pd.Series(["b"] * len(scores)), pd.Series(scores)
    if message is None:
        leaderboards.require_one_scale(benchmarks, values, (0, 100), "own.csv")
        return
    with pytest.raises(InputError, match=message):
        leaderboards.require_one_scale(benchmarks, values, (0, 100), "own.csv")


def test_scales_are_judged_benchmark_by_benchmark():
    benchmarks, values = pd.Series(list("aabcc")), pd.Series([0.5, 50, 0.9, 10, 60])
    with pytest.raises(InputError) as error:
        leaderboards.require_one_scale(benchmarks, values, (0, 100), "own.csv")
    assert len(error.value.violations) == 2
    assert "benchmark 'a': scores up to 0.5 and from 50" in error.value.violations[0]
    assert "benchmark 'b': every score is at most 0.9" in error.value.violations[1]


def test_only_the_first_bad_rows_are_shown_and_all_are_counted():
    frame = pd.concat([rows()] * 4, ignore_index=True)
    frame["row"] = np.arange(40) + 2
    with pytest.raises(InputError) as error:
        leaderboards.require_kept(screen(frame)[1], "own.csv")
    assert "30 scores cannot be used (30 x the same model" in error.value.violations[-1]
    assert len(error.value.violations) == leaderboards.MOST_REPORTED + 1


def test_a_date_with_a_zone_counts_in_its_universal_month():
    kept, _ = screen(rows(date=(0, "2024-05-31T23:30:00-02:00")))
    assert kept["month"].iloc[0] == "2024-06"


def test_a_submitter_is_named_or_stands_before_the_slash_or_is_the_model_itself():
    names = ["org/a", "org/b/c", "alone", "org/d"]
    table = rows().head(4).assign(model=names)
    kept, _ = screen(table)
    assert kept["submitter"].tolist() == ["org", "org", "alone", "org"]
    kept, _ = screen(table.assign(submitter=["x", None, "y", 7]))
    assert kept["submitter"].tolist() == ["x", "org", "y", "7"]


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


def test_the_summary_holds_the_counts_and_the_best():
    kept, tables = summary()
    january = kept[kept["month"] == "2024-01"]
    bins = tables["bins"].query("month == '2024-01'")
    assert bins["count"].sum() == 30
    top = tables["top"].query("month == '2024-01'")
    assert top["score"].tolist() == sorted(january["score"], reverse=True)[:20]


def test_a_model_comes_back_in_the_population():
    _, tables = summary()
    names = tables["population"].groupby("unit")["name"]
    assert names.get_group("model").value_counts().between(2, 3).all()
    assert set(names.get_group("family")) == {f"f{i}" for i in range(7)}


def test_row_order_does_not_change_the_summary():
    kept, tables = summary()
    shuffled = leaderboards.summarise(kept.sample(frac=1, random_state=1), "x")
    for name, table in tables.items():
        pd.testing.assert_frame_equal(table, shuffled[name])


def test_only_the_best_twenty_are_kept_with_their_accuracies():
    kept, _ = summary(n=25)
    tables = leaderboards.summarise(kept.assign(accuracy=kept["score"] / 2), "x")
    top = tables["top"].query("month == '2024-01'")
    assert top["rank"].tolist() == list(range(1, 21))
    assert (top["accuracy"] == top["score"] / 2).all()


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


def test_a_quarter_is_its_three_months_together():
    kept, tables = summary()
    windows, _ = leaderboards.windowed(tables, "quarter", 3, 10)
    row = windows["windows"].iloc[0]
    assert (row["month"], row["n_models"]) == ("2024Q1", 90)
    best = windows["top"].query("scope == 'window'")["score"]
    assert best.tolist() == pytest.approx(sorted(kept["score"], reverse=True)[:20])


def test_rolling_windows_overlap_but_count_models_so_far_once():
    _, tables = summary()
    windows, _ = leaderboards.windowed(tables, "rolling", 2, 10)
    assert windows["windows"]["n_models"].tolist() == [30, 60, 60]
    assert windows["bins"].groupby("month")["count"].sum().tolist() == [30, 60, 60]
    top = windows["top"].query("scope == 'so_far' and month == '2024-03'")["score"]
    assert top.tolist() == sorted(tables["top"]["score"], reverse=True)[:20]


def test_elapsed_counts_calendar_months():
    _, tables = summary(months=("2023-11", "2024-01", "2024-06"))
    windows, _ = leaderboards.windowed(tables, "month", 3, 10)
    assert windows["windows"]["elapsed"].tolist() == [0, 2, 7]


def test_small_windows_are_listed_and_a_benchmark_without_any_stops():
    kept, _ = summary()
    few = kept[(kept["month"] != "2024-02") | (kept.groupby("month", observed=True).cumcount() < 4)]
    windows, left_out = leaderboards.windowed(leaderboards.summarise(few, "x"), "month", 3, 10)
    assert windows["windows"]["month"].tolist() == ["2024-01", "2024-03"]
    assert left_out["month"].tolist() == ["2024-02"]
    assert "4 evaluations; at least 10" in left_out["reason"].iloc[0]
    with pytest.raises(InputError, match="benchmark 'b': no window has 31 evaluations"):
        leaderboards.windowed(leaderboards.summarise(kept, "x"), "month", 3, 31)


def test_windows_of_each_kind_by_hand():
    months = ["2024-01", "2023-11", "2024-03", "2024-01"]
    plain = leaderboards.window_months(months, "month", 3)
    assert plain.to_numpy().tolist() == [
        ["2023-11", "2023-11", 24286], ["2024-01", "2024-01", 24288], ["2024-03", "2024-03", 24290]
    ]  # fmt: skip
    quarters = leaderboards.window_months(months, "quarter", 3)
    assert quarters.to_numpy().tolist() == [
        ["2023Q4", "2023-11", 24287], ["2024Q1", "2024-01", 24290], ["2024Q1", "2024-03", 24290]
    ]  # fmt: skip
    rolling = leaderboards.window_months(months, "rolling", 3)
    assert rolling.to_numpy().tolist() == [
        ["2023-11", "2023-11", 24286],
        ["2024-01", "2023-11", 24288], ["2024-01", "2024-01", 24288],
        ["2024-03", "2024-01", 24290], ["2024-03", "2024-03", 24290],
    ]  # fmt: skip


def test_a_window_of_exactly_the_fewest_models_is_valid():
    for n in (12, 1):
        windows, left_out = leaderboards.windowed(summary(n=n)[1], "month", 3, n)
        assert windows["windows"]["n_models"].tolist() == [n] * 3
        assert left_out.empty


def test_a_model_stands_once_in_a_windows_population():
    _, tables = summary()
    windows, _ = leaderboards.windowed(tables, "quarter", 3, 10)
    models = windows["population"].query("unit == 'model'")
    assert not models.duplicated(["month", "name"]).any()
    first = tables["population"].query("unit == 'model'").drop_duplicates("name")
    merged = models.merge(first, on="name")
    assert (merged["bin_x"] == merged["bin_y"]).all()  # its first evaluation
