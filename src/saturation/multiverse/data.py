"""The benchmarks as arrays: outcomes, variables and covariates by the names of the choices."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.index import EPSILON, GapModel, standard_error_of_difference, top_scores_wide
from saturation.multiverse.choices import Design, Outcome, outcome_name
from saturation.multiverse.conclusions import ADJUSTMENTS
from saturation.multiverse.names import ERROR_MODELS
from saturation.plateau.groupings import comparisons
from saturation.plateau.inputs import flag_lists
from saturation.statistics.ranks import ranks

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# Residual degrees of freedom below which a regression on so few benchmarks means nothing.
LEAST_FREEDOM = 5


@dataclass(frozen=True)
class Data:
    """What every specification draws on.

    Attributes
    ----------
    table
        The study's benchmarks, one row each, by ``benchmark_id``; all arrays are in this order.
    scores
        Scores of the k best models, proportions, columns 1..k.
    memberships
        Of each comparison of two groups, by conclusion and grouping: 1 in the first group, 0 in
        the other, NaN in neither.
    flags
        The flags that each benchmark carries.
    thresholds
        Index from which a benchmark counts as saturated, by the outcome's name.
    smallest_group
        A group or outcome class with fewer benchmarks is not analysed.
    epsilon
        Stabilisation of the denominator of R_norm.
    """

    table: pd.DataFrame
    scores: pd.DataFrame
    memberships: Mapping[tuple[str, str], Array]
    flags: "pd.Series[Any]"
    thresholds: Mapping[str, float]
    smallest_group: int
    epsilon: float

    @classmethod
    def of(
        cls,
        benchmarks: pd.DataFrame,
        top_scores: pd.DataFrame,
        choices: Mapping[str, Any],
        epsilon: float = EPSILON,
    ) -> "Data":
        """The study's prepared tables (scores as proportions) under the config's choices.

        Parameters
        ----------
        benchmarks, top_scores
            As stage ``plateau_inputs`` writes them.
        choices
            The config's lists of choices: ``k``, ``saturated_from`` and ``smallest_group``.
        epsilon
            Stabilisation of the denominator of R_norm.
        """
        table = benchmarks.sort_values("benchmark_id").reset_index(drop=True)
        return cls(
            table,
            top_scores_wide(top_scores, max(choices["k"])).loc[table["benchmark_id"]],
            {
                (compared.hypothesis, compared.grouping): compared.membership(table["benchmark_id"])
                for compared in comparisons(table)
            },
            flag_lists(table["flags"]),
            {outcome_name(value): value for value in choices["saturated_from"]},
            choices["smallest_group"],
            epsilon,
        )

    def __len__(self) -> int:
        return len(self.table)


class Variables(NamedTuple):
    """What a design regresses on: m benchmarks in use, c covariates.

    Attributes
    ----------
    rows
        Numbers of the benchmarks in use, shape (m,).
    variable
        Shape (m,).
    covariates
        With the intercept first, shape (m, c).
    """

    rows: Index
    variable: Array
    covariates: Array


def difference_error(
    s_1: Array, s_k: Array, n_test: Array, alpha: float, error_model: str
) -> Array:
    """Standard error of the gap between the top and the k-th score, n_eff = n_test ** alpha.

    ``independent`` is the paper's equation 2. ``pooled`` takes one proportion for both scores, as
    the two-proportion z test does. ``smoothed`` adds one success and one failure to each (Agresti
    and Caffo 2000). ``conservative`` takes the largest error that any score has, that of 1/2.

    Parameters
    ----------
    s_1, s_k
        Top and k-th score, proportions.
    n_test
        Number of test items.
    alpha
        Exponent of the effective test-set size.
    error_model
        One of the four.
    """
    n_effective = n_test**alpha
    if error_model == "independent":
        return standard_error_of_difference(s_1, s_k, n_test, alpha)
    if error_model == "pooled":
        pooled = (s_1 + s_k) / 2
        variance = 2 * pooled * (1 - pooled) / n_effective
    elif error_model == "smoothed":
        first, last = ((s * n_effective + 1) / (n_effective + 2) for s in (s_1, s_k))
        variance = (first * (1 - first) + last * (1 - last)) / (n_effective + 2)
    elif error_model == "conservative":
        variance = 0.5 / n_effective
    else:
        raise ValueError(f"error model {error_model!r}; allowed: {', '.join(ERROR_MODELS)}")
    error: Array = np.sqrt(variance)
    return error


def outcome_values(data: Data, outcomes: Sequence[Outcome]) -> Array:
    """Each outcome of each benchmark: the index, minus R_norm, or 0 and 1.

    Parameters
    ----------
    data
        The benchmarks.
    outcomes
        The outcomes.

    Returns
    -------
    numpy.ndarray
        Shape (benchmarks, outcomes).
    """
    models: dict[tuple[int, float, str], GapModel] = {}
    values = np.empty((len(data), len(outcomes)))
    for column, outcome in enumerate(outcomes):
        key = outcome.k, outcome.alpha, outcome.error_model
        if key not in models:
            models[key] = _gap_model(data, *key)
        if outcome.outcome == "z":
            values[:, column] = -models[key].normalised_range()
        elif outcome.outcome == "s_index":
            values[:, column] = models[key].index()
        else:
            values[:, column] = models[key].index() >= data.thresholds[outcome.outcome]
    return values


def variables(data: Data, design: Design) -> Variables | None:
    """The rows in use, the variable and the covariates of a design.

    None where the design cannot be estimated: fewer benchmarks in a group than the smallest
    allowed, too few degrees of freedom, or a variable that the covariates determine.

    Parameters
    ----------
    data
        The benchmarks.
    design
        The design.
    """
    grouped = (design.conclusion, design.grouping)
    variable = (
        data.memberships[grouped]
        if grouped in data.memberships
        else _COLUMNS[design.grouping](data.table, design.age)
    )
    covariates = [
        np.ones(len(data)),
        *(_COLUMNS[name](data.table, design.age) for name in ADJUSTMENTS[design.adjustment]),
    ]
    columns = np.column_stack([*covariates, variable])
    rows = np.flatnonzero(np.isfinite(columns).all(axis=1) & ~_left_out(data, design.excluded))
    columns = columns[rows]
    if len(rows) - columns.shape[1] < LEAST_FREEDOM:
        return None
    if grouped in data.memberships:
        in_first = columns[:, -1].sum()
        if min(in_first, len(rows) - in_first) < data.smallest_group:
            return None
    if design.test == "rank":
        columns[:, 1:] = ranks(columns[:, 1:], axis=0)
    if np.linalg.matrix_rank(columns / np.linalg.norm(columns, axis=0)) < columns.shape[1]:
        return None
    return Variables(rows, columns[:, -1], columns[:, :-1])


def admitted(
    data: Data, design: Design, outcomes: Sequence[Outcome], values: Array
) -> NDArray[np.bool_]:
    """Which outcomes can be estimated with the design and are not another in other words.

    Parameters
    ----------
    data
        The benchmarks.
    design
        The design.
    outcomes
        The outcomes.
    values
        Their :func:`outcome_values`, shape (benchmarks, outcomes).

    Returns
    -------
    numpy.ndarray
        Shape (outcomes,).
    """
    estimated = variables(data, design)
    if estimated is None:
        return np.zeros(len(outcomes), dtype=bool)
    values = values[estimated.rows]
    names = np.array([outcome.outcome for outcome in outcomes])
    rarer = np.minimum(values.sum(axis=0), (1 - values).sum(axis=0))
    binary = np.isin(names, list(data.thresholds))
    varies = np.where(binary, rarer >= data.smallest_group, np.ptp(values, axis=0) > 0)
    # The index falls with R_norm, so ranks of the two are the same: one of them is enough.
    admits: NDArray[np.bool_] = varies & ~((design.test == "rank") & (names == "s_index"))
    return admits


def _gap_model(data: Data, k: int, alpha: float, error_model: str) -> GapModel:
    s_1, s_k = data.scores[1].to_numpy(), data.scores[k].to_numpy()
    n_test = data.table["n_test"].to_numpy(dtype=float)
    scale = difference_error(s_1, s_k, n_test, alpha, error_model) + data.epsilon
    return GapModel(s_1 - s_k, scale, scale)


def _left_out(data: Data, excluded: str) -> NDArray[np.bool_]:
    if excluded == "nothing":
        return np.zeros(len(data), dtype=bool)
    if excluded == "any_flag":
        return data.flags.map(any).to_numpy(dtype=bool)
    return data.flags.map(lambda carried: excluded in carried).to_numpy(dtype=bool)


def _age(table: pd.DataFrame, age: str) -> Array:
    return table[age].to_numpy(dtype=float)


def _citations(table: pd.DataFrame, _: str) -> Array:
    return table["citations"].to_numpy(dtype=float, na_value=np.nan)


def _n_test(table: pd.DataFrame, _: str) -> Array:
    return table["n_test"].to_numpy(dtype=float)


_COLUMNS: dict[str, Callable[[pd.DataFrame, str], Array]] = {
    "age": _age,
    "months": _age,
    "log_months": lambda table, age: np.log1p(_age(table, age)),
    "n": _n_test,
    "log_n": lambda table, age: np.log(_n_test(table, age)),
    "citations": _citations,
    "log_citations": lambda table, age: np.log1p(_citations(table, age)),
    # Growth in the first month is not a rate yet.
    "citations_per_month": lambda table, age: (
        _citations(table, age) / np.maximum(_age(table, age), 1)
    ),
}
