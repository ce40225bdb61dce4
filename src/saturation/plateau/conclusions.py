"""The effects that the study draws conclusions from, and the benchmarks of each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.plateau import groupings
from saturation.plateau.trends import AGE

Array = NDArray[np.float64]

# An effect is a difference of mean indices or of saturated shares, or a rank correlation.
MEAN, SHARE, RANK = "mean", "share", "rank"


@dataclass(frozen=True)
class Conclusion:
    """One effect that the study draws a conclusion from.

    Parameters
    ----------
    label
        What is compared, for figures.
    variable
        Hypothesis of a comparison of two groups, or the column that the index is correlated with.
    measure
        Kind of effect: `MEAN` or `SHARE` of two groups, `RANK` of a column.
    grouping
        Reading of the hypothesis.
    adjustable
        Whether the effect is also computed at equal age.
    """

    label: str
    variable: str
    measure: str = MEAN
    grouping: str = "primary"
    adjustable: bool = True


CONCLUSIONS = {
    "h1": Conclusion("H1 public - private", "h1"),
    "h2": Conclusion("H2 English-only - others", "h2"),
    "h3": Conclusion("H3 synthetic - human", "h3"),
    "h3_expert": Conclusion("H3 no experts - experts", "h3", grouping="expert"),
    "h4": Conclusion("H4 closed - open answers", "h4"),
    "age": Conclusion("H5 age", AGE, RANK, adjustable=False),
    "citations": Conclusion("H5 citations", "citations", RANK),
    "h6": Conclusion("H6 templated - not, column", "h6"),
    "h6_tags_or_notes": Conclusion("H6 templated - not, script", "h6", grouping="tags_or_notes"),
    "quality": Conclusion("quality issues - none", "quality"),
    "quality_share": Conclusion("quality issues - none, share saturated", "quality", SHARE),
    "test_size": Conclusion("test-set size", "n_test", RANK),
}
"""The effects by name; differences are first group minus second."""

ADJUSTED = {"none": (), "age": (AGE,)}
"""What is held fixed, by name."""


class Sample(NamedTuple):
    """The benchmarks of one effect: their row numbers, its variable and what is held fixed."""

    rows: NDArray[np.intp]
    variable: Array
    given: Array


def samples(data: pd.DataFrame) -> dict[tuple[str, str], Sample]:
    """The benchmarks that each effect is computed from, by its name and what is held fixed.

    Parameters
    ----------
    data
        Annotations of every benchmark; all effects keep their order.
    """
    groups = {
        (compared.hypothesis, compared.grouping): compared.membership(data["benchmark_id"])
        for compared in groupings.comparisons(data)
    }
    return {
        (name, adjusted): _sample(data, _variable(data, groups, conclusion), given)
        for name, conclusion in CONCLUSIONS.items()
        for adjusted, given in ADJUSTED.items()
        if adjusted == "none" or conclusion.adjustable
    }


def _variable(
    data: pd.DataFrame, groups: Mapping[tuple[str, str], Array], conclusion: Conclusion
) -> Array:
    if conclusion.measure == RANK:
        return np.asarray(data[conclusion.variable].astype(float), dtype=float)
    return groups[conclusion.variable, conclusion.grouping]


def _sample(data: pd.DataFrame, variable: Array, given: Sequence[str]) -> Sample:
    rows = np.flatnonzero(np.isfinite(variable))
    return Sample(rows, variable[rows], data[list(given)].to_numpy(float)[rows])


def contrast(chosen: Sample) -> Array:
    """Weights of outcomes that give their least-squares slope on the variable.

    Parameters
    ----------
    chosen
        The benchmarks of an effect.

    Returns
    -------
    numpy.ndarray
        One weight a benchmark of the sample; NaN where there is no slope.
    """
    design = np.column_stack([chosen.variable, np.ones(len(chosen.rows)), chosen.given])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return np.full(len(chosen.rows), np.nan)
    weights: Array = np.linalg.pinv(design)[0]
    return weights
