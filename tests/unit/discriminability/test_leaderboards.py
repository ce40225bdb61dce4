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
