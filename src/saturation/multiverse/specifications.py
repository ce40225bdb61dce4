"""Every defensible analysis of each conclusion at once (specification curve; multiverse analysis).

A *specification* is one choice of everything that the plateau paper had to choose: an outcome
(k, alpha, error model, index or z or saturated at a threshold) and a design (grouping, age
convention, covariates, excluded benchmarks, test).
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation import seeds
from saturation.multiverse.choices import (
    DESIGN_COLUMNS,
    OUTCOME_COLUMNS,
    REFERENCE_OUTCOME,
    Design,
    Outcome,
    designs,
    outcomes,
)
from saturation.multiverse.conclusions import CONCLUSIONS, Conclusion
from saturation.multiverse.data import Data, admitted, outcome_values


def all_conclusions(
    data: Data, choices: Mapping[str, Any], count: int, seed: int, size: str
) -> pd.DataFrame:
    """Specifications of every conclusion, one conclusion under the other.

    Parameters
    ----------
    data
        The benchmarks.
    choices
        The config's lists of choices.
    count
        Specifications of a conclusion; all of them where fewer are possible.
    seed
        The config's seed.
    size
        ``reduced`` or ``full``.

    Returns
    -------
    pandas.DataFrame
        See :func:`specifications`.
    """
    return pd.concat(
        specifications(
            data,
            conclusion,
            choices,
            count,
            seeds.generator(seed, "multiverse", "specifications", size, conclusion.name),
        )
        for conclusion in CONCLUSIONS.values()
    )


def specifications(
    data: Data,
    conclusion: Conclusion,
    choices: Mapping[str, Any],
    count: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Specifications of a conclusion: all of them, or a simple random sample of the given size.

    The reference specification (the paper's k, alpha and error model, everything else the first
    choice) is always among them.

    Parameters
    ----------
    data
        The benchmarks.
    conclusion
        The conclusion.
    choices
        The config's lists of choices.
    count
        Size of the sample.
    rng
        Source of the sample.

    Returns
    -------
    pandas.DataFrame
        The columns of :class:`Design` and :class:`Outcome`, ``reference`` (bool) and ``possible``
        (how many specifications there are), grouped by design.
    """
    all_designs, all_outcomes = designs(conclusion, choices), outcomes(choices)
    values = outcome_values(data, all_outcomes)
    allowed = np.array([admitted(data, design, all_outcomes, values) for design in all_designs])
    possible = np.argwhere(allowed)
    is_reference = _reference(all_designs, all_outcomes)
    chosen = np.arange(len(possible))
    if len(possible) > count:
        certain = np.flatnonzero(is_reference[allowed])
        others = np.setdiff1d(chosen, certain)
        drawn = rng.choice(others, count - len(certain), replace=False)
        chosen = np.sort(np.concatenate([certain, drawn]))
    rows = [
        (*astuple(all_designs[d]), *astuple(all_outcomes[o]), bool(is_reference[d, o]))
        for d, o in possible[chosen]
    ]
    table = pd.DataFrame(rows, columns=[*DESIGN_COLUMNS, *OUTCOME_COLUMNS, "reference"])
    return table.assign(possible=len(possible))


def _reference(all_designs: Sequence[Design], all_outcomes: Sequence[Outcome]) -> NDArray[np.bool_]:
    """Which pair is the reference; none, if the choices leave out the paper's outcome."""
    is_design = np.arange(len(all_designs)) == 0
    is_outcome = np.array([outcome == REFERENCE_OUTCOME for outcome in all_outcomes])
    pair: NDArray[np.bool_] = is_design[:, None] & is_outcome[None, :]
    return pair
