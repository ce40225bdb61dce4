"""The growth of a best score: the interval of the ceiling, and abstention.

Windows of a leaderboard follow a logistic curve, the frontier. The best score of a window lies
below it by chance, and the study fits the best so far.
"""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.discriminability import growth
from saturation.files.tables import records
from saturation.simulation.check import Check
from saturation.simulation.counting import repeated

Floats = NDArray[np.float64]
Rng = np.random.Generator

# As the config ships them.
DEMANDS = growth.Demands(min_windows=6, min_r2=0.5, min_reached=0.9, max_ceiling_width=0.1)
LEVEL = 0.95
CEILING, RATE, MIDPOINT = 0.85, 0.35, 2.0
NOISE = 0.01


def _least_squares(windows: int, rng: Rng) -> bool:
    """The interval where its theory holds: independent errors around the curve."""
    months = np.arange(windows, dtype=float)
    best = growth.logistic(months, CEILING, RATE, MIDPOINT) + rng.normal(0, NOISE, windows)
    bounds = growth.Bounds((0.6, growth.RATE_BOUNDS[0], -np.inf), (1.0, 10.0, np.inf))
    fitted = growth.fit(months, best, bounds)
    lower, upper = growth.profile_interval(months, best, fitted, bounds, LEVEL)
    return lower <= CEILING <= upper


def _projected(best: Floats) -> dict[str, Any]:
    """What the study's own reading says."""
    monthly = pd.DataFrame(
        {"leaderboard": "l", "benchmark": "b", "elapsed": np.arange(len(best)), "max_score": best}
    )
    fits, _ = growth.growth_table(monthly, DEMANDS, LEVEL)
    (honest,) = records(fits[fits["reading"] == "honest"])
    return honest


def _ceiling(windows: int, noise: float, rng: Rng) -> bool | None:
    """The interval that is printed, where the study does not abstain."""
    frontier = growth.logistic(np.arange(windows), CEILING, RATE, MIDPOINT)
    row = _projected(frontier - rng.exponential(noise, windows))
    if row["abstains"]:
        return None
    return bool(row["ceiling_lower"] <= CEILING <= row["ceiling_upper"])


def _projects_a_line(windows: int, rng: Rng) -> bool:
    """Scores that rise by the same amount in every window: no ceiling is in sight."""
    best = np.linspace(0.3, 0.8, windows) - rng.exponential(NOISE, windows)
    return not _projected(best)["abstains"]


CONTAINS = "the 95 % interval contains the true ceiling"

CHECKS: tuple[Check, ...] = (
    Check(
        "growth_profile", "discriminability.growth.profile_interval", CONTAINS,
        "12 windows with independent errors of one point around the curve",
        stated=LEVEL, lower=0.92, upper=0.975, data_sets=300,
        simulate=repeated(partial(_least_squares, 12)),
    ),
    *(
        Check(
            f"growth_ceiling_{round(1000 * noise)}", "discriminability.projection.growth_table",
            f"{CONTAINS}, where the study projects one",
            f"14 windows, the best of each {100 * noise:g} points below the curve on average",
            stated=LEVEL, lower=0.92, upper=0.985, data_sets=120,
            simulate=repeated(partial(_ceiling, 14, noise)),
        )
        for noise in (0.003, 0.01)
    ),
    Check(
        "growth_abstention", "discriminability.projection.growth_table",
        "a ceiling is projected although none is in sight, at most so often",
        "12 windows in which the best score rises along a line",
        stated=0.05, lower=0.0, upper=0.1, data_sets=60,
        simulate=repeated(partial(_projects_a_line, 12)),
    ),
)  # fmt: skip
