"""Figures of the forecasts; call each function inside ``saturation.pages.style.style()``."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.forecast.names import USED_UP
from saturation.forecast.scoring import METHOD, RECENT
from saturation.forecast.series import months_after
from saturation.pages.style import COLUMN, PALETTE, footnote, headline, key, short
from saturation.pages.templates import percent

SHOWN = 12
# Methods by how they are drawn: name for readers, colour and mark.
METHODS = {
    METHOD: ("this forecast", "blue", "o"),
    "drift": ("random walk with drift", "orange", "s"),
    "trend": ("line in logits", "green", "^"),
    "logistic": ("logistic curve", "purple", "D"),
    "climatology": ("past rises, resampled", "vermilion", "v"),
    "persistence": ("stays as it is", "grey", "X"),
}
NAME_LETTERS = 22  # of a benchmark over its panel


def outlook(bands: pd.DataFrame, frontier: pd.DataFrame) -> Figure:
    """The best score so far and its next two years, for the benchmarks with most dates."""
    count = frontier[frontier["series"].isin(bands["series"])]["series"].value_counts()
    shown = bands[bands["series"].isin(count.index[:SHOWN])]
    # From the one that will be nearest to its ceiling.
    ends = shown.groupby("series")["q50"].last().sort_values(ascending=False, kind="stable")
    figure, grid = plt.subplots(
        4, 3, figsize=(COLUMN, 6.4), sharex=True, sharey=True, squeeze=False
    )
    for axes, name in zip(grid.flat, ends.index, strict=False):
        _fan(axes, bands[bands["series"] == name], frontier[frontier["series"] == name])
    for axes in grid.flat[len(ends) :]:
        axes.set_visible(False)
    figure.supylabel("share of usable range", fontsize=9)
    last = bands[bands["month"] == bands["month"].max()]
    likely = int((last["q50"] >= USED_UP).sum())
    headline(
        figure,
        f"{likely} of {len(last)} benchmarks are forecast to reach {100 * USED_UP:.0f} % of their "
        "range within two years",
    )
    footnote(
        figure,
        f"The {len(ends)} benchmarks with most dates. Black: best score so far. Line: median "
        "forecast; dark and light bands: 50 % and 80 %. Dashed: 90 % of the range from guessing "
        "to all right. Over each panel: now → in two years (80 %).",
    )
    return figure


def scores(summary: pd.DataFrame, peer: pd.DataFrame) -> Figure:
    """Skill and coverage of past forecasts by horizon, and all scores after one cutoff."""
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(COLUMN, 3.4))
    recent = summary[summary["group"] == RECENT]
    horizons = sorted(recent["horizon"].unique())
    for shift, name in enumerate(METHODS):
        own = recent[recent["method"] == name].sort_values("horizon")
        place = [horizons.index(months) + 0.12 * (shift - 2.5) for months in own["horizon"]]
        _marks(left, place, own, "crps", name)
        _marks(middle, place, own, "coverage_80", name)
    for axes in (left, middle):
        axes.set_xticks(range(len(horizons)), [str(months) for months in horizons])
        axes.set_xlabel("months ahead")
    left.set_ylim(bottom=0)
    left.set_title("mean CRPS\n(lower is better)", fontsize=8.5)
    left.set_ylabel("share of usable range")
    middle.axhline(0.8, color=PALETTE["black"], linewidth=0.8, linestyle="--")
    middle.set_ylim(-0.04, 1.04)
    middle.set_title("coverage of\n80 % intervals", fontsize=8.5)
    _cutoff(right, peer)
    held = recent[recent["method"] == METHOD].set_index("horizon")["coverage_80"]
    shares = ", ".join(
        f"{percent(held[months], 0)} at {months}" for months in horizons if months <= 12
    )
    headline(figure, f"80 % intervals of past forecasts covered {shares} months")
    key(
        figure,
        left,
        "All but the NLP benchmarks, forecast again from scores of models released by then. Bars: "
        "95 % intervals over benchmarks; none (hollow) with fewer than five.",
        columns=3,
    )
    return figure


def _fan(axes: Axes, band: pd.DataFrame, own: pd.DataFrame) -> None:
    origin = pd.Timestamp(band["origin"].iloc[0])
    best = band["best"].iloc[0]
    days = pd.DatetimeIndex(
        [origin, *(months_after(origin, month) for month in band["month"])]
    ).to_numpy()
    ahead = {name: np.array([best, *band[name]]) for name in ("q10", "q25", "q50", "q75", "q90")}
    axes.fill_between(
        days, ahead["q10"], ahead["q90"], color=PALETTE["sky"], alpha=0.35, linewidth=0
    )
    axes.fill_between(
        days, ahead["q25"], ahead["q75"], color=PALETTE["blue"], alpha=0.45, linewidth=0
    )
    axes.plot(days, ahead["q50"], color=PALETTE["blue"])
    known = pd.DatetimeIndex([*own["date"], origin]).to_numpy()
    axes.step(known, [*own["best"], best], where="post", color=PALETTE["black"])
    axes.axhline(USED_UP, color=PALETTE["black"], linewidth=0.7, linestyle="--")
    axes.set_ylim(0, 1.03)
    last = band.iloc[-1]
    axes.set_title(
        f"{short(str(band['benchmark'].iloc[0]), NAME_LETTERS)}\n"
        f"{best:.2f} → {last['q50']:.2f} ({last['q10']:.2f}–{last['q90']:.2f})",
        fontsize=7,
    )
    years = pd.date_range("2024-01-01", days[-1], freq="2YS")
    axes.set_xticks(years.to_numpy(), years.strftime("%Y"))
    axes.tick_params(labelsize=7)


def _marks(axes: Axes, place: list[float], own: pd.DataFrame, value: str, method: str) -> None:
    label, colour, mark = METHODS[method]
    middle = own[value].to_numpy(float)
    limits = own[[f"{value}_lower", f"{value}_upper"]].to_numpy(float)
    spread = np.nan_to_num(np.abs(limits - middle[:, None])).T
    known = np.isfinite(limits).all(axis=1)
    at = np.asarray(place)
    axes.errorbar(
        at[known], middle[known], yerr=spread[:, known], fmt=mark, color=PALETTE[colour],
        label=label, markersize=4, linewidth=1,
    )  # fmt: skip
    axes.plot(at[~known], middle[~known], mark, color=PALETTE[colour], mfc="white", markersize=4)


def _cutoff(axes: Axes, peer: pd.DataFrame) -> None:
    rises = peer[peer["event"] == "rise"].set_index("method")
    own = rises.loc[[name for name in METHODS if name in rises.index]]
    for place, (name, row) in enumerate(own.iterrows()):
        _, colour, mark = METHODS[str(name)]
        limits = row[["crps_lower", "crps_upper"]].to_numpy(float)
        spread = np.nan_to_num(np.abs(limits - row["crps"])).reshape(2, 1)
        axes.errorbar(
            row["crps"], place, xerr=spread, fmt=mark, color=PALETTE[colour],
            markersize=4, linewidth=1,
        )  # fmt: skip
    axes.set_yticks([])
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    first = own.iloc[0]
    axes.set_title(f"CRPS of {first['events']:.0f} rises\nafter one cutoff", fontsize=8.5)
    axes.set_xlabel("share of usable range")
