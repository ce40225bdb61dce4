"""The index of a window with each submitter counted once, its change, and S over time."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from saturation.discriminability.bdi import Window, interval, joined
from saturation.discriminability.names import KEYS
from saturation.files.tables import Row
from saturation.index import saturation_bin, saturation_index
from saturation.statistics import entropy

TESTED = [
    "submitters_change",
    "submitters_change_lower",
    "submitters_change_upper",
    "p_value",
    "significant",
    "reason",
]


def measure_window(window: Window, level: float) -> Row:
    """Index of a window with each submitter counted once, as columns of a table."""
    lower, upper = interval(window, level)
    return {
        "n_submitters": int(window.copies.sum()),
        "bdi_submitters": window.value,
        "bdi_submitters_lower": lower,
        "bdi_submitters_upper": upper,
        "reason": window.reason,
    }


def change_from_first(windows: Sequence[Window], level: float) -> Row:
    """Change of the index from the first to the last window, by Student's t.

    The columns `TESTED`: ``submitters_change`` with ``_lower`` and ``_upper``, ``p_value,
    significant``, and the ``reason`` why there is none of these.
    """
    first, last = windows[0], windows[-1]
    deviations, copies = joined([first, last])
    change = entropy.estimate(last.value - first.value, deviations[:, 1] - deviations[:, 0], copies)
    reasons = {
        f"last window: {last.reason}": last.reason,
        f"first window: {first.reason}": first.reason,
        "the windows hold the same, so nothing is known of the error": change.standard_error == 0,
    }
    reason = next((text for text, applies in reasons.items() if applies), "")
    if reason:
        return {**dict.fromkeys(TESTED, np.nan), "significant": None, "reason": reason}
    value, half = float(change.value), float(entropy.half_width(change, level))
    return {
        "submitters_change": value,
        "submitters_change_lower": value - half,
        "submitters_change_upper": value + half,
        "p_value": float(entropy.p_value(change)),
        "significant": abs(value) > half,
        "reason": "",
    }


def index_over_time(
    top: pd.DataFrame, benchmarks: pd.DataFrame, k: int, alpha: float
) -> pd.DataFrame:
    """Saturation index of the top k of each window and of everything so far.

    ``leaderboard, benchmark, month, scope, n_test, s_1, s_k, s_index, bin, note``; the index is
    missing, and the note says why, without `n_test` or with fewer than k scores.
    """
    ordered = top.sort_values("accuracy", ascending=False, kind="stable")
    ordered = ordered.assign(place=ordered.groupby([*KEYS, "scope"]).cumcount() + 1)
    wide = ordered.pivot(index=[*KEYS, "scope"], columns="place", values="accuracy")
    wide = wide.reindex(columns=[1, k])
    table = wide.set_axis(["s_1", "s_k"], axis=1).reset_index()
    table = table.merge(benchmarks[["benchmark", "n_test"]], on="benchmark", how="left")
    table["s_index"] = saturation_index(table["s_1"], table["s_k"], table["n_test"], alpha)
    defined = table["s_index"].notna()
    table["bin"] = np.where(defined, saturation_bin(table["s_index"].fillna(0)), "")
    table["note"] = np.select(
        [table["n_test"].isna(), table["s_k"].isna()],
        ["the number of test items is not known", f"fewer than {k} models"],
        "",
    )
    return table.sort_values([*KEYS, "scope"], ignore_index=True)
