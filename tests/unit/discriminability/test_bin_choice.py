import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import bin_choice
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
    summary = bin_choice.bins_summary(bin_choice.bins_table(counts(), [10, 20, 50]), 20)
    own = summary.set_index("bins").loc[20]
    assert own["mean_shift"] == 0
    assert own["order_agreement"] == pytest.approx(1)
    narrowing = bin_choice.bins_table(counts(), [10, 20, 50]).query("benchmark == 'narrowing'")
    for _, series in narrowing.groupby("bins"):
        assert series["bdi"].is_monotonic_decreasing


def test_shifts_are_against_the_reference():
    table = bin_choice.bins_table(counts(), [10, 20])
    summary = bin_choice.bins_summary(table, 20).set_index("bins")
    wide = table.pivot(index=KEYS, columns="bins", values="bdi")
    assert summary.loc[10, "max_shift"] == (wide[10] - wide[20]).max()
    assert summary.loc[10, "windows"] == 8
