import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import leaderboards
from saturation.errors import InputError


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


def test_good_rows_become_proportions_with_exact_bins():
    kept, dropped = screen(rows(score=(0, 35.0), model=(1, "x")))
    assert dropped.empty
    assert kept["score"].iloc[0] == pytest.approx(0.35)
    assert kept["bin"].iloc[0] == 105  # the lower edge of the eighth of 20 bins
    assert kept["month"].unique().tolist() == ["2024-05"]
    assert screen(rows(score=(0, 100)))[0]["bin"].iloc[0] == 299


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


def test_the_reasons_are_counted_by_kind():
    frame = rows(score=(3, 101))
    frame.loc[4, "score"] = 102
    with pytest.raises(InputError, match="2 x score is outside 0 to 100"):
        leaderboards.require_kept(screen(frame)[1], "own.csv")


def test_two_variants_of_a_model_on_one_day_are_two_evaluations():
    frame = rows(model=(3, "m2")).assign(variant=["fp16"] * 9 + ["fp32"])
    assert len(screen(frame)[1]) == 1
    frame.loc[3, "variant"] = "fp32"
    assert screen(frame)[1].empty


def test_mixed_scales_are_recognised_and_always_stop():
    with pytest.raises(InputError, match="proportions mixed with percent"):
        screen(rows(score=(3, 0.47)))


def test_another_scale_than_declared_is_recognised():
    frame = rows()
    frame["score"] = frame["score"].astype(float) / 100
    with pytest.raises(InputError, match=r"every score is at most 0\.9"):
        screen(frame)
    assert screen(frame, (0, 1))[1].empty


def test_low_scores_of_a_hard_benchmark_are_not_a_mixed_scale():
    frame = rows()
    frame["score"] = [0.0, 0.4, 0.9, 1.3, 2.5, 4.0, 8.0, 20.0, 30.0, 60.0]
    assert len(screen(frame)[0]) == 10


def test_wide_and_long_tables_give_the_same():
    wide = pd.DataFrame(
        {"model": ["a", "b"], "date": "2024-05-03", "x": [50.0, 60.0], "y": [70.0, 80.0]}
    )
    long = wide.melt(id_vars=["model", "date"], var_name="benchmark", value_name="score")
    columns = ["benchmark", "model", "score", "bin"]
    from_wide = screen(leaderboards.long_format(wide, "w.csv"))[0][columns]
    from_long = screen(leaderboards.numbered(long, "l.csv"))[0][columns]
    pd.testing.assert_frame_equal(from_wide, from_long)


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
    with pytest.raises(InputError) as error:
        leaderboards.require_one_scale(
            pd.Series(["a", "a", "b", "c", "c"]),
            pd.Series([0.5, 50, 0.9, 10, 60]),
            (0, 100),
            "own.csv",
        )
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
