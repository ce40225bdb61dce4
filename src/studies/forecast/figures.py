"""Draw how past chances did; call each function inside ``studies.style.style()``."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.forecast.names import ALL_ORIGINS
from studies.style import BLACK, BLUE, COLUMN, SKY, caption

BAR = 0.38  # width, of the distance between origins


def record(table: pd.DataFrame, reliability: pd.DataFrame) -> Figure:
    """Draw expected and observed numbers by origin, and the reliability of the chances."""
    figure, (left_axes, right) = plt.subplots(1, 2, figsize=(COLUMN, 3.5), width_ratios=(4, 3))
    total = table.set_index("origin").loc[ALL_ORIGINS]
    _origins(left_axes, table[table["origin"] != ALL_ORIGINS])
    _reliability(right, reliability)
    caption(
        figure,
        f"Chances added up to {total['expected']:.0f} of {total['scored']:.0f} forecasts; "
        f"{total['came']:.0f} came",
        f"Chance that 90 % of the range is reached within 12 months. Of {total['forecasts']:.0f} "
        f"forecasts {total['scored']:.0f}, of {total['benchmarks']:.0f} benchmarks, could be "
        "scored: their benchmark has a score a year later. Bars on the right: 95 % over "
        "benchmarks, none with fewer than five.",
        room=2,
    )
    return figure


def _origins(axes: Axes, table: pd.DataFrame) -> None:
    """Draw a pair of bars an origin, with the number of scored forecasts above."""
    places = np.arange(len(table))
    axes.bar(places - BAR / 2, table["expected"], BAR, color=SKY, label="expected")
    axes.bar(places + BAR / 2, table["came"], BAR, color=BLACK, label="came")
    for place, row in zip(places, table.to_dict("records")):
        height = max(row["expected"], row["came"])
        axes.text(float(place), height + 0.1, f"{row['scored']:.0f}", ha="center", fontsize=7)
    axes.set_xticks(
        places, [pd.Timestamp(origin).strftime("%b\n%y") for origin in table["origin"]], fontsize=7
    )
    axes.set_ylabel("forecasts")
    axes.set_ylim(top=max(table["came"].max(), table["expected"].max()) + 0.9)
    axes.set_title("by origin; above: n scored", fontsize=8.5)
    axes.legend(fontsize=7, loc="upper left")


def _reliability(axes: Axes, table: pd.DataFrame) -> None:
    """Draw the share that came against the mean chance, by bin."""
    axes.plot([0, 1], [0, 1], color=BLACK, linewidth=0.7, linestyle="--")
    limits = table[["came_lower", "came_upper"]].to_numpy(float)
    spread = np.nan_to_num(np.abs(limits - table[["came"]].to_numpy(float))).T
    axes.errorbar(table["said"], table["came"], yerr=spread, fmt="o", color=BLUE, markersize=5)
    # Over each interval, where no other bin's is.
    tops = table["came_upper"].fillna(table["came"] + 0.03)
    for row, top in zip(table.to_dict("records"), tops):
        axes.text(row["said"] - 0.03, top + 0.02, f"n = {row['forecasts']}", fontsize=7)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1)
    axes.set_xlabel("mean chance")
    axes.set_ylabel("share that came")
    axes.set_title("reliability", fontsize=8.5)
