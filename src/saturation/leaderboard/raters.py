"""Raters: how far they agree, how severe each is, and errors with raters resampled."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from saturation.errors import InputError
from saturation.statistics import components
from saturation.statistics.intervals import CONFIDENCE

# Two raters give a variance with one degree of freedom: no interval is worth printing.
FEWEST_RATERS = 3


class Agreement(NamedTuple):
    """Rate of equal verdicts of two raters on a comparison."""

    comparisons: int  # that two raters or more judged
    same: float
    chance: float  # if each drew its verdicts from those of all
    alpha: float  # Krippendorff's, of names: 1 if all agree, 0 as by chance


def agreement(votes: pd.DataFrame) -> Agreement | None:
    """Measure agreement on equal prompt and models in either order, by each rater's first vote.

    Takes votes of :func:`saturation.leaderboard.votes.tidy` with prompt and rater. None where no
    two raters judged the same, or all verdicts are one.
    """
    pairs = np.sort(votes[["model_a", "model_b"]].to_numpy(object), axis=1)
    is_turned = votes["model_a"] > votes["model_b"]
    verdict = votes["outcome"].mask(is_turned, 1 - votes["outcome"])
    oriented = votes.assign(verdict=verdict, one=pairs[:, 0], other=pairs[:, 1])
    once = oriented.drop_duplicates(unit := ["prompt", "one", "other", "rater"])
    counts = once.groupby([*unit[:3], "verdict"]).size().unstack(fill_value=0)
    table = counts[counts.sum(axis=1) > 1].to_numpy(float)
    size, of_verdict = table.sum(axis=1), table.sum(axis=0)
    n = size.sum()
    if n in (0, of_verdict.max(initial=0)):
        return None
    same = (table * (table - 1) / (size - 1)[:, None]).sum() / n
    chance = (of_verdict * (of_verdict - 1)).sum() / (n * (n - 1))
    return Agreement(len(table), same, chance, (same - chance) / (1 - chance))


@dataclass(frozen=True)
class Graded:
    """Scores of models on shared items by shared raters."""

    severity: pd.Series  #: mean score that each rater gives, less that of all
    correlation: float  #: mean correlation of two raters over models and items
    #: Standard error of a difference of two models for other items and other raters; NaN with
    #: fewer than three raters.
    error: float = np.nan
    #: Its interval (R. K. Burdick and F. A. Graybill, Confidence Intervals on Variance Components,
    #: Dekker 1992).
    lower: float = np.nan
    upper: float = np.nan
    items: float = np.nan  #: its parts, whose squares add up to that of the error
    raters: float = np.nan
    rest: float = np.nan
    abstains: str | None = None


def graded(responses: pd.DataFrame) -> Graded:
    """Severity, agreement and error, by generalizability theory.

    `responses` has each rater on each item of each model, once.
    """
    key = ["model", "item", "rater"]
    table = responses.set_index(key)["response"].astype(float)
    shape = [table.index.get_level_values(name).nunique() for name in key]
    if table.index.duplicated().any() or len(table) != np.prod(shape):
        raise InputError(
            f"raters: {len(table)} scores of {shape[0]} models, {shape[1]} items and {shape[2]} "
            "raters; each rater has to score each item of each model once"
        )
    _, items, raters = shape
    by_rater = table.unstack("rater")
    severity = by_rater.mean() - table.mean()
    together = by_rater.corr().to_numpy()
    correlation = together[np.triu_indices(raters, 1)].mean()
    if raters < FEWEST_RATERS:
        reason = f"{raters} raters give no variance worth an interval; {FEWEST_RATERS} are needed"
        return Graded(severity, correlation, abstains=reason)
    balance = components.balanced(table.sort_index().to_numpy().reshape(shape))
    terms = balance.loc[["model:item", "model:run", "model:item:run"]]
    answers = items * raters
    parts = 2 * terms["variance"].clip(lower=0).to_numpy() / [items, raters, answers]
    # Modified large-sample limits of a sum of mean squares, the last of them taken off.
    squares = 2 * terms["mean_square"].to_numpy() / answers
    degrees = terms["degrees"].to_numpy(float)
    below = (1 - degrees / special.chdtri(degrees, 0.5 - CONFIDENCE / 2)) * squares
    above = (degrees / special.chdtri(degrees, 0.5 + CONFIDENCE / 2) - 1) * squares
    down, up = np.linalg.norm([[*below[:2], above[2]], [*above[:2], below[2]]], axis=1)
    middle = squares[0] + squares[1] - squares[2]
    ends = np.sqrt([max(middle - down, 0.0), middle + up])
    return Graded(severity, correlation, np.sqrt(parts.sum()), *ends, *np.sqrt(parts))


def remark(responses: pd.DataFrame) -> str:
    """Describe the raters' effect on scores, in a sentence for the reader of a card."""
    try:
        grades = graded(responses)
    except InputError as error:
        return f"{error.violations[0]}; without that their part of the error is not known"
    low, high = grades.severity.min(), grades.severity.max()
    sentence = (
        f"scores are means over {len(grades.severity)} raters, who give {low:+.3g} to {high:+.3g} "
        f"from the mean and correlate {grades.correlation:.2f}; "
    )
    if grades.abstains is not None:
        return sentence + f"tests hold for these raters alone: {grades.abstains}"
    return sentence + (
        f"tests take them as given: with raters resampled a difference has a standard error of "
        f"{grades.error:.3g} ({grades.lower:.3g} to {grades.upper:.3g}), of which items make "
        f"{grades.items:.3g} and raters {grades.raters:.3g} (the interval covers 95 % for "
        "symmetric marks, 87 % to 90 % for skewed or crowded ones)"
    )
