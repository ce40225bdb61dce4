"""Every defensible analysis of each conclusion at once (specification curve; multiverse analysis).

A *specification* is one choice of everything that the plateau paper had to choose: an outcome
(k, alpha, error model, index or z or saturated at a threshold) and a design (grouping, age
convention, covariates, excluded benchmarks, test).
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.arrays import Bools, Floats, Integers
from saturation.index import EPSILON, GapModel, top_scores_wide
from studies.correlation import ranks
from studies.plateau.groupings import memberships
from studies.plateau.inputs import flag_lists


@dataclass(frozen=True)
class Conclusion:
    """Conclusion of the plateau paper, and choices that keep its question.

    - ``name``: hypothesis (``h1`` ...) or variable.
    - ``statement``: what the paper says, in our words.
    - ``expected``: ``none`` (not significant), ``positive`` or ``negative`` (significant with that
      sign), ``higher`` (that sign, no test claimed). Positive: the first group, or a larger value,
      is the more saturated.
    - ``groupings``: readings of the variable, the paper's or the most usual first.
    - ``adjustments``: sets of covariates under which the statement is meant, the usual first.
    """

    name: str
    statement: str
    expected: str
    groupings: tuple[str, ...]
    adjustments: tuple[str, ...]


_BESIDE_AGE = ("age", "age_and_log_n", "age_and_citations", "age_log_n_and_citations")
_WITH_OR_WITHOUT_AGE = ("none", *_BESIDE_AGE)

CONCLUSIONS = {
    conclusion.name: conclusion
    for conclusion in (
        Conclusion(
            "h1",
            "public and private benchmarks do not differ",
            "none",
            ("primary",),
            _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "h2",
            "English-only and multilingual benchmarks do not differ at the same age",
            "none",
            ("primary",),
            _BESIDE_AGE,
        ),
        Conclusion(
            "h3",
            "expert-curated benchmarks are less saturated at the same age",
            "positive",
            ("expert", "expert_or_crowd_only"),
            _BESIDE_AGE,
        ),
        Conclusion(
            "h4",
            "closed- and open-ended benchmarks do not differ",
            "none",
            ("primary", "both_counts_as_open"),
            _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "h5",
            "more cited benchmarks are more saturated, before age is considered",
            "higher",
            ("log_citations", "citations", "citations_per_month"),
            ("none",),
        ),
        Conclusion(
            "h6",
            "templated and non-templated benchmarks do not differ",
            "none",
            ("primary", "tags_or_notes"),
            _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "age",
            "older benchmarks are more saturated, also next to adoption",
            "positive",
            ("months", "log_months"),
            ("none", "citations", "log_n", "log_n_and_citations"),
        ),
        Conclusion(
            "test_size",
            "larger test sets go with lower saturation",
            "negative",
            ("log_n", "n"),
            ("none", "age", "age_and_citations"),
        ),
        Conclusion(
            "adoption",
            "citations show no association once age is accounted for",
            "none",
            ("log_citations", "citations", "citations_per_month"),
            ("age", "age_and_log_n"),
        ),
        Conclusion(
            "quality",
            "benchmarks with documented quality issues are more saturated",
            "higher",
            ("primary", "recorded_only"),
            ("none",),
        ),
    )
}

ADJUSTMENTS = {
    "none": (),
    "age": ("age",),
    "log_n": ("log_n",),
    "citations": ("log_citations",),
    "log_n_and_citations": ("log_n", "log_citations"),
    "age_and_log_n": ("age", "log_n"),
    "age_and_citations": ("age", "log_citations"),
    "age_log_n_and_citations": ("age", "log_n", "log_citations"),
}


# The age of a design in which no age enters.
EITHER_AGE = "not_used"
# Columns that are counted in the design's age convention.
_AGED = {"age", "months", "log_months", "citations_per_month"}


class Design(NamedTuple):
    """Everything but the outcome: variable, covariates, benchmarks and test."""

    conclusion: str
    grouping: str
    adjustment: str
    age: str
    excluded: str
    test: str


class Outcome(NamedTuple):
    """Saturation of a benchmark; larger is more saturated."""

    k: int
    alpha: float
    error_model: str
    outcome: str


DESIGN_COLUMNS = list(Design._fields)
OUTCOME_COLUMNS = list(Outcome._fields)
CHOICES = [name for name in [*OUTCOME_COLUMNS, *DESIGN_COLUMNS] if name != "conclusion"]
# What the paper prints.
REFERENCE_OUTCOME = Outcome(5, 0.5, "independent", "s_index")


def outcome_name(threshold: float) -> str:
    """Name of the outcome 'saturated from this index on'."""
    return f"saturated_from_{threshold:g}"


def outcomes(choices: Mapping[str, Any]) -> list[Outcome]:
    """All outcomes: every k, alpha and error model with the index, z, and each threshold."""
    names = [name for name in choices["outcome"] if name != "saturated"]
    if "saturated" in choices["outcome"]:
        names += [outcome_name(threshold) for threshold in choices["saturated_from"]]
    return [
        Outcome(*values)
        for values in itertools.product(
            choices["k"], choices["alpha"], choices["error_model"], names
        )
    ]


def designs(conclusion: Conclusion, choices: Mapping[str, Any]) -> list[Design]:
    """All designs of a conclusion; where no age enters, its convention is no choice."""
    listed = []
    for grouping, adjustment in itertools.product(conclusion.groupings, conclusion.adjustments):
        uses_age = bool(_AGED & {grouping, *ADJUSTMENTS[adjustment]})
        ages = choices["age"] if uses_age else [EITHER_AGE]
        listed += [
            Design(conclusion.name, grouping, adjustment, age, excluded, test)
            for age, excluded, test in itertools.product(ages, choices["excluded"], choices["test"])
        ]
    return listed


# Residual degrees of freedom below which a regression on so few benchmarks means nothing.
LEAST_FREEDOM = 5


@dataclass(frozen=True)
class Data:
    """Data that every specification draws on.

    - ``table``: the study's benchmarks, one row each, by ``benchmark_id``; all arrays are in this
      order.
    - ``scores``: scores of the k best models, proportions, columns 1..k.
    - ``memberships``: of each comparison of two groups, by conclusion and grouping: 1 in the first
      group, 0 in the other, NaN in neither.
    - ``flags``: the flags that each benchmark carries.
    - ``thresholds``: Integers from which a benchmark counts as saturated, by the outcome's name.
    - ``smallest_group``: a group or outcome class with fewer benchmarks is not analysed.
    """

    table: pd.DataFrame
    scores: pd.DataFrame
    memberships: Mapping[tuple[str, str], Floats]
    flags: "pd.Series[Any]"
    thresholds: Mapping[str, float]
    smallest_group: int

    @classmethod
    def prepare(
        cls, benchmarks: pd.DataFrame, top_scores: pd.DataFrame, choices: Mapping[str, Any]
    ) -> "Data":
        """Prepare the study's tables (scores as proportions) under the config's choices."""
        table = benchmarks.sort_values("benchmark_id", ignore_index=True)
        return cls(
            table,
            top_scores_wide(top_scores, max(choices["k"])).loc[table["benchmark_id"]],
            memberships(table),
            flag_lists(table["flags"]),
            {outcome_name(value): value for value in choices["saturated_from"]},
            choices["smallest_group"],
        )

    def __len__(self) -> int:
        return len(self.table)


class Variables(NamedTuple):
    """Variables of a design's regression: m benchmarks in use, c covariates.

    - ``rows``: numbers of the benchmarks in use, shape (m,).
    - ``covariates``: with the intercept first, shape (m, c).
    """

    rows: Integers
    variable: Floats
    covariates: Floats


def difference_error(
    s_1: Floats, s_k: Floats, n_test: Floats, alpha: float, error_model: str
) -> Floats:
    """Compute the standard error of the gap between top and k-th, n_eff = n_test ** alpha.

    ``independent`` is the paper's equation 2. ``pooled`` takes one proportion for both scores, as
    the two-proportion z test does. ``smoothed`` adds one success and one failure to each (Agresti
    and Caffo 2000). ``conservative`` takes the largest error that any score has, that of 1/2.
    """
    n_effective = n_test**alpha
    pooled = (s_1 + s_k) / 2
    first, last = ((s * n_effective + 1) / (n_effective + 2) for s in (s_1, s_k))
    variances = {
        "independent": (s_1 * (1 - s_1) + s_k * (1 - s_k)) / n_effective,
        "pooled": 2 * pooled * (1 - pooled) / n_effective,
        "smoothed": (first * (1 - first) + last * (1 - last)) / (n_effective + 2),
        "conservative": 0.5 / n_effective,
    }
    return np.sqrt(variances[error_model])


def outcome_values(data: Data, outcomes: Sequence[Outcome]) -> Floats:
    """Each outcome of each benchmark: the index, minus R_norm, or 0 and 1.

    Shape (benchmarks, outcomes).
    """
    models = {}
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
    """Return the rows in use, the variable and the covariates of a design.

    None where the design cannot be estimated: fewer benchmarks in a group than the smallest
    allowed, too few degrees of freedom, or a variable that the covariates determine.
    """
    grouped = (design.conclusion, design.grouping)
    known = _columns(data.table, design.age)
    variable = data.memberships[grouped] if grouped in data.memberships else known[design.grouping]
    covariates = [known[name] for name in ADJUSTMENTS[design.adjustment]]
    columns = np.column_stack([np.ones(len(data)), *covariates, variable])
    rows = np.flatnonzero(np.isfinite(columns).all(axis=1) & ~_mask_left_out(data, design.excluded))
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


def admitted(data: Data, design: Design, outcomes: Sequence[Outcome], values: Floats) -> Bools:
    """Return outcomes that the design can estimate and that do not repeat another outcome.

    Shape (outcomes,).
    """
    estimated = variables(data, design)
    if estimated is None:
        return np.zeros(len(outcomes), bool)
    values = values[estimated.rows]
    names = np.array([outcome.outcome for outcome in outcomes])
    rarer = np.minimum(values.sum(axis=0), (1 - values).sum(axis=0))
    binary = np.isin(names, list(data.thresholds))
    varies = np.where(binary, rarer >= data.smallest_group, np.ptp(values, axis=0) > 0)
    # The index falls with R_norm, so ranks of the two are the same: one of them is enough.
    admits: Bools = varies & ~((design.test == "rank") & (names == "s_index"))
    return admits


def _gap_model(data: Data, k: int, alpha: float, error_model: str) -> GapModel:
    s_1, s_k = data.scores[1].to_numpy(), data.scores[k].to_numpy()
    n_test = data.table["n_test"].to_numpy(float)
    scale = difference_error(s_1, s_k, n_test, alpha, error_model) + EPSILON
    return GapModel(s_1 - s_k, scale, scale)


def _mask_left_out(data: Data, excluded: str) -> Bools:
    if excluded == "nothing":
        return np.zeros(len(data), bool)
    if excluded == "any_flag":
        return data.flags.map(any).to_numpy(bool)
    return data.flags.map(lambda carried: excluded in carried).to_numpy(bool)


def _columns(table: pd.DataFrame, age: str) -> dict[str, Floats]:
    """Return what a design may name, with ages in this convention, if any enters."""
    n, citations = (
        table[name].to_numpy(float, na_value=np.nan) for name in ("n_test", "citations")
    )
    columns = {
        "n": n,
        "log_n": np.log(n),
        "citations": citations,
        "log_citations": np.log1p(citations),
    }
    if age == EITHER_AGE:
        return columns
    months = table[age].to_numpy(float)
    return columns | {
        "age": months,
        "months": months,
        "log_months": np.log1p(months),
        # Growth in the first month is not a rate yet.
        "citations_per_month": citations / np.maximum(months, 1),
    }


def all_conclusions(
    data: Data, choices: Mapping[str, Any], count: int, seed: int, size: str
) -> pd.DataFrame:
    """List specifications of every conclusion, conclusion by conclusion.

    See :func:`specifications`.
    """
    tables = [
        specifications(
            data,
            conclusion,
            choices,
            count,
            seeds.generator(seed, "multiverse", "specifications", size, conclusion.name),
        )
        for conclusion in CONCLUSIONS.values()
    ]
    return pd.concat(tables, ignore_index=True)


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

    The columns of :class:`Design` and :class:`Outcome`, ``reference`` (bool) and ``possible``
    (how many specifications there are), grouped by design.
    """
    all_designs, all_outcomes = designs(conclusion, choices), outcomes(choices)
    values = outcome_values(data, all_outcomes)
    allowed = np.array([admitted(data, design, all_outcomes, values) for design in all_designs])
    possible = np.argwhere(allowed)
    # The choices may leave out the paper's outcome.
    is_reference = np.zeros(allowed.shape, bool)
    is_reference[0] = [outcome == REFERENCE_OUTCOME for outcome in all_outcomes]
    places = np.arange(len(possible))
    if len(possible) > count:
        certain = np.flatnonzero(is_reference[allowed])
        optional = np.setdiff1d(places, certain)
        sample = rng.choice(optional, count - len(certain), replace=False)
        places = np.sort(np.concatenate([certain, sample]))
    rows = [
        (*all_designs[d], *all_outcomes[o], bool(is_reference[d, o])) for d, o in possible[places]
    ]
    table = pd.DataFrame(rows, columns=[*DESIGN_COLUMNS, *OUTCOME_COLUMNS, "reference"])
    return table.astype({"alpha": float}).assign(possible=len(possible))
