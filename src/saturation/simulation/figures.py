"""Figure of the checks: what is found between what is stated and the limits of what is accepted."""

from collections.abc import Hashable

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.pages.style import PALETTE, WIDTH, headline, key
from saturation.simulation.check import FAILS

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
    "adaptive.floor.believed": "needless floors",
    "adaptive.short_form.short_forms": "subsets",
    "board.leaders.power": "power",
    "discriminability.projection.growth_table": "ceilings",
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
