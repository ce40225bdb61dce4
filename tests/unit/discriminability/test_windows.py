import numpy as np
import pandas as pd
import pytest

from saturation import seeds
from saturation.discriminability import bdi, windows
from saturation.discriminability.bdi import Draws, Resampling
from saturation.discriminability.names import FINE_BINS, KEYS
from saturation.statistics import intervals

MONTHS = ["2024-01", "2024-02", "2024-03"]
WINDOWS = [("x", "y", month) for month in MONTHS]


def monthly(plain, corrected=None, n=(200, 200, 200)):
    """Three windows with a given index."""
    return pd.DataFrame(WINDOWS, columns=KEYS).assign(
        elapsed=[0, 1, 2],
        n_models=n,
        bdi=plain,
        bdi_corrected=plain if corrected is None else corrected,
    )


def draws(*of_windows):
    """Resampled indices of the three windows, the plain and the corrected ones of each."""
    return {
        window: Draws(np.array(plain), np.array(corrected))
        for window, (plain, corrected) in zip(WINDOWS, of_windows, strict=True)
    }


# Five resamples, so that half of them lie between the second and the fourth.
FIRST = ([0.5, 0.6, 0.5, 0.6, 0.5], [0.55, 0.65, 0.55, 0.65, 0.55])
PEAK = ([0.7, 0.5, 0.7, 0.8, 0.7], [0.8, 0.6, 0.7, 0.9, 0.7])
LAST = ([0.4, 0.3, 0.6, 0.5, 0.2], [0.45, 0.35, 0.65, 0.6, 0.3])


@pytest.fixture
def changed():
    """Changes over the three windows by hand; the corrected peak is the first window."""
    table = windows.changes(
        monthly([0.6, 0.8, 0.5], [0.9, 0.85, 0.6]), draws(FIRST, PEAK, LAST), 100, 0.5
    )
    return table.set_index(["comparison", "last_window"])


def test_change_from_the_first_window_by_hand(changed):
    row = changed.loc[("first_to_last", "any")]
    assert (row["from"], row["to"], row["n_from"]) == ("2024-01", "2024-03", 200)
    assert (row["bdi_from"], row["bdi_to"]) == (0.6, 0.5)
    assert row["change"] == pytest.approx(-0.1)
    assert row["relative"] == pytest.approx(-1 / 6)
    # Last minus first of each resample: -0.1, -0.3, 0.1, -0.1, -0.3.
    assert row["change_lower"] == pytest.approx(-0.3)
    assert row["change_upper"] == pytest.approx(-0.1)
    assert row["significant"]
    # Corrected: -0.1, -0.3, 0.1, -0.05, -0.25, that is 0 to -0.2 less than the plain change:
    # errors of 0, -0.2, 0.2, 0.05, -0.15, whose middle half is -0.15 to 0.05.
    assert row["corrected_change"] == pytest.approx(-0.3)
    assert row["corrected_change_lower"] == pytest.approx(-0.35)
    assert row["corrected_change_upper"] == pytest.approx(-0.15)
    assert row["corrected_significant"]


def test_change_from_the_peak_by_hand(changed):
    row = changed.loc[("peak_to_last", "any")]
    assert (row["from"], row["to"]) == ("2024-02", "2024-03")
    assert (row["bdi_from"], row["change"]) == (0.8, pytest.approx(-0.3))
    # The highest of the windows in each resample: 0.7, 0.6, 0.7, 0.8, 0.7.
    assert row["change_lower"] == pytest.approx(-0.3)
    assert row["change_upper"] == pytest.approx(-0.3)
    # The corrected index has its own peak, 0.9; in the resamples 0.8, 0.65, 0.7, 0.9, 0.7, so
    # changes of -0.35, -0.3, -0.05, -0.3, -0.4 and errors of -0.05, 0, 0.25, 0, -0.1.
    assert row["corrected_change"] == pytest.approx(-0.3)
    assert row["corrected_change_lower"] == pytest.approx(-0.3)
    assert row["corrected_change_upper"] == pytest.approx(-0.25)


def test_each_significance_is_that_of_its_own_interval():
    steady = ([0.5, 0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5, 0.5])
    fallen = ([0.4, 0.4, 0.4, 0.4, 0.4], [0.6, 0.4, 0.5, 0.6, 0.4])
    frame = monthly([0.5, 0.5, 0.4], [0.5, 0.5, 0.5])
    row = windows.changes(frame, draws(steady, steady, fallen), 100, 0.5).iloc[0]
    assert row["significant"]
    assert not row["corrected_significant"]
    row = windows.changes(
        monthly([0.5, 0.5, 0.5], [0.5, 0.5, 0.4]),
        draws(steady, steady, ([0.6, 0.4, 0.5, 0.6, 0.4], [0.45] * 5)),
        100,
        0.5,
    ).iloc[0]
    assert not row["significant"]
    assert row["corrected_significant"]


@pytest.mark.parametrize(("last", "significant"), [([0.5] * 5, False), ([0.5 - 1e-9] * 5, True)])
def test_an_interval_that_ends_at_0_is_not_significant(last, significant):
    steady = ([0.5] * 5, [0.5] * 5)
    frame = monthly([0.5] * 3)
    row = windows.changes(frame, draws(steady, steady, (last, last)), 100, 0.95).iloc[0]
    assert row["significant"] == significant
    assert row["corrected_significant"] == significant


def test_an_index_that_starts_at_0_has_no_relative_change():
    flat = ([0.0] * 5, [0.0] * 5)
    table = windows.changes(monthly([0.0, 0.2, 0.1]), draws(flat, flat, flat), 100, 0.95)
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
    table = windows.changes(monthly([0.6, 0.8, 0.5], n=sizes), draws(FIRST, PEAK, LAST), 100, 0.5)
    assert table.groupby("last_window")["to"].first().to_dict() == ends
    assert table.groupby("last_window")["comparison"].apply(list).map(tuple).unique().tolist() == [
        ("first_to_last", "peak_to_last")
    ]


def test_windows_are_taken_in_the_order_of_time_and_one_window_has_no_change():
    frame = monthly([0.6, 0.8, 0.5])
    shuffled = windows.changes(frame[::-1], draws(FIRST, PEAK, LAST), 100, 0.5)
    pd.testing.assert_frame_equal(
        shuffled, windows.changes(frame, draws(FIRST, PEAK, LAST), 100, 0.5)
    )
    single = windows.changes(frame.head(1), draws(FIRST, PEAK, LAST), 100, 0.5)
    assert single.empty
    assert single.columns.tolist() == windows.CHANGES


def drawn_series(values):
    """Windows with the given histograms, resampled."""
    rng = np.random.default_rng(5)
    frame = monthly(bdi.bdi(values), bdi.bdi_corrected(values))
    return frame, {
        key: bdi.resample_bdi(v, 500, rng) for key, v in zip(WINDOWS, values, strict=True)
    }


def test_a_clear_decline_is_significant_and_measured_from_first_and_peak():
    wide, wider, narrow = [90, 90, *[24] * 18], [50] * 20, [0] * 18 + [300, 300]
    table = windows.changes(*drawn_series([wide, wider, narrow]), 100, 0.95)
    change = table.set_index(["comparison", "last_window"])
    first = change.loc[("first_to_last", "any")]
    peak = change.loc[("peak_to_last", "any")]
    assert first["change"] == pytest.approx(bdi.bdi(narrow) - bdi.bdi(wide))
    assert peak["from"] == "2024-02"
    assert peak["change"] < first["change"] < 0
    assert first["significant"]
    assert first["corrected_significant"]


def test_no_change_is_not_significant():
    table = windows.changes(*drawn_series([[20] * 20] * 3), 100, 0.95)
    first = table.query("comparison == 'first_to_last'")
    assert not first["corrected_significant"].any()


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
    return pd.DataFrame(forms), pd.DataFrame(bins), pd.DataFrame(top)


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
        assert table.loc[month, "bdi_corrected"] == pytest.approx(bdi.bdi_corrected(counts))
        assert table.loc[month, "max_score"] == table.loc[month, "ceiling_proximity"] == max(scores)
    assert table["n_models"].tolist() == [25, 12, 9]
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


def test_the_intervals_are_those_of_the_windows_own_resamples(measured):
    scores = SCORES["2024-01"]
    fine, _ = np.histogram(scores, FINE_BINS, (0, 1))
    counts = bdi.rebin(fine, 20)
    rng = seeds.generator(3, "discriminability", "monthly", "x", "y", "2024-01")
    index = bdi.resample_bdi(counts, 40, rng)
    gaps = bdi.resample_top_gaps(sorted(scores, reverse=True)[:20], fine, 40, rng)
    row = measured[0].iloc[0]
    assert (row["bdi_lower"], row["bdi_upper"]) == intervals.percentile(index.plain, 0.9)
    assert (row["top10_gap_lower"], row["top10_gap_upper"]) == intervals.percentile(gaps[10], 0.9)
    lower, upper = bdi.pivotal_interval(row["bdi_corrected"], index.corrected, row["bdi"], 0.9)
    assert upper > 1
    assert (row["bdi_corrected_lower"], row["bdi_corrected_upper"]) == (lower, 1)


@pytest.mark.parametrize(
    ("counts", "corrected", "expected"),
    [
        ([1, 1, 1, 1], [0.1, 0.2, 0.3], (1, 1)),  # around 1, and the errors are negative
        ([8, 0, 0, 0], [0.5, 0.6, 0.7], (0, 0)),  # around 0, and the errors are positive
    ],
)
def test_the_interval_of_the_corrected_index_stays_within_0_and_1(counts, corrected, expected):
    bounds = windows._index(np.array(counts), Draws(np.zeros(3), np.array(corrected)), 1.0)
    lower, upper = bounds["bdi_corrected_lower"], bounds["bdi_corrected_upper"]
    assert lower >= 0
    assert upper <= 1
    assert (upper if expected == (1, 1) else lower) == expected[0]


def test_the_changes_are_those_of_the_monthly_table(measured):
    table, changes = measured
    first = changes.iloc[0]
    assert changes["last_window"].unique().tolist() == ["any"]
    assert first["change"] == pytest.approx(table["bdi"].iloc[2] - table["bdi"].iloc[0])


def test_the_seed_moves_intervals_only(measured):
    other, _ = windows.measured(*tables(SCORES), Resampling(20, 40, 0.9, seed=4), 100)
    assert (other["bdi"] == measured[0]["bdi"]).all()
    assert (other["bdi_lower"] != measured[0]["bdi_lower"]).any()
