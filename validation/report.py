"""Write the tables and the figure of docs/validation.md from the committed table (make docs)."""

import re
from collections.abc import Hashable

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.files.tables import read_table, write_figure, write_text
from saturation.pages.style import PALETTE, WIDTH, headline, key, style
from validation.__main__ import KNOWN, ROOT
from validation.check import FAILS, HOLDS

PAGE = ROOT / "docs" / "validation.md"
FIGURE = ROOT / "docs" / "images" / "validation.png"
BLOCK = re.compile(r"(<!-- checks -->\n).*(<!-- /checks -->)", re.DOTALL)

# Widths of the accepted side: what lies farther from what is stated stands at the edge.
FARTHEST = 4.0
INCHES_A_PACKAGE = 0.36
# Of the room of a package that its checks fill.
FILLED = 0.84
# Estimators that are named beside a row; the others are counted.
NAMED = 3
# What those give that do not hold, without the package, which names the row.
WORDS = {
    "adaptive.fit.fit": "item parameters",
    "adaptive.misfit.believed": "needless floors",
    "adaptive.short_form.short_forms": "subsets",
    "leaderboard.top.power": "power",
    "discriminability.growth.growth_table": "ceilings",
    "robustness.slopes.readings": "plain slopes",
    "robustness.slopes.variance_shares": "variance shares",
    "statistics.shrinkage.close": "P(saturated)",
}


def levels(table: pd.DataFrame) -> Figure:
    """Each check's found share between the stated one and the accepted limits, a row a package."""
    names = table["estimator"].str.removeprefix("saturation.")
    shown = table.assign(package=names.str.partition(".")[0], estimator=names)
    shown = shown.sort_values(["package", "estimator", "check"], ignore_index=True)
    packages = list(dict.fromkeys(shown["package"]))
    of_package = shown.groupby("package")["check"]
    within = (of_package.cumcount() + 0.5) / of_package.transform("size") - 0.5
    points = _relative(shown).assign(
        y=shown["package"].map(packages.index) + FILLED * within, fails=shown["verdict"] == FAILS
    )
    figure, axes = plt.subplots(figsize=(WIDTH, 1.7 + INCHES_A_PACKAGE * len(packages)))
    axes.axvspan(-1, 1, color="#DDE5EC", linewidth=0, label="accepted")
    axes.axvline(0, color=PALETTE["black"], linewidth=1, label="as stated")
    _points(axes, points[~points["fails"]], ".", "blue", "found, holds")
    _points(axes, points[points["fails"]], "X", "vermilion", "found, does not hold")
    for place, (_, checks) in enumerate(shown.groupby("package")):
        axes.text(1.01, place, _count(checks), transform=axes.get_yaxis_transform(),
                  fontsize=7, va="center")  # fmt: skip
    axes.set_yticks(range(len(packages)), packages)
    axes.set_ylim(len(packages) - 0.5, -0.5)
    axes.set_xlim(-FARTHEST - 0.2, FARTHEST + 0.2)
    axes.set_xticks([-1, 0, 1], ["lower\nlimit", "as\nstated", "upper\nlimit"])
    axes.grid(visible=False)
    headline(figure, _title(points["fails"]))
    key(
        figure,
        axes,
        "A point is one simulated law, its line the error of the simulation (95 %); what is "
        f"farther off than {FARTHEST:g} times the limit stands at the edge. Stated are 95 % for "
        "intervals, 5 % for tests and 80 % for numbers of items. The table beside this names "
        "every law.",
    )
    return figure


def _relative(table: pd.DataFrame) -> pd.DataFrame:
    """Found share and its error, where 0 is as stated, -1 and 1 are the limits."""
    below, above = table["stated"] - table["lower"], table["upper"] - table["stated"]
    # A limit at what is stated itself: the other side is the measure.
    below, above = below.where(below > 0, above), above.where(above > 0, below)
    names = ("found", "found_low", "found_high")
    away = {name: table[name] - table["stated"] for name in names}
    return pd.DataFrame(
        {name: value / below.where(value < 0, above) for name, value in away.items()}
    )


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
    text = f"{(~fails).sum()} of {len(checks)}"
    failing = checks.loc[fails, "estimator"].value_counts(sort=False)
    named = [f"{_short(name)} ({n} not)" for name, n in failing.items()]
    more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
    return "\n".join([text, *named[:NAMED], *more])


def _short(estimator: Hashable) -> str:
    """What an estimator gives, in words; of one that has none here, its function's name."""
    name = str(estimator)
    return WORDS.get(name, name.rpartition(".")[2].replace("_", " "))


def _title(fails: "pd.Series[bool]") -> str:
    if not fails.any():
        return f"All {len(fails)} checks hold what they state"
    return f"{len(fails) - fails.sum()} of {len(fails)} checks hold what they state"


def rendered(text: str, table: pd.DataFrame) -> str:
    """The page's text with fresh tables: what does not hold, by estimator, and all, folded."""
    shown = _in_words(table)
    fails = shown[shown["verdict"] == FAILS].drop(columns="verdict")
    package = shown["estimator"].str.removeprefix("saturation.").str.partition(".")[0]
    parts = [
        f"{len(table) - len(fails)} of {len(table)} checks hold.\n",
        f"### What does not hold\n\n{_markdown(fails)}",
        f"### By estimator\n\n{_markdown(_by_estimator(table))}",
        "### Every check\n",
        *(_folded(str(name), own) for name, own in shown.groupby(package)),
    ]
    content = "\n".join(parts)
    return BLOCK.sub(lambda match: match[1] + content + match[2], text)


def _in_words(table: pd.DataFrame) -> pd.DataFrame:
    """The table for readers: in percent, what does not hold first."""
    ordered = table.sort_values(["verdict", "check"], ignore_index=True)

    def percent(name: str) -> "pd.Series[str]":
        return (100 * ordered[name]).map("{:.1f}".format).where(ordered[name].notna(), "")

    given = ordered["abstained"] + ordered["trials"]
    abstained = ordered["abstained"].astype(str) + " of " + given.astype(str)
    return ordered[["estimator", "statement", "scenario"]].assign(
        **{
            "stated, %": percent("stated"),
            "found, %": percent("found"),
            "accepted, %": percent("lower") + " to " + percent("upper"),
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
            "hold": int((its["verdict"] == HOLDS).sum()),
            "stated, %": _range(its["stated"]),
            "found, %": _range(its["found"]),
        }
        for estimator, its in table.groupby("estimator")
    )


def _range(shares: "pd.Series[float]") -> str:
    """Least and most of some shares, in percent; one where they are the same."""
    ends = dict.fromkeys(f"{100 * end:.1f}" for end in (shares.min(), shares.max()))
    return " to ".join(ends)


def _folded(name: str, own: pd.DataFrame) -> str:
    """The checks of a package, which open at a click."""
    holding = int((own["verdict"] == HOLDS).sum())
    summary = f"{name}: {holding} of {len(own)} hold"
    return f"<details><summary>{summary}</summary>\n\n{_markdown(own)}\n</details>\n"


def _markdown(table: pd.DataFrame) -> str:
    """A table without spaces that line it up: they would be most of the page."""
    lines = table.to_markdown(index=False, disable_numparse=True).splitlines()
    closer = [re.sub(r" {2,}", " ", re.sub(r"-{3,}", "--", line)) for line in lines]
    return "\n".join(closer) + "\n"


if __name__ == "__main__":
    known = read_table(KNOWN)
    write_text(rendered(PAGE.read_text(encoding="utf-8"), known), PAGE)
    with style():
        write_figure(levels(known), [FIGURE])
