"""The figure of the release notes; draw inside ``studies.style.style()``."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from saturation.compare.paired import LIKE, THESE
from saturation.compare.suite import BETTER, CEILING, EQUIVALENT, UNDECIDED, UNTESTED, WORSE
from studies.releases.names import DOCUMENTS
from studies.style import BLUE, COLUMN, SMALLEST, VERMILION, caption

HEIGHT = 3.3  # inches
OPEN = "not significant"
GROUPS = {
    "new model better": ([BETTER], BLUE, "white"),
    OPEN: ([UNDECIDED, CEILING, EQUIVALENT], "#D9D9D9", "#222222"),
    "new model worse": ([WORSE], VERMILION, "white"),
}
TITLES = {THESE: "on these items", LIKE: "on items like these"}


def claims(counts: pd.DataFrame) -> Figure:
    """Draw how many printed differences of each document exceed their error."""
    figure, panels = plt.subplots(1, 2, figsize=(COLUMN, HEIGHT), sharey=True, sharex=True)
    for axes, (question, title) in zip(panels, TITLES.items()):
        part = counts[counts["question"] == question].set_index("document").loc[list(DOCUMENTS)]
        _bars(axes, part)
        axes.set_title(title, size=7.5, loc="left")
    names = [f"{document.title} ({document.date[:4]})" for document in DOCUMENTS.values()]
    panels[0].set_yticks(range(len(names)), names, size=7)
    panels[0].invert_yaxis()
    like = counts[counts["question"] == LIKE]
    tested = like.drop(columns=["document", "question", UNTESTED]).to_numpy().sum()
    opened = like[GROUPS[OPEN][0]].to_numpy().sum()
    caption(
        figure,
        f"{opened} of {tested} differences that {len(DOCUMENTS)} release notes print are not "
        "significant",
        "Number of benchmarks times other models. Holm over a document. Left: error of runs; "
        f"right: that of items too. Not drawn: {like[UNTESTED].sum()} without a known number "
        "of items or a share as metric.",
        room=2,
    )
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        ncols=3,
        loc="lower left",
        fontsize=SMALLEST + 0.3,
        bbox_to_anchor=(0, 0.09),
        frameon=False,
    )
    return figure


def _bars(axes: Axes, part: pd.DataFrame) -> None:
    bar_starts = pd.Series(0, part.index)
    for label, (answers, colour, ink) in GROUPS.items():
        count = part[answers].sum(axis=1)
        axes.barh(range(len(part)), count, left=bar_starts, color=colour, height=0.72, label=label)
        for place, (start, width) in enumerate(zip(bar_starts, count)):
            if width >= 0.05 * part.drop(columns="question").sum(axis=1).max():
                axes.text(
                    start + width / 2,
                    place,
                    str(width),
                    size=SMALLEST,
                    color=ink,
                    ha="center",
                    va="center",
                )
        bar_starts = bar_starts + count
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=SMALLEST)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("differences", size=7)
