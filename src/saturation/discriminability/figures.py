"""The discriminability study's figures; each function takes result tables and returns a figure.

Two leaderboards give two panels, a user's one gives one. Scores appear in percent on the axes.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from saturation.discriminability.growth import Array, logistic
from saturation.discriminability.names import BIN_SHIFT, BOARD, KEYS, NOISE_GAP, SATURATED, WARNING
from saturation.pages.style import CYCLE, PALETTE, WIDTH, footnote, headline
from saturation.statistics import correlation

MARKERS = ["o", "s", "^", "D", "v", "P", "X"]
# What the test of a change from the first to the last large window says.
FELL, ROSE, UNCLEAR, NOT_TESTED = SAID = ("fell", "rose", "unclear", "not tested")
WEAK = 0.3  # correlations nearer to zero are called none
KIND_COLOURS = {"knowledge": "blue", "reasoning": "vermilion", "other": "grey"}


def drawn(tables: Mapping[str, pd.DataFrame], reference: int) -> dict[str, Figure]:
    """All figures by name."""
    monthly = tables["monthly"]
    return {
        "figure1_trajectories": trajectories(monthly),
        "figure2_bdi": discriminability(monthly, tables["changes"]),
        "figure3_curves": curves(monthly, tables["growth"]),
        "figure4_status": status(monthly),
        "figure5_gaps": gaps(monthly),
        "kinds": kinds(monthly, tables["pace"]),
        "overview": overview(monthly, tables["index_over_time"]),
        "bin_choice": bin_choice(tables["bin_choice"], tables["bin_choice_summary"], reference),
        "population": population(tables["population"]),
        "retirement": retirement(tables["retirement"]),
    }


def trajectories(monthly: pd.DataFrame) -> Figure:
    """Figure 1: best score of each window."""
    passed = (monthly.groupby(BOARD)["max_score"].max() > SATURATED).groupby("leaderboard")
    titles = {
        board: f"{board}: {share.sum()} of {len(share)} passed {_percent(SATURATED)}"
        for board, share in passed
    }
    figure, panels = _panels(monthly, titles, "best score of the window (%)")
    for board, axes in panels.items():
        rows = _board(monthly, board)
        for place, (name, series) in enumerate(rows.groupby("benchmark", sort=False)):
            ordered = series.sort_values("elapsed")
            axes.plot(
                ordered["elapsed"], 100 * ordered["max_score"], label=name,
                color=PALETTE[CYCLE[place % len(CYCLE)]], marker=MARKERS[place % len(MARKERS)],
            )  # fmt: skip
        axes.legend(loc="best", fontsize=7.5, ncols=2)
        axes.axhline(100 * SATURATED, color=PALETTE["black"], linestyle=":", linewidth=1)
        axes.set_ylim(0, 100)
        _sizes(axes, rows)
    return figure


def discriminability(monthly: pd.DataFrame, changes: pd.DataFrame) -> Figure:
    """Figure 2: the index of each window, each submitter counted once, with its interval."""
    large = changes.query("comparison == 'first_to_last' and last_window == 'large'")
    said = {(row["leaderboard"], row["benchmark"]): _said(row) for row in large.to_dict("records")}
    series = _by_benchmark(monthly)
    figure, grid = _grid(len(series), height=1.75, columns=4, width=1.75)
    verdicts = [said.get(board, NOT_TESTED) for board in series]
    for axes, board, verdict in zip(grid, series, verdicts, strict=False):
        _course(axes, series[board])
        _first_and_last_month(axes, series[board])
        axes.set_title(f"{board[1]} ({board[0]}): {verdict}", fontsize=7.5)
    found = ", ".join(f"{verdicts.count(v)} {v}" for v in SAID if v in verdicts)
    headline(figure, f"BDI with each submitter counted once: {found}")
    least, most = monthly["n_submitters"].min(), monthly["n_submitters"].max()
    figure.legend(
        *grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=2,
        title=f"{len(monthly)} windows, of {least} to {most} submitters each",
    )  # fmt: skip
    figure.supylabel("discriminability index BDI", fontsize=9)
    return figure


def curves(monthly: pd.DataFrame, growth: pd.DataFrame) -> Figure:
    """Figure 3: logistic fits of the first leaderboard, the paper's and the honest one."""
    board = str(sorted(monthly["leaderboard"].unique())[0])
    rows = _board(monthly, board)
    names = list(dict.fromkeys(rows["benchmark"]))
    figure, grid = _grid(len(names), height=2.3)
    fits = growth[growth["leaderboard"] == board].set_index(["benchmark", "reading"])
    for axes, name in zip(grid, names, strict=False):
        series = rows[rows["benchmark"] == name].sort_values("elapsed")
        paper, honest = fits.loc[(name, "paper")], fits.loc[(name, "honest")]
        _fitted(axes, series, paper, honest)
        verdict = "no projection" if honest["abstains"] else f"L = {100 * honest['ceiling']:.0f} %"
        axes.set_title(
            f"{name}: {verdict}\npaper: L = {100 * paper['ceiling']:.1f} %, "
            f"R² = {paper['r_squared']:.2f}",
            fontsize=7.5,
        )
    handles, labels = grid[0].get_legend_handles_labels()
    made = int((~fits.xs("honest", level="reading")["abstains"].astype(bool)).sum())
    headline(figure, f"{board}: a ceiling can be projected for {made} of {len(names)} benchmarks")
    figure.legend(
        handles, labels, loc="outside lower center", ncols=4,
        title=f"months since the first of {len(series)} windows, the last of which is dotted; "
        "pale: no projection",
    )  # fmt: skip
    figure.supylabel("best score (%), each panel on its own scale", fontsize=9)
    return figure


def status(monthly: pd.DataFrame) -> Figure:
    """Figure 4: ceiling proximity of the latest window, with the index beside it."""
    latest = monthly.sort_values("elapsed").groupby(BOARD, as_index=False).last()
    latest = latest.sort_values("ceiling_proximity", ignore_index=True)
    boards = {board: CYCLE[i] for i, board in enumerate(sorted(latest["leaderboard"].unique()))}
    figure, axes = plt.subplots(figsize=(WIDTH, 0.3 * len(latest) + 1.4))
    for board, rows in latest.groupby("leaderboard"):
        axes.barh(rows.index, 100 * rows["ceiling_proximity"], color=PALETTE[boards[board]],
                  label=f"leaderboard {board}")  # fmt: skip
    for place, row in enumerate(latest.itertuples()):
        axes.text(101, place, f"BDI {row.bdi:.2f}", va="center", fontsize=8)
    axes.set_yticks(
        range(len(latest)),
        [f"{r.benchmark} ({r.leaderboard}, {r.month}, n = {r.n_models})"
         for r in latest.itertuples()],
    )  # fmt: skip
    axes.axvline(100 * SATURATED, color=PALETTE["vermilion"], linestyle="--",
                 label=f"the paper's saturation ({_percent(SATURATED)})")  # fmt: skip
    axes.axvline(100 * WARNING, color=PALETTE["black"], linestyle=":",
                 label=f"its warning ({_percent(WARNING)})")  # fmt: skip
    axes.set(xlim=(0, 100), xlabel="ceiling proximity of the latest window (%)")
    axes.grid(axis="y", visible=False)
    figure.legend(loc="outside lower center", ncols=4)
    over = int((latest["ceiling_proximity"] > SATURATED).sum())
    headline(
        figure,
        f"{over} of {len(latest)} benchmarks end nearer than {_percent(1 - SATURATED)} "
        "to the ceiling",
    )
    return figure


def gaps(monthly: pd.DataFrame) -> Figure:
    """Figure 5: mean gap between neighbours among the ten best models."""
    boards = _by_benchmark(monthly)
    figure, grid = _grid(len(boards), height=1.6, columns=4, width=1.75)
    for axes, (board, series) in zip(grid, boards.items(), strict=False):
        axes.plot(series["elapsed"], 100 * series["top10_gap"], "o-", color=PALETTE["blue"],
                  markersize=3, label="mean gap of the top ten")  # fmt: skip
        axes.axhline(100 * NOISE_GAP, color=PALETTE["black"], linestyle=":", linewidth=1,
                     label="1 point")  # fmt: skip
        below = int((series["top10_gap"] < NOISE_GAP).sum())
        axes.set_title(f"{board[1]} ({board[0]}): {below} of {len(series)}", fontsize=7.5)
        _first_and_last_month(axes, series)
        axes.set_ylim(0, 105 * monthly["top10_gap"].max())
    share = (monthly["top10_gap"] < NOISE_GAP).mean()
    headline(
        figure, f"In {share:.0%} of windows neighbours in the top ten are less than 1 point apart"
    )
    figure.legend(*grid[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.supylabel("mean gap of the top ten (points)", fontsize=9)
    return figure


def kinds(monthly: pd.DataFrame, pace: pd.DataFrame) -> Figure:
    """Knowledge against reasoning: best score so far, coloured by kind."""
    titles: dict[Any, str] = {}
    for board, paces in pace.groupby("leaderboard"):
        gain = paces.groupby("kind")["gain_a_month"].mean().mul(100)
        known = [f"{kind} {gain[kind]:+.1f}" for kind in ("knowledge", "reasoning") if kind in gain]
        titles[board] = f"{board}, points a month:\n{', '.join(known)}"
    figure, panels = _panels(monthly, titles, "best score so far (%)")
    kind_of = pace.set_index(BOARD)["kind"].to_dict()
    for board, axes in panels.items():
        rows = _board(monthly, board)
        for i, (name, series) in enumerate(rows.groupby("benchmark")):
            ordered = series.sort_values("elapsed")
            kind = kind_of[board, name]
            axes.plot(
                ordered["elapsed"], 100 * ordered["max_score"].cummax(),
                color=PALETTE[KIND_COLOURS[kind]], marker=MARKERS[i % len(MARKERS)],
                label=f"{name} ({kind})",
            )  # fmt: skip
        axes.axhline(100 * SATURATED, color=PALETTE["black"], linestyle=":", linewidth=1)
        axes.set_ylim(0, 100)
        axes.legend(loc="lower right", fontsize=6.5, ncols=2, columnspacing=0.8, handletextpad=0.5)
        _sizes(axes, rows)
    return figure


def overview(monthly: pd.DataFrame, index: pd.DataFrame) -> Figure:
    """Every window: low BDI against a high saturation index of its top models."""
    window = index[index["scope"] == "window"]
    both = monthly[[*KEYS, "bdi"]].merge(window, on=KEYS).dropna(subset="s_index")
    figure, axes = plt.subplots(figsize=(5.6, 4))
    for number, (board, rows) in enumerate(both.groupby("leaderboard")):
        axes.scatter(
            1 - rows["bdi"], rows["s_index"], s=22, color=PALETTE[CYCLE[number]],
            marker=MARKERS[number], label=f"leaderboard {board}", alpha=0.8,
        )  # fmt: skip
    rho = correlation.spearman(1 - both["bdi"], both["s_index"])["estimate"]
    said = "BDI and S measure different things" if abs(rho) < WEAK else "BDI and S go together"
    axes.set_title(f"{said}: rank correlation {rho:+.2f}".replace("-", "−"))
    axes.set(
        xlim=(-0.02, 1.02), ylim=(-0.04, 1.04),
        xlabel=f"1 − BDI: all models alike at 1 ({len(both)} benchmark-windows)",
        ylabel="saturation index S: top five alike at 1",
    )  # fmt: skip
    axes.legend(loc="lower right")
    return figure


def bin_choice(table: pd.DataFrame, summary: pd.DataFrame, reference: int) -> Figure:
    """How the number of bins moves the level, the order and the trends."""
    wide = table.pivot(index=KEYS, columns="bins", values="bdi")
    figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.4))
    choices = sorted(table["bins"].unique())
    shifts = {bins: wide[bins] - wide[reference] for bins in choices}
    left.boxplot(list(shifts.values()), tick_labels=[str(b) for b in choices], showfliers=True,
                 medianprops={"color": PALETTE["vermilion"]})  # fmt: skip
    left.axhspan(-BIN_SHIFT, BIN_SHIFT, color=PALETTE["sky"], alpha=0.25,
                 label=f"the paper's ±{BIN_SHIFT}")  # fmt: skip
    left.set(xlabel="number of bins B", ylabel=f"BDI minus BDI at B = {reference}")
    within = np.mean([abs(s) <= BIN_SHIFT for b, s in shifts.items() if b != reference])
    left.set_title("level", fontsize=9)
    left.legend(loc="lower right")
    places = range(len(summary))
    for column, label, colour, marker in (
        ("order_agreement", "order of all windows (Kendall's tau)", "blue", "o"),
        ("worst_month_agreement", "order within a month, worst (tau)", "vermilion", "v"),
        ("trend_agreement", "share of trends with the same sign", "green", "s"),
    ):
        right.plot(places, summary[column], marker=marker, color=PALETTE[colour], label=label)
    right.set_xticks(places, summary["bins"].astype(str))
    right.set(xlabel="number of bins B", ylabel=f"agreement with B = {reference}", ylim=(0, 1.05))
    others = summary[summary["bins"] != reference]
    right.set_title("order and trends", fontsize=9)
    headline(
        figure,
        f"Other numbers of bins: {within:.0%} of shifts of BDI are within ±{BIN_SHIFT}, "
        f"{others['trend_agreement'].min():.0%} to {others['trend_agreement'].max():.0%} of trends "
        "keep their sign",
    )
    right.legend(loc="lower right", fontsize=7.5)
    footnote(figure, f"n = {len(wide)} benchmark-windows")
    return figure


def population(fixed: pd.DataFrame) -> Figure:
    """Change of everybody against change of one model per family present at both ends."""
    chosen = fixed.query("comparison == 'first_to_last' and last_window == 'large'")
    chosen = chosen.query("unit == 'family'").reset_index(drop=True)
    figure, axes = plt.subplots(figsize=(7, 0.36 * len(chosen) + 1.6))
    places = np.arange(len(chosen))[::-1]
    known = chosen["corrected_change_lower"].notna()
    tried = chosen["corrected_change"].notna() & ~known
    errors = np.abs(
        chosen.loc[known, ["corrected_change_lower", "corrected_change_upper"]].to_numpy().T
        - chosen.loc[known, "corrected_change"].to_numpy()
    )
    if known.any():
        axes.errorbar(
            chosen.loc[known, "corrected_change"], places[known] - 0.12, xerr=errors, fmt="s",
            color=PALETTE["vermilion"], label="families present in both windows (95 % interval)",
        )  # fmt: skip
    axes.plot(
        chosen.loc[tried, "corrected_change"], places[tried] - 0.12, "s", markerfacecolor="white",
        color=PALETTE["vermilion"], label="families present in both, too few for an interval",
    )  # fmt: skip
    axes.plot(chosen["plain_change"], places + 0.12, "o", color=PALETTE["blue"],
              label="all submitted models")  # fmt: skip
    axes.axvline(0, color=PALETTE["black"], linewidth=1)
    axes.set_yticks(
        places,
        [f"{r.benchmark} ({r.leaderboard}, {r.members} families)" for r in chosen.itertuples()],
    )
    axes.set(xlabel="change of BDI, from the first to the last large window")
    fell = chosen[chosen["plain_change"] < 0]
    confirmed = int((fell["corrected_change_upper"] < 0).sum())
    testable = int(fell["corrected_change_upper"].notna().sum())
    headline(
        figure,
        f"BDI of all submitted models fell in {len(fell)}: {testable} can be tested on the same "
        f"families, {confirmed} confirmed",
    )
    figure.legend(loc="outside lower center", ncols=2)
    return figure


def retirement(table: pd.DataFrame) -> Figure:
    """How many of the three criteria each benchmark meets in each window."""
    figure, panels = _panels(table, {}, "", share_y=False, height=3.0)
    colours = ListedColormap(["#F2F2F2", "#FBD98B", PALETTE["orange"], PALETTE["vermilion"]])
    for board, axes in panels.items():
        rows = _board(table, board)
        wide = rows.pivot(index="benchmark", columns="elapsed", values="met")
        axes.imshow(wide, cmap=colours, vmin=0, vmax=3, aspect="auto")
        for (row, column), met in np.ndenumerate(wide.to_numpy()):
            if not np.isnan(met):
                axes.text(column, row, f"{met:.0f}", ha="center", va="center", fontsize=8)
        labels = rows.drop_duplicates("elapsed").set_index("elapsed")["month"]
        axes.set_xticks(range(wide.shape[1]), [labels[e] for e in wide.columns], rotation=60)
        axes.set_yticks(range(len(wide)), wide.index)
        axes.grid(visible=False)
        due = sorted(rows.loc[rows["due"], "benchmark"].unique())
        axes.set_title(f"{board}: {', '.join(due) or 'none'} met all three")
        axes.set_xlabel(f"window ({len(rows)} benchmark-windows)")
    figure.supylabel("criteria met, of three", fontsize=9)
    return figure


def _said(change: Mapping[Hashable, Any]) -> str:
    """What the test of a change says, in a word."""
    if pd.isna(change["p_value"]):
        return NOT_TESTED
    if not change["significant"]:
        return UNCLEAR
    return FELL if change["submitters_change"] < 0 else ROSE


def _course(axes: Axes, series: pd.DataFrame) -> None:
    """Line and band of what carries an interval; hollow marks of the rest; the paper's crosses."""
    known = series["bdi_submitters_lower"].notna()
    axes.fill_between(
        series["elapsed"], series["bdi_submitters_lower"], series["bdi_submitters_upper"],
        where=known.tolist(), color=PALETTE["blue"], alpha=0.25, linewidth=0, label="interval",
    )  # fmt: skip
    axes.plot(series["elapsed"], series["bdi_submitters"].where(known), "o-",
              color=PALETTE["blue"], markersize=3, label="each submitter once")  # fmt: skip
    axes.plot(series["elapsed"], series["bdi_submitters"].where(~known), "o",
              color=PALETTE["blue"], markerfacecolor="white", markersize=4,
              label="the same, too few for an interval")  # fmt: skip
    axes.plot(series["elapsed"], series["bdi"], "x", color=PALETTE["black"], markersize=4,
              label="the paper's: each evaluation once")  # fmt: skip
    axes.set_ylim(0.2, 1)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _board(table: pd.DataFrame, board: str) -> pd.DataFrame:
    return table[table["leaderboard"] == board]


def _panels(
    table: pd.DataFrame,
    titles: dict[Any, str],
    y_label: str,
    share_y: bool = True,
    height: float = 3.8,
) -> tuple[Figure, dict[str, Axes]]:
    boards = sorted(table["leaderboard"].unique())
    figure, grid = plt.subplots(
        1,
        len(boards),
        figsize=(min(3.5 * len(boards), WIDTH), height),
        sharey=share_y,
        squeeze=False,
    )
    for board, axes in zip(boards, grid[0], strict=True):
        axes.set_title(titles.get(board, board), fontsize=9)
        labels = _board(table, board).drop_duplicates("elapsed").sort_values("elapsed")
        axes.set_xticks(labels["elapsed"], labels["month"], rotation=60)
    grid[0][0].set_ylabel(y_label)
    return figure, dict(zip(boards, grid[0], strict=True))


def _grid(
    count: int, height: float, columns: int = 3, width: float = 2.33
) -> tuple[Figure, Sequence[Axes]]:
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, grid = plt.subplots(
        rows, columns, figsize=(width * columns, height * rows), squeeze=False, sharey=False
    )
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, list(grid.flat)


def _sizes(axes: Axes, table: pd.DataFrame) -> None:
    """Sample size under the axis, where it does not hide the months."""
    sizes = table[table["benchmark"] == table["benchmark"].iloc[0]]["n_models"]
    axes.set_xlabel(f"window (n = {sizes.sum()}, {sizes.min()} to {sizes.max()} a window)",
                    fontsize=7.5)  # fmt: skip


def _fitted(axes: Axes, series: pd.DataFrame, paper: pd.Series, honest: pd.Series) -> None:
    end = series["elapsed"].max()
    months = np.linspace(series["elapsed"].min(), end * 1.3, 100)

    def percent(fit: pd.Series) -> Array:
        return 100 * logistic(months, fit["ceiling"], fit["rate"], fit["midpoint"])

    axes.plot(series["elapsed"], 100 * series["max_score"], "o", color=PALETTE["blue"],
              label="best of the window")  # fmt: skip
    axes.step(series["elapsed"], 100 * series["max_score"].cummax(), where="post",
              color=PALETTE["grey"], linewidth=1, label="best so far")  # fmt: skip
    axes.plot(months, percent(paper), "--", color=PALETTE["orange"], label="paper's bounds")
    fitted = axes.plot(
        months, percent(honest), color=PALETTE["green"], label="ceiling ≥ best so far"
    )
    if honest["abstains"]:
        fitted[0].set_alpha(0.35)
    axes.axvline(end, color=PALETTE["grey"], linestyle=":", linewidth=1)


def _by_benchmark(monthly: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """The windows of each leaderboard's benchmarks in the order of time."""
    groups = monthly.sort_values("elapsed", kind="stable").groupby(BOARD)
    order = dict.fromkeys(monthly[BOARD].itertuples(index=False, name=None))
    return {board: groups.get_group(board) for board in order}


def _first_and_last_month(axes: Axes, series: pd.DataFrame) -> None:
    ends = [0, len(series) - 1]
    axes.set_xticks(series["elapsed"].iloc[ends], series["month"].iloc[ends])
