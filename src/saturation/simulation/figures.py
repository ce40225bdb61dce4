"""Figure of the checks: what is stated beside what is found."""

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
INCHES_AN_ESTIMATOR = 0.24
# Of the room of an estimator that its checks fill.
FILLED = 0.8


def levels(table: pd.DataFrame) -> Figure:
    """Each check's found share less the stated one, by estimator, in the band that is accepted.

    Parameters
    ----------
    table
        Table of the checks; those without a found share have no point.
    """
    shown = table.sort_values(["estimator", "check"], ignore_index=True)
    new = (shown["estimator"] != shown["estimator"].shift()).to_numpy()
    # Checks of one estimator share its line, one below the other.
    by_estimator = shown.groupby("estimator")["check"]
    count = by_estimator.transform("size").to_numpy()
    place = (by_estimator.cumcount().to_numpy() + 0.5) / count - 0.5
    y = -(np.cumsum(new) - 1) - FILLED * place
    points = pd.DataFrame(
        {
            name: 100 * (shown[name] - shown["stated"])
            for name in ("lower", "upper", "found", "found_low", "found_high")
        }
    ).assign(
        y=y,
        fails=shown["verdict"] == FAILS,
        check=shown["check"],
        estimator=shown["estimator"],
        count=count,
    )
    figure, axes = plt.subplots(figsize=(7, 2.0 + INCHES_AN_ESTIMATOR * new.sum()))
    axes.barh(
        y, points["upper"] - points["lower"], FILLED / count, left=points["lower"],
        color="#D4DEE7", label="accepted",
    )  # fmt: skip
    axes.axvline(0, color=PALETTE["black"], linewidth=1, label="as stated")
    _points(axes, points[~points["fails"]], "o", "blue", "found, holds")
    _points(axes, points[points["fails"]], "X", "vermilion", "found, does not hold")
    _failures(axes, points[points["fails"]])
    _rows(axes, shown["estimator"], np.flatnonzero(new))
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
        markersize=2.5, elinewidth=0.7, label=label, zorder=3,
    )  # fmt: skip


def _failures(axes: Axes, failing: pd.DataFrame) -> None:
    """What does not hold: a single check by its name, several of one estimator by their number."""
    for _, rows in failing.groupby("estimator", sort=False):
        first = rows.iloc[0]
        text = f"{len(rows)} of {first['count']} do not hold"
        if len(rows) == 1:
            text = _named(str(first["check"]), float(first["found"]))
        low, high = rows["found_low"].min(), rows["found_high"].max()
        left, right = (
            float(np.clip(end, -FARTHEST, FARTHEST)) if np.isfinite(end) else 0.0
            for end in (low, high)
        )
        beside = right > FARTHEST / 2
        axes.annotate(
            f"{text} " if beside else f" {text}",
            (left if beside else right, rows["y"].mean()),
            ha="right" if beside else "left", va="center", fontsize=6, color=PALETTE["vermilion"],
        )  # fmt: skip


def _named(check: str, distance: float) -> str:
    """A check, and its distance where that is off the scale."""
    if np.isnan(distance):
        return f"{check} (nothing was stated)"
    return f"{check} ({distance:+.0f})" if abs(distance) > FARTHEST else check


def _rows(axes: Axes, estimators: "pd.Series[str]", starts: np.ndarray) -> None:
    """One label an estimator, and a line between two of them."""
    axes.set_yticks(-np.arange(len(starts)), estimators.iloc[starts].tolist())
    for row in range(1, len(starts)):
        axes.axhline(0.5 - row, color="#E6E6E6", linewidth=0.6, zorder=0)
    axes.tick_params(axis="y", labelsize=6.5, length=0)
    axes.grid(axis="y", visible=False)
    axes.set_ylim(0.5 - len(starts), 0.5)


def _title(fails: "pd.Series[bool]") -> str:
    if not fails.any():
        return f"All {len(fails)} checks hold what they state"
    return f"{len(fails) - fails.sum()} of {len(fails)} checks hold what they state"
