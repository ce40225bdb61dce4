import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation import seeds
from saturation.discriminability import bdi, windows
from saturation.discriminability.bdi import Resampling
from saturation.discriminability.names import FINE_BINS, KEYS
from saturation.statistics import entropy, intervals

MONTHS = ["2024-01", "2024-02", "2024-03"]
WINDOWS = [("x", "y", month) for month in MONTHS]
RESAMPLING = Resampling(20, 40, 0.95, seed=3)
WIDE, WIDER, NARROW = [90, 90, *[24] * 18], [50, 49, 51] * 6 + [50, 45], [0] * 18 + [300, 290]


def monthly(plain, n=(200, 200, 200)):
    """Three windows with a given index."""
    return pd.DataFrame(WINDOWS, columns=KEYS).assign(elapsed=[0, 1, 2], n_models=n, bdi=plain)


def course(*histograms):
    """Windows of independent models by their keys."""
    return {
        key: bdi.counted_once(np.array(counts), None) for key, counts in zip(WINDOWS, histograms)
    }


def counted(*histograms):
    """Histograms of windows by their keys."""
    return {key: np.array(counts) for key, counts in zip(WINDOWS, histograms)}


def parts(*histograms):
    return list(course(*histograms).values())


def changes(plain, histograms, n=(200, 200, 200)):
    once, coarse = course(*histograms), counted(*histograms)
    return windows.changes(monthly(plain, n), once, coarse, 100, RESAMPLING)


FLAT = [[20, 30, 10, *[5] * 17]] * 3


@pytest.fixture
def changed():
    """Changes by hand over three windows; the plain peak is the second one."""
    table = changes([0.6, 0.8, 0.5], [WIDER, WIDE, NARROW])
    return table.set_index(["comparison", "last_window"])


def test_the_papers_change_by_hand(changed):
    row = changed.loc[("first_to_last", "any")]
    assert (row["from"], row["to"], row["n_from"]) == ("2024-01", "2024-03", 200)
    assert (row["bdi_from"], row["bdi_to"]) == (0.6, 0.5)
    assert row["change"] == pytest.approx(-0.1)
    assert row["relative"] == pytest.approx(-1 / 6)
    row = changed.loc[("peak_to_last", "any")]
    assert (row["from"], row["to"]) == ("2024-02", "2024-03")
    assert (row["bdi_from"], row["change"]) == (0.8, pytest.approx(-0.3))


def test_the_change_from_the_first_window_is_tested_by_students_t(changed):
    row = changed.loc[("first_to_last", "any")]
    first, last = (bdi.estimated(w) for w in parts(WIDER, NARROW))
    assert row["submitters_from"] == "2024-01"
    assert row["submitters_change"] == pytest.approx(float(last.value - first.value))
    error = np.hypot(first.standard_error, last.standard_error)
    half = row["submitters_change_upper"] - row["submitters_change"]
    assert row["submitters_change"] - row["submitters_change_lower"] == pytest.approx(half)
    assert stats.norm.ppf(0.975) * error < half < stats.t.ppf(0.975, 60) * error
    assert row["significant"]
    assert row["p_value"] < 1e-6
    assert row["reason"] == ""


def test_the_fall_is_from_the_highest_index_of_submitters_not_of_evaluations(changed):
    row = changed.loc[("peak_to_last", "any")]
    wider, _, narrow = parts(WIDER, WIDE, NARROW)
    assert row["submitters_from"] == "2024-01"  # the plain peak is the second window
    assert row["submitters_change"] == pytest.approx(narrow.value - wider.value)
    alone = changed.loc[("first_to_last", "any")]
    # The bounds of a chosen window are wider than those of a given one.
    assert row["submitters_change_lower"] < alone["submitters_change_lower"]
    assert row["submitters_change_upper"] > alone["submitters_change_upper"]
    assert row["significant"]


def test_a_rise_has_no_fall_from_the_peak():
    table = changes([0.5, 0.6, 0.7], [NARROW, WIDE, WIDER]).set_index("comparison")
    peak = table.loc["peak_to_last"].iloc[0]
    assert peak["submitters_from"] == peak["to"] == "2024-03"
    assert peak["submitters_change"] == peak["submitters_change_upper"] == 0
    assert not np.signbit(peak["submitters_change"])
    assert peak["submitters_change_lower"] <= 0
    assert peak["p_value"] == 1
    assert not peak["significant"]
    assert table.loc["first_to_last"].iloc[0]["significant"]


def test_windows_too_small_for_an_interval_are_not_chosen_as_the_peak():
    small = [3] * 15 + [0] * 5  # 45 models, spread wider than the rest
    table = changes([0.5, 0.9, 0.4], [FLAT[0], small, NARROW]).set_index("comparison")
    peak = table.loc["peak_to_last"].iloc[0]
    assert peak["from"] == "2024-02"
    assert peak["submitters_from"] == "2024-01"
    assert peak["significant"]


@pytest.mark.parametrize(
    ("histograms", "reason"),
    [
        ([FLAT[0], FLAT[0], [3] * 15 + [0] * 5], "last window: 45 submitters; at least 50"),
        ([[2] * 20, [3] * 15 + [0] * 5, FLAT[0]], "first window: 40 submitters; at least 50"),
        ([FLAT[0], FLAT[0], [0, 90, *[0] * 18]], "last window: the filled bins hold equally many"),
    ],
)
def test_what_cannot_be_tested_is_not(histograms, reason):
    table = changes([0.6, 0.8, 0.5], histograms)
    assert table["reason"].str.startswith(reason).all()
    found = ["submitters_from", "submitters_change", "submitters_change_lower",
             "submitters_change_upper", "p_value", "significant", "p_value_entries"]  # fmt: skip
    assert table[found].isna().all(axis=None)
    assert table["change"].notna().all()


def test_windows_of_the_same_submitters_with_the_same_scores_tell_nothing():
    known = pd.DataFrame(
        {"submitter": [f"s{i}" for i in range(60)], "bin": np.arange(60) * 4, "count": 2}
    )
    counts = bdi.rebin(2 * np.bincount(known["bin"], minlength=FINE_BINS), 20)
    window = bdi.counted_once(counts, known)
    found = windows.from_first([window, window], 0.95)
    assert found["reason"] == "the windows hold the same, so nothing is known of the error"
    assert np.isnan(found["p_value"])


def test_an_index_that_starts_at_0_has_no_relative_change():
    table = changes([0.0, 0.2, 0.1], FLAT)
    assert np.isnan(table["relative"].iloc[0])
    assert table["relative"].iloc[1] == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("sizes", "ends"),
    [
        ((200, 100, 99), {"any": "2024-03", "large": "2024-02"}),
        ((200, 99, 100), {"any": "2024-03", "large": "2024-03"}),
        ((100, 99, 99), {"any": "2024-03"}),  # the large one is the first: no change up to it
        ((99, 99, 99), {"any": "2024-03"}),
    ],
)
def test_changes_are_also_taken_up_to_the_last_large_window(sizes, ends):
    table = changes([0.6, 0.8, 0.5], FLAT, sizes)
    assert table.groupby("last_window")["to"].first().to_dict() == ends
    assert table.groupby("last_window")["comparison"].apply(list).map(tuple).unique().tolist() == [
        ("first_to_last", "peak_to_last")
    ]


def test_the_same_last_window_gives_the_same_bounds():
    table = changes([0.6, 0.8, 0.5], [WIDER, WIDE, FLAT[0]])
    any_, large = (table[table["last_window"] == last] for last in ("any", "large"))
    pd.testing.assert_frame_equal(
        any_.drop(columns="last_window").reset_index(drop=True),
        large.drop(columns="last_window").reset_index(drop=True),
    )


def test_windows_are_taken_in_the_order_of_time_and_one_window_has_no_change():
    frame, once = monthly([0.6, 0.8, 0.5]), course(WIDER, WIDE, NARROW)
    coarse = counted(WIDER, WIDE, NARROW)
    pd.testing.assert_frame_equal(
        windows.changes(frame[::-1], once, coarse, 100, RESAMPLING),
        windows.changes(frame, once, coarse, 100, RESAMPLING),
    )
    single = windows.changes(frame.head(1), once, coarse, 100, RESAMPLING)
    assert single.empty
    assert single.columns.tolist() == windows.CHANGES


def test_the_p_value_of_entries_is_that_of_independent_evaluations():
    once, coarse = course(WIDER, WIDE, NARROW), counted(*FLAT)
    table = windows.changes(monthly([0.6, 0.8, 0.5]), once, coarse, 100, RESAMPLING)
    assert (table["p_value"] < 0.05).all()
    assert (table["p_value_entries"] > 0.9).all()
    assert not table["apart"].any()


def test_intervals_lie_apart_where_they_have_no_point_in_common():
    table = changes([0.9, 0.9, 0.3], [WIDER, WIDE, NARROW])
    assert table["apart"].all()
    # The fall from the peak starts at the second window, which is like the last.
    table = changes([0.3, 0.9, 0.8], [NARROW, WIDE, WIDE]).set_index("comparison")
    assert table.loc["first_to_last", "apart"].all()
    assert not table.loc["peak_to_last", "apart"].any()


def tables(scores_by_month):
    """Windows, bins and best scores, as the inputs stage forms them."""
    forms, bins, top = [], [], []
    for elapsed, (month, scores) in enumerate(scores_by_month.items()):
        key = dict(zip(KEYS, ("x", "y", month), strict=True))
        counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
        bins += [{**key, "bin": b, "count": counts[b], "so_far": 0} for b in np.flatnonzero(counts)]
        best = sorted(scores, reverse=True)[:20]
        top += [{**key, "scope": scope, "rank": rank, "score": score}
                for scope, scores_ in (("window", best), ("so_far", [1.0] * 20))
                for rank, score in enumerate(scores_, start=1)]  # fmt: skip
        forms.append({**key, "n_models": len(scores), "mean": np.mean(scores), "sd": np.std(scores),
                      "elapsed": elapsed})  # fmt: skip
    known = pd.DataFrame(
        [("x", "y", "2024-01", "org", 15, 2), ("x", "y", "2024-01", "org", 65, 1),
         ("x", "y", "2024-02", "org", 270, 1)],
        columns=[*KEYS, "submitter", "bin", "count"],
    )  # fmt: skip
    return pd.DataFrame(forms), pd.DataFrame(bins), pd.DataFrame(top), known


SCORES = {
    "2024-01": np.linspace(0.05, 0.85, 25),
    "2024-02": np.linspace(0.4, 0.9, 12),
    "2024-03": np.linspace(0.701, 0.7019, 9),
}


@pytest.fixture(scope="module")
def measured():
    return windows.measured(*tables(SCORES), Resampling(20, 40, 0.9, seed=3), 100)


def test_the_monthly_table_holds_each_windows_metrics(measured):
    table = measured[0].set_index("month")
    for month, scores in SCORES.items():
        counts, _ = np.histogram(scores, 20, (0, 1))
        assert table.loc[month, "bdi"] == pytest.approx(bdi.bdi(counts))
        assert table.loc[month, "max_score"] == table.loc[month, "ceiling_proximity"] == max(scores)
    assert table["n_models"].tolist() == [25, 12, 9]
    assert table["n_submitters"].tolist() == [23, 12, 9]
    assert table["bdi_submitters_lower"].isna().all()
    assert table["reason"].tolist() == [
        f"{n} submitters; at least 50 are needed for an interval" for n in (23, 12, 9)
    ]
    assert table.loc["2024-01", "top10_gap"] == pytest.approx(0.8 / 24)
    assert table.loc["2024-01", "top20_gap"] == pytest.approx(0.8 / 24)
    assert table.loc["2024-02", "top10_gap"] == pytest.approx(0.5 / 11)
    assert table["top20_gap"].notna().tolist() == [True, False, False]
    assert table["top20_gap_lower"].notna().tolist() == [True, False, False]
    assert table["top10_gap_upper"].notna().tolist() == [True, True, False]
    assert table["note"].tolist() == [
        "",
        "fewer than 20 models, so there is no top-20 gap",
        "fewer than 10 models, so there is no top-10 gap; "
        "fewer than 20 models, so there is no top-20 gap",
    ]


def test_the_gaps_intervals_are_those_of_the_windows_own_resamples(measured):
    scores = SCORES["2024-01"]
    fine, _ = np.histogram(scores, FINE_BINS, (0, 1))
    rng = seeds.generator(3, "discriminability", "monthly", "x", "y", "2024-01")
    gaps = bdi.resample_top_gaps(sorted(scores, reverse=True)[:20], fine, 40, rng)
    row = measured[0].iloc[0]
    assert (row["top10_gap_lower"], row["top10_gap_upper"]) == intervals.percentile(gaps[10], 0.9)


def test_a_window_is_described_by_its_index_and_interval():
    (window,) = parts(WIDE)
    row = windows.of_window(window, 0.9)
    lower, upper = entropy.interval(bdi.estimated(window), 0.9, 1.0)
    assert row == {
        "n_submitters": sum(WIDE), "bdi_submitters": window.value,
        "bdi_submitters_lower": float(lower), "bdi_submitters_upper": float(upper), "reason": "",
    }  # fmt: skip


def test_the_changes_are_those_of_the_monthly_table(measured):
    table, changes = measured
    first = changes.iloc[0]
    assert changes["last_window"].unique().tolist() == ["any"]
    assert first["change"] == pytest.approx(table["bdi"].iloc[2] - table["bdi"].iloc[0])


def test_the_seed_moves_intervals_only(measured):
    other, _ = windows.measured(*tables(SCORES), Resampling(20, 40, 0.9, seed=4), 100)
    assert (other["bdi"] == measured[0]["bdi"]).all()
    same = ["bdi_submitters", "bdi_submitters_lower"]
    pd.testing.assert_frame_equal(other[same], measured[0][same])
    assert (other["top10_gap_lower"] != measured[0]["top10_gap_lower"]).any()
