"""Figure of the checks: what is stated beside what is found."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.drawing import style
from saturation.drawing.style import PALETTE
from saturation.simulation.check import FAILS

# Percentage points from what is stated: what lies farther off stands at the edge with its number.
FARTHEST = 12.0
INCHES_A_CHECK = 0.125


def levels(table: pd.DataFrame) -> Figure:
    """Each check's found share less the stated one, by estimator, in the band that is accepted.

    Parameters
    ----------
    table
        Table of the checks; those without a found share have no point.
    """
    shown = table.sort_values(["estimator", "check"], ignore_index=True)
    new = (shown["estimator"] != shown["estimator"].shift()).to_numpy()
    # Half a line more between two estimators.
    y = -(np.arange(len(shown)) + 0.5 * np.cumsum(new))
    points = pd.DataFrame(
        {
            name: 100 * (shown[name] - shown["stated"])
            for name in ("lower", "upper", "found", "found_low", "found_high")
        }
    ).assign(y=y, fails=shown["verdict"] == FAILS, check=shown["check"])
    figure, axes = plt.subplots(figsize=(7, 1.9 - INCHES_A_CHECK * y[-1]))
    axes.barh(
        y, points["upper"] - points["lower"], 0.75, left=points["lower"], color="#D4DEE7",
        label="accepted",
    )  # fmt: skip
    axes.axvline(0, color=PALETTE["black"], linewidth=1, label="as stated")
    _points(axes, points[~points["fails"]], "o", "blue", "found, holds")
    _points(axes, points[points["fails"]], "X", "vermilion", "found, does not hold")
    _failures(axes, points[points["fails"]])
    _rows(axes, shown["estimator"], y, np.flatnonzero(new))
    axes.set_xlim(-FARTHEST - 1, FARTHEST + 1)
    axes.set_xlabel("found less stated, percentage points")
    # The legend stands between title and axes.
    axes.set_title(_title(points["fails"]), pad=20)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1), ncols=4, fontsize=7, borderaxespad=0.2,
        columnspacing=1.0, handletextpad=0.4,
    )  # fmt: skip
    style.footnote(
        figure,
        "A point is one simulated law, its line the error of the simulation (95 %). Stated are "
        "95 % for intervals, 5 % for tests and 80 % for numbers of items. The table beside this "
        "names every law.",
    )
    return figure


def _points(axes: Axes, points: pd.DataFrame, marker: str, colour: str, label: str) -> None:
    known = points[points["found"].notna()]
    found = known["found"].clip(-FARTHEST, FARTHEST)
    # No line where the point stands at the edge in place of its own.
    ends = known[["found_low", "found_high"]].clip(-FARTHEST, FARTHEST)
    error = ends.sub(found, axis=0).abs().mask(found != known["found"], 0.0)
    axes.errorbar(
        found, known["y"], xerr=error.to_numpy().T, fmt=marker, color=PALETTE[colour],
        markersize=4, elinewidth=1, label=label, zorder=3,
    )  # fmt: skip


def _failures(axes: Axes, failing: pd.DataFrame) -> None:
    """The name of each check that does not hold, and its distance where that is off the scale."""
    for row in failing.to_dict("records"):
        distance = float(row["found"])
        beyond = abs(distance) > FARTHEST
        text = f" {row['check']}" + (f" ({distance:+.0f})" if beyond else "")
        if np.isnan(distance):
            distance, text = 0.0, f" {row['check']} (nothing was stated)"
        place = float(np.clip(max(distance, row["found_high"]), -FARTHEST, FARTHEST))
        left = place > FARTHEST / 2
        axes.annotate(
            f"{text} " if left else text,
            (min(distance, place) if left else place, row["y"]),
            ha="right" if left else "left", va="center", fontsize=6, color=PALETTE["vermilion"],
        )  # fmt: skip


def _rows(axes: Axes, estimators: "pd.Series[str]", y: np.ndarray, starts: np.ndarray) -> None:
    """One label an estimator, in the middle of its checks, and a line between two of them."""
    ends = [*starts[1:], len(y)]
    middles = [y[start:end].mean() for start, end in zip(starts, ends)]
    axes.set_yticks(middles, estimators.iloc[starts].tolist())
    for _, start in pairwise([0, *starts[1:]]):
        axes.axhline(y[start] + 0.75, color="#E6E6E6", linewidth=0.6, zorder=0)
    axes.tick_params(axis="y", labelsize=6.5, length=0)
    axes.grid(axis="y", visible=False)
    axes.set_ylim(y[-1] - 0.8, y[0] + 0.8)


def _title(fails: "pd.Series[bool]") -> str:
    if not fails.any():
        return f"All {len(fails)} checks hold what they state"
    return f"{len(fails) - fails.sum()} of {len(fails)} checks hold what they state"
