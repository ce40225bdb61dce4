"""The index of a window with each submitter counted once, and its change."""

from collections.abc import Sequence

import numpy as np

from saturation.discriminability.bdi import Window, interval, joined
from saturation.files.tables import Row
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
