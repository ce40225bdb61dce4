import numpy as np
import pandas as pd
import pytest

from studies.discriminability import figures

pytestmark = pytest.mark.usefixtures("styled")

MONTHS = ["2024-01", "2024-02", "2024-04"]
BEST = {("v", "a"): [0.5, 0.86, 0.8], ("v", "b"): [0.2, 0.3, 0.4], ("w", "c"): [0.7, 0.9, 0.95]}
BDI = {("v", "a"): [0.8, 0.7, 0.6], ("v", "b"): [0.5, 0.55, 0.6], ("w", "c"): [0.9, 0.8, 0.7]}
GAP = {("v", "a"): [0.02, 0.009, 0.01], ("v", "b"): [0.03, 0.02, 0.02], ("w", "c"): [0.005] * 3}


@pytest.fixture
def monthly():
    frames = [
        pd.DataFrame(
            {"leaderboard": board, "benchmark": name, "month": MONTHS, "elapsed": [0, 1, 3],
             "n_models": [100, 60, 40], "max_score": best, "ceiling_proximity": best,
             "bdi": BDI[board, name], "top10_gap": GAP[board, name],
             "n_submitters": [80, 55, 30], "bdi_submitters": np.array(BDI[board, name]) + 0.02,
             "bdi_submitters_lower": [*(np.array(BDI[board, name]) - 0.05)[:2], np.nan],
             "bdi_submitters_upper": [*(np.array(BDI[board, name]) + 0.06)[:2], np.nan]}
        )
        for (board, name), best in BEST.items()
    ]  # fmt: skip
    return pd.concat(frames, ignore_index=True)


@pytest.fixture
def changes():
    """Those from the first to the last large window decide; one fell, one is unclear."""
    large = pd.DataFrame(
        {"leaderboard": ["v", "v", "w"], "benchmark": ["a", "b", "c"],
         "p_value": [0.01, 0.3, np.nan],
         "last_window": "large",
         "submitters_change": [-0.1, 0.1, np.nan],
         "significant": pd.Series([True, False, None], dtype=object)}
    )  # fmt: skip
    other = large.assign(p_value=0.01, submitters_change=0.2, significant=True)
    others = (other.assign(last_window="any"),)
    return pd.concat([large, *others])


# The second benchmark has no second window.


def test_figures_show_what_was_read_through(monthly, changes, figures_as_reviewed):
    # No benchmark is above the limits, or fell.
    level = monthly.assign(max_score=monthly["max_score"].clip(upper=0.85))
    rose = changes.assign(submitters_change=0.1)
    figures_as_reviewed(
        "discriminability",
        figures.draw_all(monthly, changes)
        | {
            "level": figures.trajectories(level[::-1]),
            "rose": figures.discriminability(monthly, rose),
        },
    )
