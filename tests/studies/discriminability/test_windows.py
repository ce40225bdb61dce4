"""Metrics of windows, their changes, the same submitters at both ends, and the index over time."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from saturation.discriminability import bdi, growth
from saturation.discriminability.names import FINE_BINS, KEYS
from saturation.discriminability.windows import change_from_first
from studies.discriminability import leaderboards, windows

MONTHS = ["2024-01", "2024-02", "2024-03"]
WINDOWS = [("x", "y", month) for month in MONTHS]
RESAMPLING = windows.Resampling(20, 40, 0.95, seed=3)
WIDE, WIDER, NARROW = [90, 90, *[24] * 18], [50, 49, 51] * 6 + [50, 45], [0] * 18 + [300, 290]


def monthly(plain, n=(200, 200, 200)):
    """Three windows with a given index."""
    return pd.DataFrame(WINDOWS, columns=KEYS).assign(elapsed=[0, 1, 2], n_models=n, bdi=plain)


def listed(*histograms):
    """Windows of independent models."""
    return [bdi.counted_once(np.array(counts), None) for counts in histograms]


def changes(plain, histograms, n=(200, 200, 200), entries=None, rows=slice(None)):
    """Changes by the histograms of submitters and, where they are given, others of entries."""
    once = dict(zip(WINDOWS, listed(*histograms)))
    coarse = dict(zip(WINDOWS, map(np.array, entries or histograms)))
    return windows.changes(monthly(plain, n)[rows], once, coarse, 100, RESAMPLING)


FLAT = [[20, 30, 10, *[5] * 17]] * 3


@pytest.fixture
def changed():
    """Changes by hand over three windows; the plain peak is the second one."""
    table = changes([0.6, 0.8, 0.5], [WIDER, WIDE, NARROW])
    return table.set_index("last_window")


def test_the_change_from_the_first_window_is_tested_by_students_t(changed):
    row = changed.loc["any"]
    first, last = (bdi.estimated(w) for w in listed(WIDER, NARROW))
    assert (row["from"], row["to"]) == ("2024-01", "2024-03")
    assert row["submitters_change"] == pytest.approx(float(last.value - first.value))
    error = np.hypot(first.standard_error, last.standard_error)
    half = row["submitters_change_upper"] - row["submitters_change"]
    assert row["submitters_change"] - row["submitters_change_lower"] == pytest.approx(half)
    assert stats.norm.ppf(0.975) * error < half < stats.t.ppf(0.975, 60) * error
    assert row["significant"]
    assert row["p_value"] < 1e-6
    assert row["reason"] == ""


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
    found = ["submitters_change", "submitters_change_lower",
             "submitters_change_upper", "p_value", "significant", "p_value_entries"]  # fmt: skip
    assert table[found].isna().all(axis=None)
    assert table["change"].notna().all()


def test_windows_of_the_same_submitters_with_the_same_scores_tell_nothing():
    known = pd.DataFrame(
        {"submitter": [f"s{i}" for i in range(60)], "bin": np.arange(60) * 4, "count": 2}
    )
    counts = bdi.rebin(2 * np.bincount(known["bin"], minlength=FINE_BINS), 20)
    window = bdi.counted_once(counts, known)
    found = change_from_first([window, window], 0.95)
    assert found["reason"] == "the windows hold the same, so nothing is known of the error"
    assert np.isnan(found["p_value"])


def test_an_index_that_starts_at_0_has_no_relative_change():
    table = changes([0.0, 0.2, 0.1], FLAT)
    assert np.isnan(table["relative"].iloc[0])


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


def test_windows_are_taken_in_the_order_of_time_and_one_window_has_no_change():
    given = [0.6, 0.8, 0.5], [WIDER, WIDE, NARROW]
    backwards = changes(*given, rows=slice(None, None, -1))
    pd.testing.assert_frame_equal(backwards, changes(*given))
    single = changes(*given, rows=slice(1))
    assert single.empty
    assert single.columns.tolist() == windows.CHANGES


def test_intervals_lie_apart_where_they_have_no_point_in_common():
    table = changes([0.9, 0.9, 0.3], [WIDER, WIDE, NARROW])
    assert table["apart"].all()
    assert not changes([0.9, 0.9, 0.8], [WIDE, WIDE, WIDE])["apart"].any()


SCORES = {
    "2024-01": np.linspace(0.051, 0.851, 25),
    "2024-02": np.linspace(0.401, 0.901, 12),
    "2024-03": np.linspace(0.701, 0.7019, 9),
}


@pytest.fixture(scope="module")
def measured():
    """Three of the first month's models and one of the second's are of one submitter."""
    frame = pd.DataFrame(
        [
            (f"{'org' if i < several else i}/{month}-{i}", "y", f"{month}-15", score)
            for (month, scores), several in zip(SCORES.items(), (3, 1, 0))
            for i, score in enumerate(scores)
        ],
        columns=["model", "benchmark", "date", "score"],
    )
    kept, _ = leaderboards.usable(frame, "long", (0, 1), "stop", "own.csv")
    formed, _ = leaderboards.windowed(leaderboards.summarise(kept, "x"), "month", 1, 1)
    return windows.measured(formed, windows.Resampling(20, 40, 0.9, seed=3), 100)


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


def entries(bins_by_month, unit="family"):
    return pd.DataFrame(
        [
            ("x", "y", month, unit, f"m{i}", value)
            for month, values in bins_by_month.items()
            for i, value in enumerate(values)
        ],
        columns=["leaderboard", "benchmark", "month", "unit", "name", "bin"],
    )


CHANGE = pd.DataFrame(
    [{"leaderboard": "x", "benchmark": "y", "last_window": "any",
      "from": "2024-01", "to": "2024-02", "change": -0.3}]
)  # fmt: skip


def fixed(table):
    result = windows.fixed_population(table, CHANGE, 20, 0.95)
    return result.set_index("unit")


def test_too_few_shared_members_are_reported_not_computed():
    table = fixed(entries({"2024-01": range(9), "2024-02": range(9)}))
    assert "9 members" in table.loc["family", "note"]
    assert "0 members" in table.loc["model", "note"]


def test_the_paired_change_by_hand():
    """Ten members over two of twenty bins at first, all in one of them at last."""
    # Bins 0 to 14 are the first of twenty, 15 to 29 the second.
    table = entries({"2024-01": [14, 15] * 5 + [30], "2024-02": [15, 29] * 5})
    row = fixed(table).loc["family"]
    assert row["members"] == 10  # the eleventh is in one window only
    assert row["bdi_to"] == 0
    assert row["bdi_from"] == pytest.approx(np.log(2) / np.log(20))
    assert row["change"] == pytest.approx(-np.log(2) / np.log(20))
    # Without any one of the ten, nine are split five to four.
    nine = -(5 * np.log(5 / 9) + 4 * np.log(4 / 9)) / 9
    assert row["corrected_change"] == pytest.approx(-(10 * np.log(2) - 9 * nine) / np.log(20))
    assert np.isnan(row["corrected_change_lower"])
    assert row["note"] == "10 members; at least 50 are needed for an interval"


def test_the_interval_leaves_out_members_with_both_their_scores():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 8, (2, 60)) * 15
    ends[1, :30] = ends[0, :30]
    row = fixed(entries({"2024-01": ends[0], "2024-02": ends[1]}, unit="model")).loc["model"]

    def change(members):
        first, last = (np.bincount(end // 15, minlength=20) for end in members)
        return float(bdi.bdi(last) - bdi.bdi(first))

    parts = [change(np.delete(ends, i, axis=1)) for i in range(60)]
    pseudo = 60 * change(ends) - 59 * np.array(parts)
    assert row["change"] == pytest.approx(change(ends))
    assert row["corrected_change"] == pytest.approx(pseudo.mean())
    half = row["corrected_change_upper"] - row["corrected_change"]
    error = pseudo.std(ddof=1) / 60**0.5
    assert 2 * error < half < 2.2 * error  # of Student's t with about as many degrees of freedom
    assert row["corrected_change"] - row["corrected_change_lower"] == pytest.approx(half)
    assert row["note"] == ""


@pytest.mark.parametrize(("members", "known"), [(49, False), (50, True)])
def test_an_interval_needs_fifty_members(members, known):
    first = np.arange(members) * 6 % 300
    row = fixed(entries({"2024-01": first, "2024-02": first[::-1] // 2})).loc["family"]
    assert np.isfinite(row["corrected_change_upper"]) == known
    assert (row["note"] == "") == known


def test_where_nobody_moved_nothing_is_known_of_the_error():
    bins = np.arange(60) * 5
    row = fixed(entries({"2024-01": bins, "2024-02": bins})).loc["family"]
    assert row["corrected_change"] == 0
    assert np.isnan(row["corrected_change_lower"])
    assert row["note"].endswith("so nothing is known of the error")


def test_a_change_within_one_window_or_to_an_unknown_one_has_no_members():
    table = entries({"2024-01": range(12), "2024-02": range(12)})
    for end in ("2024-01", "2024-03"):
        change = CHANGE.assign(to=end)
        result = windows.fixed_population(table, change, 20, 0.95)
        assert result["members"].tolist() == [0, 0]
        assert result["change"].isna().all()


BENCHMARKS = pd.DataFrame(
    {"benchmark": ["a", "b"], "kind": ["knowledge", "reasoning"], "n_test": [1000.0, np.nan]}
)


def top(benchmark, month, accuracies, scope="window"):
    return pd.DataFrame(
        {"leaderboard": "x", "benchmark": benchmark, "month": month, "scope": scope,
         "rank": range(1, len(accuracies) + 1), "accuracy": accuracies}
    )  # fmt: skip


def test_a_missing_n_and_too_few_models_are_said():
    tables = pd.concat([top("b", "2024-01", [0.9] * 5), top("a", "2024-01", [0.9] * 3)])
    table = windows.index_over_time(tables, BENCHMARKS, 5, 0.5).set_index("benchmark")
    assert table["s_index"].isna().all()
    assert table.loc["a", "note"] == "fewer than 5 models"
    assert table.loc["b", "note"] == "the number of test items is not known"


def paced(elapsed, proximity, benchmark="a", bdi=0.5):
    return pd.DataFrame(
        {"leaderboard": "x", "benchmark": benchmark, "elapsed": elapsed, "bdi": bdi,
         "ceiling_proximity": proximity}
    )  # fmt: skip


def test_the_pace_is_the_slope_of_the_best_so_far():
    # R: summary(lm(c(0.2, 0.5, 0.5, 0.7) ~ c(0, 1, 3, 4))) gives 0.1 and 0.03708099.
    # By hand: Sxy / Sxx = 1 / 10; residuals -0.075, 0.125, -0.075, 0.025 with 2 of freedom.
    slope, error = 0.1, np.sqrt(0.0275 / 2 / 10)
    monthly = paced([4, 3, 0, 1], [0.7, 0.4, 0.2, 0.5], bdi=[0.3, 0.4, 0.8, 0.6])
    row = windows.pace(monthly).iloc[0]
    assert row["gain_a_month"] == pytest.approx(slope, abs=1e-9)
    assert row["gain_a_month_error"] == pytest.approx(error, abs=1e-9)
    assert row[["windows", "first_cp", "last_cp", "highest_cp"]].tolist() == [4, 0.2, 0.7, 0.7]
    # Two windows have no slope with an error.
    two = windows.pace(monthly.head(2)).iloc[0]
    assert np.isnan(two["gain_a_month"])
    assert np.isnan(two["gain_a_month_error"])
    assert two["last_cp"] == 0.7


def test_the_ceiling_is_approached_beyond_085():
    rising = paced([0, 2, 5, 6], [0.8, 0.85, 0.8501, 0.84])
    slow = paced([0, 1, 2, 3], [0.3, 0.4, 0.5, 0.6], benchmark="b")
    pace = windows.pace(pd.concat([rising, slow]))
    assert pace["months_to_085"].tolist() == pytest.approx([5, np.nan], nan_ok=True)


def test_rank_agreement_needs_three_windows_that_differ():
    """Of three benchmarks: two values over three windows, one value, and two windows."""
    measured = pd.DataFrame(
        {"leaderboard": "x", "benchmark": list("aaabbbcc"), "month": [*"123123", *"12"],
         "bdi": [0.9, 0.8, 0.8, 0.5, 0.5, 0.5, 0.4, 0.3],
         "s_index": [0.1, 0.2, 0.2, *[0.3, 0.4] * 2, 0.5]}
    )  # fmt: skip
    index = measured[[*KEYS, "s_index"]].assign(scope="window")
    table = windows.agreement(measured[[*KEYS, "bdi"]], index).set_index("benchmark")
    expected = pytest.approx([1, np.nan, np.nan], nan_ok=True)
    assert table["estimate"][["a", "b", "c"]].tolist() == expected
    assert table["n"].tolist() == [3, 3, 2, 8, 8]


class Fixed:
    """A random stream whose multinomial draws are given, and that keeps what it was asked for."""

    def __init__(self, drawn):
        self.drawn = np.array(drawn)

    def multinomial(self, n, shares, size):
        self.n, self.shares, self.size = n, shares, size
        return self.drawn


def test_below_the_best_scores_a_bins_midpoint_stands_for_its_scores():
    # 22 models; the two best are known, the bins 0.7 to 0.8 and 0.3 to 0.4 hold 10 each.
    counts = [0, 0, 0, 10, 0, 0, 0, 10, 1, 1]
    stream = Fixed([[1, 1, 10, 10], [0, 3, 7, 12], [0, 0, 22, 0], [0, 0, 0, 22]])
    drawn = windows.resample_top_gaps([0.97, 0.8], counts, 4, stream)
    assert (stream.n, stream.size) == (22, 4)
    assert stream.shares == pytest.approx(np.array([1, 1, 10, 10]) / 22)
    assert drawn[10] == pytest.approx([(0.97 - 0.75) / 9, (0.8 - 0.75) / 9, 0, 0])
    assert drawn[20] == pytest.approx([(0.97 - 0.35) / 19, (0.8 - 0.35) / 19, 0, 0])


@pytest.mark.parametrize(
    ("best", "counts", "known"),
    [
        ([1.0, 0.9, 0.3], [7, 0, 0, 1, 0, 0, 0, 0, 0, 2], [1, 1, 1, 7]),
        # 0.2999 is 0.3 in the file, and below that edge in the histogram: it counts once.
        ([0.3], [9, 0, 1, 0, 0, 0, 0, 0, 0, 0], [1, 9]),
    ],
)
def test_the_best_scores_are_taken_off_the_highest_bins(best, counts, known):
    stream = Fixed([known])
    windows.resample_top_gaps(best, counts, 1, stream)
    assert stream.shares == pytest.approx(np.array(known) / 10)


def test_a_gap_is_never_below_0():
    # The best score of bin 9 is known to be 0.91; another of that bin stands at its middle, 0.95.
    drawn = windows.resample_top_gaps([0.91], [0] * 9 + [10], 1, Fixed([[1, 9]]))
    assert drawn[10].tolist() == [0]


def test_gap_needs_k_models():
    for models, allowed in ((9, set()), (10, {10}), (19, {10}), (20, {10, 20})):
        scores = np.linspace(0.9, 0.1, models)
        counts, _ = np.histogram(scores, FINE_BINS, (0, 1))
        assert (
            set(windows.resample_top_gaps(scores, counts, 10, np.random.default_rng(0))) == allowed
        )


def test_the_summary_by_hand():
    """Three months of two benchmarks, indices given."""
    table = pd.DataFrame(
        [("x", name, f"2024-0{month + 1}", bins, value)
         for name, by_bins in {"a": {10: [0.5, 0.4, 0.3], 20: [0.6, 0.4, 0.2]},
                               "b": {10: [0.7, 0.6, 0.8], 20: [0.7, 0.8, 0.65]}}.items()
         for bins, values in by_bins.items()
         for month, value in enumerate(values)],
        columns=[*KEYS, "bins", "bdi"],
    )  # fmt: skip
    summary = windows.bins_summary(table, 20).set_index("bins")
    assert summary.index.tolist() == [10, 20]
    row = summary.loc[10]
    assert row["windows"] == 6
    # Shifts: -0.1, 0, 0.1 and 0, -0.2, 0.15.
    assert row["mean_shift"] == pytest.approx(-0.05 / 6)
    assert row["min_shift"] == pytest.approx(-0.2)
    assert row["max_shift"] == pytest.approx(0.15)
    # Of the 15 pairs of windows three turn round: those of b.
    assert row["order_agreement"] == pytest.approx((12 - 3) / 15)
    # a falls both times; b rises with ten bins and falls with twenty.
    assert row["trend_agreement"] == 0.5
    # Two benchmarks a month are too few for a correlation within the month.
    assert row["worst_month_agreement"] == 1


def test_the_worst_month_counts_and_leaderboards_are_kept_apart():
    names, months = ["a", "b", "c"], ["2024-01", "2024-02"]
    reference = {"2024-01": [0.1, 0.2, 0.3], "2024-02": [0.3, 0.2, 0.1]}
    other = {"2024-01": [0.1, 0.3, 0.2], "2024-02": [0.6, 0.5, 0.4]}
    table = pd.DataFrame(
        [("x", name, month, bins, values[month][place])
         for bins, values in ((20, reference), (10, other))
         for month in months
         for place, name in enumerate(names)],
        columns=[*KEYS, "bins", "bdi"],
    )  # fmt: skip
    row = windows.bins_summary(table, 20).set_index("bins").loc[10]
    assert row["worst_month_agreement"] == pytest.approx(1 / 3)  # two of three pairs agree


def test_the_first_window_of_each_criterion_and_how_often_all_are_met():
    late = monthly([0.8, 0.7, 0.6]).assign(top10_gap=[0.02, 0.005, 0.005])
    early = monthly([0.8, 0.6, 0.5]).assign(top10_gap=0.005, benchmark="a")
    both = pd.concat([late, early])[::-1].assign(ceiling_proximity=0.95)
    limits = growth.Thresholds(ceiling_proximity=0.9, top10_gap=0.01, bdi_decline=0.15)
    table = growth.retirement_table(both, limits)
    first = windows.first_due(table)
    assert first["benchmark"].tolist() == ["a", "y"]
    assert first["first_due"].tolist() == ["2024-02", "2024-03"]
    assert first["first_ceiling_met"].tolist() == ["2024-01", "2024-01"]
    assert first["first_decline_met"].tolist() == ["2024-02", "2024-03"]
    assert first["windows"].tolist() == [3, 3]
    assert first["windows_due"].tolist() == [2, 1]
    assert table.query("benchmark == 'y'")["peak_bdi"].tolist() == [0.8, 0.8, 0.8]
