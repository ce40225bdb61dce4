"""Write the tables and the figure of docs/validation.md from the committed table (make docs)."""

import re
from collections.abc import Hashable

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.files.tables import load_table, write_text
from saturation.pages.style import PALETTE
from studies.style import COLUMN, headline, key, style, write_figure
from validation.__main__ import KNOWN, ROOT
from validation.check import AS_STATED, FAILS, HOLDS, SAFE, UNDECIDED

PAGE = ROOT / "docs" / "validation.md"
FIGURE = ROOT / "docs" / "images" / "validation.png"
BLOCK = re.compile(r"(<!-- checks -->\n).*(<!-- /checks -->)", re.DOTALL)

# Points of percent: what lies farther from what is stated is drawn at the edge.
FARTHEST = 12.0
INCHES_A_PACKAGE = 0.36
# Share of a package's row that its checks fill.
FILLED = 0.84
MARKERS = {
    AS_STATED: (".", "blue"),
    SAFE: (".", "grey"),
    UNDECIDED: (".", "sky"),
    FAILS: ("X", "vermilion"),
}
# Estimators that are named beside a row; the others are counted.
NAMED = 2
# What those give that do not hold, without the package, which names the row.
WORDS = {
    "adaptive.fit.fit": "item parameters",
    "adaptive.misfit.doubt": "warnings of misfit",
    "boards.alpha.jackknife": "alpha",
    "discriminability.windows.change_from_first": "changes of BDI",
    "forecast.scoring.clustered_share": "coverage",
    "leaderboard.top.index": "S of a pair",
    "statistics.pairs.holm_pairs": "power over all pairs",
}


def levels(table: pd.DataFrame) -> Figure:
    """How far each check's found share is from the stated one, a row a package."""
    names = table["estimator"].str.removeprefix("saturation.")
    shown = table.assign(package=names.str.partition(".")[0], estimator=names)
    shown = shown.sort_values(["package", "estimator", "check"], ignore_index=True)
    packages = list(dict.fromkeys(shown["package"]))
    of_package = shown.groupby("package")["check"]
    within = (of_package.cumcount() + 0.5) / of_package.transform("size") - 0.5
    points = _on_safe_side(shown).assign(
        y=shown["package"].map(packages.index) + FILLED * within, verdict=shown["verdict"]
    )
    figure, axes = plt.subplots(figsize=(COLUMN, 1.7 + INCHES_A_PACKAGE * len(packages)))
    axes.axvline(0, color=PALETTE["black"], linewidth=1)
    for verdict, (marker, colour) in MARKERS.items():
        _points(axes, points[points["verdict"] == verdict], marker, colour, verdict)
    for place, (_, checks) in enumerate(shown.groupby("package")):
        axes.text(1.01, place, _count(checks), transform=axes.get_yaxis_transform(),
                  fontsize=7, va="center")  # fmt: skip
    axes.set_yticks(range(len(packages)), packages)
    axes.set_ylim(len(packages) - 0.5, -0.5)
    axes.set_xlim(-FARTHEST - 0.5, FARTHEST + 0.5)
    axes.set_xlabel("found minus stated, percentage points (right: the safe side)")
    axes.grid(visible=False)
    headline(figure, headline_of(table))
    key(
        figure,
        axes,
        "A point is one statement under one data-generating process; its line is the simulation's "
        f"error (95 %). Points farther off than {FARTHEST:g} are drawn at the edge.",
    )
    return figure


def headline_of(table: pd.DataFrame) -> str:
    """How many of the decided checks hold."""
    verdicts = table["verdict"]
    held, decided = verdicts.isin(HOLDS).sum(), (verdicts != UNDECIDED).sum()
    return f"{held} of {decided} decided checks hold"


def _on_safe_side(table: pd.DataFrame) -> pd.DataFrame:
    """Found minus stated share with its error, in points, turned so that more is safer."""
    sign = 100 * table["safe"].map({"more": 1, "fewer": -1, "neither": 1})
    names = ("found", "found_low", "found_high")
    return pd.DataFrame({name: sign * (table[name] - table["stated"]) for name in names})


def _points(axes: Axes, points: pd.DataFrame, marker: str, colour: str, label: str) -> None:
    known = points[points["found"].notna()]
    ends = known[["found_low", "found_high"]].clip(-FARTHEST, FARTHEST)
    axes.hlines(known["y"], ends["found_low"], ends["found_high"], color=PALETTE[colour],
                linewidth=0.5, alpha=0.35)  # fmt: skip
    axes.plot(known["found"].clip(-FARTHEST, FARTHEST), known["y"], marker, color=PALETTE[colour],
              markersize=4 if marker == "." else 5, markeredgewidth=0, label=label)  # fmt: skip


def _count(checks: pd.DataFrame) -> str:
    """How many checks of a package hold, and which estimators' do not all."""
    fails = checks["verdict"] == FAILS
    decided = (checks["verdict"] != UNDECIDED).sum()
    text = f"{checks['verdict'].isin(HOLDS).sum()} of {decided}"
    failing = checks.loc[fails, "estimator"].value_counts(sort=False)
    named = [f"{_short(name)} ({n} not)" for name, n in failing.items()]
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    return "\n".join([text, *named[:NAMED], *more])


def _short(estimator: Hashable) -> str:
    """What an estimator gives, in words; of one that has none here, its function's name."""
    name = str(estimator)
    return WORDS.get(name, name.rpartition(".")[2].replace("_", " "))


def rendered(text: str, table: pd.DataFrame) -> str:
    """Return the page with fresh tables: the checks that do not hold, and counts by estimator."""
    shown = _in_words(table)
    fails = shown[shown["verdict"] == FAILS].drop(columns="verdict")
    counts = table["verdict"].value_counts()
    parts = [
        f"{headline_of(table)}: {counts.get(AS_STATED, 0)} as stated, {counts.get(SAFE, 0)} on the "
        f"safe side. {counts.get(FAILS, 0)} do not hold, {counts.get(UNDECIDED, 0)} are "
        "undecided.\n",
        f"### What does not hold\n\n{_markdown(fails)}",
        f"### By estimator\n\n{_markdown(_by_estimator(table))}",
    ]
    content = "\n".join(parts)
    return BLOCK.sub(lambda match: match[1] + content + match[2], text)


def _in_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table for readers: in percent, what does not hold first."""
    ordered = table.sort_values("check", ignore_index=True)

    def percent(name: str) -> "pd.Series[str]":
        return (100 * ordered[name]).map("{:.1f}".format).where(ordered[name].notna(), "")

    given = ordered["abstained"] + ordered["trials"]
    abstained = ordered["abstained"].astype(str) + " of " + given.astype(str)
    return ordered[["estimator", "statement", "scenario"]].assign(
        **{
            "stated, %": percent("stated"),
            "found, %": percent("found"),
            "error of the simulation, %": percent("found_low") + " to " + percent("found_high"),
            "data sets": ordered["data_sets"].astype(str),
            "abstained": abstained.where(ordered["abstained"] > 0, ""),
            "verdict": ordered["verdict"],
        }
    )


def _by_estimator(table: pd.DataFrame) -> pd.DataFrame:
    """Of each estimator: checks, how many hold, and the least and most that they found."""
    return pd.DataFrame(
        {
            "estimator": estimator,
            "checks": len(its),
            "hold": int(its["verdict"].isin(HOLDS).sum()),
            "do not hold": int((its["verdict"] == FAILS).sum()),
            "stated, %": _range(its["stated"]),
            "found, %": _range(its["found"]),
        }
        for estimator, its in table.groupby("estimator")
    )


def _range(shares: "pd.Series[float]") -> str:
    """Least and most of some shares, in percent; one where they are the same."""
    ends = dict.fromkeys(f"{100 * end:.1f}" for end in (shares.min(), shares.max()))
    return " to ".join(ends)


def _markdown(table: pd.DataFrame) -> str:
    """A table without spaces that line it up: they would be most of the page."""
    lines = table.to_markdown(index=False, disable_numparse=True).splitlines()
    closer = [re.sub(r" {2,}", " ", re.sub(r"-{3,}", "--", line)) for line in lines]
    return "\n".join(closer) + "\n"


if __name__ == "__main__":
    known = load_table(KNOWN)
    write_text(rendered(PAGE.read_text(encoding="utf-8"), known), PAGE)
    with style():
        write_figure(levels(known), [FIGURE])
