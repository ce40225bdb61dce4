"""Monitor a comparison after every run; stop at a decision, at a stated error rate."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from saturation.statistics.intervals import ALPHA
from saturation.statistics.power import Contrast, detectable_difference

# Nodes of the integral at each look, and standard deviations below the boundary that it covers.
NODES, REACH = 96, 9.0


def repeated_p(p_value: float, looks: int) -> float:
    """Return the p-value of a test that is repeated after each of so many runs.

    The probability, if nothing changed, that the test statistic of any look is as extreme: Pocock's
    constant boundary (S. J. Pocock (1977), Biometrika 64, 191-199), by which a rejection at any of
    the looks keeps the level. Looks that are left out keep it too.

    Examples
    --------
    >>> round(repeated_p(0.05, 1), 3), round(repeated_p(0.0158, 5), 3)
    (0.05, 0.047)
    """
    if looks == 1 or not 0 < p_value < 1:
        return p_value
    boundary = -special.ndtri(p_value)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    below, density, before = np.zeros(1), np.ones(1), np.ones(1)
    for look in range(1, looks + 1):
        # Sums of so many standard normal increments, none of which has crossed.
        high = boundary * math.sqrt(look)
        low = min(-REACH * math.sqrt(look), high - REACH)
        sums = low + (high - low) * (nodes + 1) / 2
        step = np.exp(-((sums[:, None] - below) ** 2) / 2) / math.sqrt(2 * math.pi)
        below, density, before = sums, step @ (density * before), weights * (high - low) / 2
    return float(np.clip(1 - density @ before, p_value, 1.0))


@dataclass(frozen=True)
class Plan:
    """The drop that a benchmark can show by its baseline alone, before the candidate's first run.

    By the one-sided test of answers to these items; drops are shares.
    """

    n_items: int
    runs: int
    detectable: float
    margin: float
    runs_for_margin: int  #: of each version, of these items
    items_for_margin: int  #: of items like these, in so many runs


def plan_runs(
    baseline: pd.DataFrame, runs: int, margin: float, power: float, run_part: float
) -> Plan:
    """Plan a comparison from the baseline's answers.

    Parameters
    ----------
    baseline
        Table of items by runs, in [0, 1].
    runs
        Number of runs that each version will have.
    run_part
        Share of the variance of single answers that repeats on an item; used with a single run.
    """
    answers = baseline[baseline.notna().any(axis=1)]
    if answers.shape[1] > 1:
        spread = answers.var(axis=1).mean()
    else:
        score = answers.mean().iloc[0]
        spread = run_part * score * (1 - score)
    n = len(answers)
    # At least one answer in either direction differs, as in the test's error.
    contrast = Contrast(0.0, math.sqrt(2 * (spread + 1 / n) / n / runs))
    detectable = detectable_difference(contrast, 2 * ALPHA, power)
    return Plan(
        n_items=n,
        runs=runs,
        detectable=detectable,
        margin=margin,
        runs_for_margin=math.ceil(runs * (detectable / margin) ** 2),
        items_for_margin=math.ceil(n * (detectable / margin) ** 2),
    )


@dataclass(frozen=True)
class Stability:
    """Two runs of a version compared with each other: an A/A check of a suite."""

    pairs: int  #: of runs
    flaky: int  #: items with different answers over the runs
    flipped: float  #: mean number of items that change between two runs
    largest_change: float  #: of the score between two runs
    red_at_margin: float  #: share of the pairs in which the score fell by more than the margin


def check_stability(baseline: pd.DataFrame, margin: float) -> Stability | None:
    """Compare every pair of runs of a version; None for a single run."""
    answers = baseline.dropna().to_numpy(float)
    runs = answers.shape[1]
    if runs < 2 or not len(answers):
        return None
    first, second = np.array([*itertools.permutations(range(runs), 2)]).T
    change = answers[:, second].mean(axis=0) - answers[:, first].mean(axis=0)
    return Stability(
        pairs=len(first) // 2,
        flaky=int((answers.min(axis=1) < answers.max(axis=1)).sum()),
        flipped=(answers[:, first] != answers[:, second]).sum(axis=0).mean(),
        largest_change=np.abs(change).max(),
        red_at_margin=(change < -margin - 1e-12).mean(),
    )
