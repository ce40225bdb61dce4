import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import bdi, windows
from saturation.discriminability.names import KEYS


def series(values, n):
    """A leaderboard of windows with the given histograms."""
    rng = np.random.default_rng(5)
    keys = [("x", "y", f"2024-0{i + 1}") for i in range(len(values))]
    frame = pd.DataFrame(keys, columns=KEYS).assign(
        elapsed=range(len(values)),
        n_models=n,
        bdi=[float(bdi.bdi(v)) for v in values],
        bdi_corrected=[float(bdi.bdi_corrected(v)) for v in values],
    )
    return frame, {k: bdi.resample_bdi(v, 500, rng) for k, v in zip(keys, values, strict=True)}


def test_a_clear_decline_is_significant_and_measured_from_first_and_peak():
    wide, wider, narrow = [30] * 20, [50] * 20, [0] * 18 + [300, 300]
    wide = [90, 90, *[24] * 18]
    table = windows.changes(*series([wide, wider, narrow], [600, 1000, 600]), 100, 0.95)
    change = table.set_index(["comparison", "last_window"])
    first = change.loc[("first_to_last", "any")]
    peak = change.loc[("peak_to_last", "any")]
    assert first["change"] == pytest.approx(bdi.bdi(narrow) - bdi.bdi(wide))
    assert peak["from"] == "2024-02"
    assert peak["change"] < first["change"] < 0
    assert first["significant"]
    assert first["corrected_significant"]


def test_no_change_is_not_significant():
    table = windows.changes(*series([[20] * 20, [20] * 20], [400, 400]), 100, 0.95)
    first = table.query("comparison == 'first_to_last'")
    assert not first["corrected_significant"].any()


def test_the_last_large_window_leaves_out_a_small_one():
    table = windows.changes(*series([[20] * 20, [9] * 20, [1] * 20], [400, 180, 20]), 100, 0.95)
    ends = table.groupby("last_window")["to"].first()
    assert ends.to_dict() == {"any": "2024-03", "large": "2024-02"}
