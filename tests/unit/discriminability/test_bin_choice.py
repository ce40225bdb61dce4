import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import bdi
from saturation.discriminability.names import FINE_BINS, KEYS


def counts():
    """Two benchmarks, four windows, the second narrowing over time."""
    rng = np.random.default_rng(0)
    rows, keys = [], []
    for name, spreads in (("steady", [0.3] * 4), ("narrowing", [0.3, 0.2, 0.1, 0.03])):
        for month, spread in enumerate(spreads):
            scores = np.clip(rng.normal(0.5, spread, 2000), 0, 0.999)
            rows.append(np.histogram(scores, FINE_BINS, (0, 1))[0])
            keys.append(("x", name, f"2024-0{month + 1}"))
    return pd.DataFrame(rows, index=pd.MultiIndex.from_tuples(keys, names=KEYS))


def test_the_reference_agrees_with_itself_and_a_trend_survives_other_bins():
    summary = bdi.bins_summary(bdi.bins_table(counts(), [10, 20, 50]), 20)
    own = summary.set_index("bins").loc[20]
    assert own["mean_shift"] == 0
    assert own["order_agreement"] == pytest.approx(1)
    narrowing = bdi.bins_table(counts(), [10, 20, 50]).query("benchmark == 'narrowing'")
    for _, series in narrowing.groupby("bins"):
        assert series["bdi"].is_monotonic_decreasing


def test_shifts_are_against_the_reference():
    table = bdi.bins_table(counts(), [10, 20])
    summary = bdi.bins_summary(table, 20).set_index("bins")
    wide = table.pivot(index=KEYS, columns="bins", values="bdi")
    assert summary.loc[10, "max_shift"] == (wide[10] - wide[20]).max()
    assert summary.loc[10, "windows"] == 8


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
    summary = bdi.bins_summary(table, 20).set_index("bins")
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
    # Ranks 2, 1, 3 and 2, 3, 1 of b: 1 - 6 * (0 + 4 + 4) / (3 * 8).
    assert row["worst_trend_correlation"] == pytest.approx(-1)
    # Two benchmarks a month are too few for a correlation within the month.
    assert row["worst_month_agreement"] == 1
    assert summary.loc[20, "worst_trend_correlation"] == 1


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
    row = bdi.bins_summary(table, 20).set_index("bins").loc[10]
    assert row["worst_month_agreement"] == pytest.approx(1 / 3)  # two of three pairs agree
    assert row["worst_trend_correlation"] == 1  # no benchmark has three windows


def test_the_reference_is_one_of_the_sweep():
    table, summary = bdi.bin_choice(counts(), [50, 10], 20)
    assert summary["bins"].tolist() == [10, 20, 50]
    assert sorted(table["bins"].unique()) == [10, 20, 50]
