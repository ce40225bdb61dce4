"""Figure of what the workflow's rules cost."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from saturation.costs.jobs import Totals
from saturation.pages.style import PALETTE, WIDTH, headline, key


def costs(rules: pd.DataFrame, sums: Totals, critical: set[str]) -> Figure:
    """Wall and processor time and memory of every rule; rules of the critical path are marked."""
    shown = rules.iloc[::-1]
    y = np.arange(len(shown))
    figure, (time, memory) = plt.subplots(
        ncols=2, figsize=(WIDTH, 1.7 + 0.14 * len(shown)), sharey=True, width_ratios=[2, 1]
    )
    time.barh(y + 0.2, shown["wall_s"], 0.38, color=PALETTE["blue"], label="wall time")
    time.barh(y - 0.2, shown["cpu_s"], 0.38, color=PALETTE["sky"], label="processor time")
    time.plot(
        shown["start_s"], y, "|", color=PALETTE["vermilion"], markersize=7, markeredgewidth=2,
        label="start-up (interpreter and imports)",
    )  # fmt: skip
    memory.barh(y, shown["max_rss_mb"], 0.6, color=PALETTE["grey"])
    names = [
        f"{'→ ' if rule in critical else ''}{rule}{f' ×{jobs}' if jobs > 1 else ''}"
        for rule, jobs in zip(shown["rule"], shown["jobs"])
    ]
    time.set_yticks(y, names, fontsize=6.5)
    time.set_xlabel("seconds, summed over a rule's jobs")
    memory.set_xlabel("largest memory, MB")
    for axes in (time, memory):
        axes.grid(axis="y", visible=False)
        axes.margins(y=0.01)
    headline(figure, f"Start-up is {sums.start / sums.cpu:.0%} of {sums.cpu:.0f} processor seconds")
    key(
        figure,
        time,
        f"n = {rules['jobs'].sum()} jobs of {len(rules)} rules; → on the critical path, "
        f"{sums.critical:.0f} s long",
    )
    return figure
