"""Every defensible analysis of a conclusion at once (specification curve; multiverse analysis).

A *specification* is one choice of everything that the plateau paper had to choose: an outcome
(k, alpha, error model, index or z or saturated at a threshold) and a design (grouping, age
convention, covariates, excluded benchmarks, test). Its effect is the partial correlation of the
outcome with the variable of the conclusion, so that specifications with different units compare.
The null of all specifications is drawn together: the same permutations of the benchmarks are used
in each, which keeps their dependence (Simonsohn, Simmons and Nelson 2020, step 3; with covariates
the residuals are permuted, Freedman and Lane 1983).
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from saturation.index import EPSILON, standard_error_of_difference, top_scores_wide
from saturation.plateau.groupings import comparisons

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# Residual degrees of freedom below which a regression on so few benchmarks means nothing.
LEAST_FREEDOM = 5


@dataclass(frozen=True)
class Conclusion:
    """A conclusion of the plateau paper and the choices that leave it the same question.

    Parameters
    ----------
    name
        Hypothesis (``h1`` ...) or variable.
    statement
        What the paper says, in our words.
    expected
        ``none`` (not significant), ``positive`` or ``negative`` (significant with that sign),
        ``higher`` (that sign, no test claimed). Positive: the first group, or a larger value, is
        the more saturated.
    groupings
        Readings of the variable, the paper's or the most usual first.
    adjustments
        Sets of covariates under which the statement is meant, the usual first.
    """

    name: str
    statement: str
    expected: str
    groupings: tuple[str, ...]
    adjustments: tuple[str, ...]


_BESIDE_AGE = ("age", "age_and_log_n", "age_and_citations", "age_log_n_and_citations")
_WITH_OR_WITHOUT_AGE = ("none", *_BESIDE_AGE)

CONCLUSIONS = {
    one.name: one
    for one in (
        Conclusion(
            "h1", "public and private benchmarks do not differ",
            "none", ("primary",), _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "h2", "English-only and multilingual benchmarks do not differ at the same age",
            "none", ("primary",), _BESIDE_AGE,
        ),
        Conclusion(
            "h3", "expert-curated benchmarks are less saturated at the same age",
            "positive", ("expert", "expert_or_crowd_only"), _BESIDE_AGE,
        ),
        Conclusion(
            "h4", "closed- and open-ended benchmarks do not differ",
            "none", ("primary", "both_counts_as_open"), _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "h5", "more cited benchmarks are more saturated, before age is considered",
            "higher", ("log_citations", "citations", "citations_per_month"), ("none",),
        ),
        Conclusion(
            "h6", "templated and non-templated benchmarks do not differ",
            "none", ("primary", "tags_or_notes"), _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "age", "older benchmarks are more saturated, also next to adoption",
            "positive", ("months", "log_months"),
            ("none", "citations", "log_n", "log_n_and_citations"),
        ),
        Conclusion(
            "test_size", "larger test sets go with lower saturation",
            "negative", ("log_n", "n"), ("none", "age", "age_and_citations"),
        ),
        Conclusion(
            "adoption", "citations show no association once age is accounted for",
            "none", ("log_citations", "citations", "citations_per_month"),
            ("age", "age_and_log_n"),
        ),
        Conclusion(
            "quality", "benchmarks with documented quality issues are more saturated",
            "higher", ("primary", "recorded_only"), ("none",),
        ),
    )
}  # fmt: skip

ADJUSTMENTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "age": ("age",),
    "log_n": ("log_n",),
    "citations": ("log_citations",),
    "log_n_and_citations": ("log_n", "log_citations"),
    "age_and_log_n": ("age", "log_n"),
    "age_and_citations": ("age", "log_citations"),
    "age_log_n_and_citations": ("age", "log_n", "log_citations"),
}
ERROR_MODELS = ("independent", "pooled", "smoothed", "conservative")
TESTS = ("student", "robust", "rank", "permutation")
EITHER_AGE = "not_used"


@dataclass(frozen=True)
class Design:
    """Everything but the outcome: variable, covariates, benchmarks and test."""

    conclusion: str
    grouping: str
    adjustment: str
    age: str
    excluded: str
    test: str


@dataclass(frozen=True)
class Outcome:
    """How saturated a benchmark is; larger is more saturated."""

    k: int
    alpha: float
    error_model: str
    outcome: str


DESIGN_COLUMNS = [field.name for field in fields(Design)]
OUTCOME_COLUMNS = [field.name for field in fields(Outcome)]


def difference_error(
    s_1: Array, s_k: Array, n_test: Array, alpha: float, error_model: str
) -> Array:
    """Standard error of the gap between the top and the k-th score, n_eff = n_test ** alpha.

    ``independent`` is the paper's equation 2. ``pooled`` takes one proportion for both scores, as
    the two-proportion z test does. ``smoothed`` adds one success and one failure to each (Agresti
    and Caffo 2000). ``conservative`` takes the largest error that any score has, that of 1/2.
    """
    n_effective = n_test**alpha
    if error_model == "independent":
        return standard_error_of_difference(s_1, s_k, n_test, alpha)
    if error_model == "pooled":
        pooled = (s_1 + s_k) / 2
        return np.sqrt(2 * pooled * (1 - pooled) / n_effective)
    if error_model == "smoothed":
        first, last = ((s * n_effective + 1) / (n_effective + 2) for s in (s_1, s_k))
        return np.sqrt((first * (1 - first) + last * (1 - last)) / (n_effective + 2))
    if error_model == "conservative":
        return np.sqrt(0.5 / n_effective)
    raise ValueError(f"error model {error_model!r}; allowed: {', '.join(ERROR_MODELS)}")


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
    found = []
    for grouping, adjustment in itertools.product(conclusion.groupings, conclusion.adjustments):
        aged = {"age", "months", "log_months", "citations_per_month"}
        uses_age = bool(aged & {grouping, *ADJUSTMENTS[adjustment]})
        ages = choices["age"] if uses_age else [EITHER_AGE]
        found += [
            Design(conclusion.name, grouping, adjustment, age, excluded, test)
            for age, excluded, test in itertools.product(ages, choices["excluded"], choices["test"])
        ]
    return found


class Data:
    """The benchmarks as arrays: outcomes, variables and covariates by name, computed once each.

    Parameters
    ----------
    benchmarks, top_scores
        The study's prepared tables (scores as proportions).
    choices
        The config's lists of choices: ``k``, ``saturated_from`` and ``smallest_group``.
    epsilon
        Stabilisation of the denominator of R_norm.
    """

    def __init__(
        self,
        benchmarks: pd.DataFrame,
        top_scores: pd.DataFrame,
        choices: Mapping[str, Any],
        epsilon: float = EPSILON,
    ) -> None:
        self.table = benchmarks.sort_values("benchmark_id").reset_index(drop=True)
        self.smallest_group = choices["smallest_group"]
        self._epsilon = epsilon
        self._thresholds = {outcome_name(value): value for value in choices["saturated_from"]}
        wide = top_scores_wide(top_scores, max(choices["k"]))
        self._scores = wide.loc[self.table["benchmark_id"]]
        self._groups = {
            (one.hypothesis, one.grouping): self._membership(one.groups, one.first)
            for one in comparisons(self.table)
        }
        self._flags = self.table["flags"].fillna("").str.split(";")
        self._designs: dict[Design, tuple[Index, Array, Array] | None] = {}
        self._outcomes: dict[Outcome, Array] = {}

    def __len__(self) -> int:
        return len(self.table)

    def outcome(self, outcome: Outcome) -> Array:
        """Shape (benchmarks,): the index, minus R_norm, or 0 and 1."""
        if outcome not in self._outcomes:
            self._outcomes[outcome] = self._outcome(outcome)
        return self._outcomes[outcome]

    def variables(self, design: Design) -> tuple[Index, Array, Array] | None:
        """Rows in use, the variable (n,) and the covariates with intercept (n, c).

        None where the design cannot be estimated: fewer benchmarks in a group than the smallest
        allowed, too few degrees of freedom, or a variable that the covariates determine.
        """
        if design not in self._designs:
            self._designs[design] = self._variables(design)
        return self._designs[design]

    def admits(self, design: Design, all_outcomes: Sequence[Outcome]) -> NDArray[np.bool_]:
        """Which outcomes can be estimated with the design and are not another in other words."""
        found = self.variables(design)
        if found is None:
            return np.zeros(len(all_outcomes), dtype=bool)
        values = np.column_stack([self.outcome(outcome) for outcome in all_outcomes])[found[0]]
        names = np.array([outcome.outcome for outcome in all_outcomes])
        rarer = np.minimum(values.sum(axis=0), (1 - values).sum(axis=0))
        binary = np.isin(names, list(self._thresholds))
        varies = np.where(binary, rarer >= self.smallest_group, np.ptp(values, axis=0) > 0)
        # The index falls with R_norm, so ranks of the two are the same: one of them is enough.
        return varies & ~((design.test == "rank") & (names == "s_index"))

    def _outcome(self, outcome: Outcome) -> Array:
        s_1, s_k = self._scores[1].to_numpy(), self._scores[outcome.k].to_numpy()
        n_test = self.table["n_test"].to_numpy(dtype=float)
        error = difference_error(s_1, s_k, n_test, outcome.alpha, outcome.error_model)
        r_norm = (s_1 - s_k) / (error + self._epsilon)
        if outcome.outcome == "z":
            return -r_norm
        s_index = np.exp(-(r_norm**2))
        if outcome.outcome == "s_index":
            return s_index
        return (s_index >= self._thresholds[outcome.outcome]).astype(float)

    def _variables(self, design: Design) -> tuple[Index, Array, Array] | None:
        grouped = (design.conclusion, design.grouping)
        variable = (
            self._groups[grouped]
            if grouped in self._groups
            else _COLUMNS[design.grouping](self.table, design.age)
        )
        covariates = [
            np.ones(len(self)),
            *(_COLUMNS[name](self.table, design.age) for name in ADJUSTMENTS[design.adjustment]),
        ]
        columns = np.column_stack([*covariates, variable])
        rows = np.flatnonzero(np.isfinite(columns).all(axis=1) & ~self._left_out(design.excluded))
        columns = columns[rows]
        if len(rows) - columns.shape[1] < LEAST_FREEDOM:
            return None
        if grouped in self._groups:
            sizes = np.array([columns[:, -1].sum(), (1 - columns[:, -1]).sum()])
            if sizes.min() < self.smallest_group:
                return None
        if design.test == "rank":
            columns[:, 1:] = stats.rankdata(columns[:, 1:], axis=0)
        if np.linalg.matrix_rank(columns / np.linalg.norm(columns, axis=0)) < columns.shape[1]:
            return None
        return rows, columns[:, -1], columns[:, :-1]

    def _left_out(self, excluded: str) -> NDArray[np.bool_]:
        if excluded == "nothing":
            return np.zeros(len(self), dtype=bool)
        if excluded == "any_flag":
            return self._flags.map(any).to_numpy(dtype=bool)
        return self._flags.map(lambda own: excluded in own).to_numpy(dtype=bool)

    def _membership(self, groups: pd.Series, first: str) -> Array:
        groups = groups.loc[self.table["benchmark_id"]]
        return np.where(groups.isna(), np.nan, (groups == first).astype(float))


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


def specifications(
    data: Data,
    conclusion: Conclusion,
    choices: Mapping[str, Any],
    size: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Specifications of a conclusion: all of them, or a simple random sample of the given size.

    The reference specification (the paper's k, alpha and error model, everything else the first
    choice) is always among them.

    Returns
    -------
    pandas.DataFrame
        The columns of :class:`Design` and :class:`Outcome`, ``reference`` (bool) and ``possible``
        (how many specifications there are), grouped by design.
    """
    all_designs, all_outcomes = designs(conclusion, choices), outcomes(choices)
    admitted = np.array([data.admits(design, all_outcomes) for design in all_designs])
    possible = np.argwhere(admitted)
    is_reference = _reference(all_designs, all_outcomes)
    chosen = np.arange(len(possible))
    if len(possible) > size:
        certain = np.flatnonzero(is_reference[admitted])
        others = np.setdiff1d(chosen, certain)
        drawn = rng.choice(others, size - len(certain), replace=False)
        chosen = np.sort(np.concatenate([certain, drawn]))
    rows = [
        (*astuple(all_designs[d]), *astuple(all_outcomes[o]), bool(is_reference[d, o]))
        for d, o in possible[chosen]
    ]
    table = pd.DataFrame(rows, columns=[*DESIGN_COLUMNS, *OUTCOME_COLUMNS, "reference"])
    return table.assign(possible=len(possible))


REFERENCE_OUTCOME = Outcome(5, 0.5, "independent", "s_index")


def _reference(all_designs: Sequence[Design], all_outcomes: Sequence[Outcome]) -> NDArray[np.bool_]:
    """Which pair is the reference; none, if the choices leave out the paper's outcome."""
    is_design = np.arange(len(all_designs)) == 0
    is_outcome = np.array([outcome == REFERENCE_OUTCOME for outcome in all_outcomes])
    return is_design[:, None] & is_outcome[None, :]


def chunk_of(specification_table: pd.DataFrame, chunks: int) -> Index:
    """Number of the chunk, from 0, of each specification.

    A design is never split: its specifications are evaluated in one matrix product, whose last
    bits depend on its shape. Results are the same, to the byte, for any number of chunks.
    """
    keys = specification_table[DESIGN_COLUMNS]
    starts = (keys != keys.shift()).any(axis=1).to_numpy()
    start = np.maximum.accumulate(np.where(starts, np.arange(len(keys)), 0))
    return start * chunks // len(keys)


def permuted_orders(n: int, permutations: int, rng: np.random.Generator) -> Index:
    """Orders of n benchmarks, shape (1 + permutations, n); the first is the given one."""
    identity = np.arange(n)
    shuffled = rng.permuted(np.tile(identity, (permutations, 1)), axis=1)
    return np.vstack([identity, shuffled])


def evaluate(data: Data, specification_table: pd.DataFrame, orders: Index) -> tuple[Array, Array]:
    """Effect and signed z of each specification, as observed and under each permutation.

    Parameters
    ----------
    data
        The benchmarks.
    specification_table
        Rows of :func:`specifications`, whole designs.
    orders
        Orders of all benchmarks, see :func:`permuted_orders`.

    Returns
    -------
    tuple of numpy.ndarray
        Both of shape (specifications, orders): partial correlation, and the z whose two-sided
        normal p-value is that of the specification's test.
    """
    effect = np.empty((len(specification_table), len(orders)))
    z = np.empty_like(effect)
    places = specification_table.reset_index(drop=True).groupby(DESIGN_COLUMNS, sort=False)
    for key, part in places:
        design = Design(*key)
        found = data.variables(design)
        if found is None:
            raise ValueError(f"{design} cannot be estimated")
        rows, variable, covariates = found
        columns = [
            data.outcome(Outcome(*values))[rows]
            for values in part[OUTCOME_COLUMNS].itertuples(index=False)
        ]
        effect[part.index], z[part.index] = _partial_effects(
            np.column_stack(columns),
            variable,
            covariates,
            _restricted(orders, rows, len(data)),
            design.test,
        )
    return effect, z


def _restricted(orders: Index, rows: Index, n: int) -> Index:
    """The orders of all n benchmarks as orders of the ones in use, numbered from 0."""
    local = np.full(n, -1)
    local[rows] = np.arange(len(rows))
    numbered = local[orders]
    return numbered[numbered >= 0].reshape(len(orders), len(rows))


def _partial_effects(
    outcome_columns: Array,
    variable: Array,
    covariates: Array,
    orders: Index,
    test: str,
) -> tuple[Array, Array]:
    """Partial correlations and z of one design, shape (outcomes, orders) each.

    With M the residual maker of the covariates (orthonormal basis Q), x the residual of the
    variable at length 1 and e the residuals of an outcome, permuting e by P gives the correlation
    x'Pe / |M P e|, where |M P e|^2 = |e|^2 - |Q'Pe|^2. Instead of the residuals, x and Q are
    permuted, once for all outcomes.
    """
    if test == "rank":
        outcome_columns = stats.rankdata(outcome_columns, axis=0)
    basis = np.linalg.qr(covariates)[0]
    direction = variable - basis @ (basis.T @ variable)
    direction /= np.linalg.norm(direction)
    residuals = outcome_columns - basis @ (basis.T @ outcome_columns)
    # Column 0 is the variable's direction, the others the basis; each row is one permutation.
    vectors = np.column_stack([direction, basis]).T
    permuted = np.empty((len(orders), *vectors.shape))
    np.put_along_axis(permuted, orders[:, None, :], vectors[None], axis=2)
    projected = permuted @ residuals
    along, fitted = projected[:, 0], (projected[:, 1:] ** 2).sum(axis=1)
    length = np.sqrt((residuals**2).sum(axis=0) - fitted)
    effect = np.clip((along / length).T, -1, 1)
    freedom = len(variable) - vectors.shape[0]
    if test == "permutation":
        return effect, _signed_z(effect, _permutation_p(effect))
    if test == "robust":
        t = along / _robust_error(residuals, vectors, projected, orders)
        t = t.T
    else:
        t = effect * np.sqrt(freedom / np.maximum(1 - effect**2, np.finfo(float).tiny))
    return effect, _signed_z(t, 2 * special.stdtr(freedom, -np.abs(t)))


def _robust_error(residuals: Array, vectors: Array, projected: Array, orders: Index) -> Array:
    """HC3 standard error (MacKinnon and White 1985) along the first vector, (orders, outcomes)."""
    weight = (vectors[0] / (1 - (vectors**2).sum(axis=0))) ** 2
    left = residuals[orders] - np.einsum("vn,bvo->bno", vectors, projected)
    return np.sqrt(np.einsum("n,bno->bo", weight, left**2))


def _permutation_p(effect: Array) -> Array:
    """Share of all orders, the observed one among them, with an effect at least as large."""
    size = np.abs(effect).round(10)
    return stats.rankdata(-size, method="max", axis=1) / size.shape[1]


def _signed_z(sign: Array, p_value: Array) -> Array:
    return -np.sign(sign) * special.ndtri(np.maximum(p_value, np.finfo(float).tiny) / 2)
