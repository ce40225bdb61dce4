"""Design tables of the joint regression (plateau paper, section 4.2): built, then checked.

A model of the config names a formula over the predictors below. Every check runs before anything
is sampled.
"""

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from saturation.arrays import Bools, Floats
from saturation.errors import InputError, collect, refuse
from saturation.files.tables import round_as_csv
from studies.plateau.schemas import CURATION, ISSUES
from studies.regression.priors import Specification

OUTCOMES = ("s_index", "saturated", "log_gap")
UNRECORDED = "unrecorded"


@dataclass(frozen=True)
class Design:
    """A design matrix with its outcome.

    Columns have p names, of which the first is ``Intercept``; ``matrix`` has shape (n, p), the
    rest shape (n,). A benchmark may have several rows.
    """

    columns: list[str]
    matrix: Floats
    outcome: Floats
    saturated: Bools
    benchmark: NDArray[np.str_]

    def drop_rows(self, rows: Bools) -> "Design":
        """Return the design without the marked rows."""
        remaining = ~rows
        return Design(
            self.columns,
            self.matrix[remaining],
            self.outcome[remaining],
            self.saturated[remaining],
            self.benchmark[remaining],
        )

    def make_table(self) -> pd.DataFrame:
        """One row per row of the design: keys, outcome, then the matrix."""
        keys = pd.DataFrame(
            {"benchmark_id": self.benchmark, "saturated": self.saturated, "outcome": self.outcome}
        )
        return pd.concat([keys, pd.DataFrame(self.matrix, columns=self.columns)], axis=1)


def squeezed(proportion: ArrayLike) -> Floats:
    """Proportions moved off 0 and 1, as a Beta likelihood needs (Smithson and Verkuilen 2006)."""
    proportion = np.asarray(proportion, float)
    n = len(proportion)
    return (proportion * (n - 1) + 0.5) / n


def unsqueezed(moved: ArrayLike, n: int) -> Floats:
    """Proportions that :func:`squeezed` moved among n, back where they were."""
    return (np.asarray(moved, float) * n - 0.5) / (n - 1)


def standardised(values: pd.Series) -> pd.Series:
    """Divide values' distances from the mean by their SD; missing values stay missing."""
    return (values - values.mean()) / values.std(ddof=0)


def predictors(
    benchmarks: pd.DataFrame, index: pd.DataFrame, missing: Mapping[str, str], threshold: float
) -> pd.DataFrame:
    """Return every predictor that a formula may name, a row a benchmark, with the outcomes.

    - ``missing``: rule for each column that may have gaps. ``median`` fills with the median,
      ``own_level`` makes a category of its own; both add an indicator ``COLUMN_missing``. A column
      without a rule keeps its gaps, and :func:`design` refuses them.
    - ``threshold``: s from which a benchmark counts as saturated.

    Numeric predictors are standardised (``age``, ``log_n``, ``log_citations``), tags are
    0/1, raw categories are text.
    """
    table = benchmarks.merge(
        index[["benchmark_id", "s_1", "s_k", "s_index"]], on="benchmark_id", validate="one_to_one"
    ).sort_values("benchmark_id", ignore_index=True)
    table = _fill_gaps(table, missing)
    return table.assign(
        age=standardised(table["months_at_observation"]),
        log_n=standardised(np.log(table["n_test"])),
        log_citations=standardised(np.log1p(table["citations"])),
        private=_flag(table["availability"] == "private"),
        multilingual=_flag(~_truth(table["english_only"])),
        templated=_flag(_truth(table["templated"])),
        closed_ended=_flag(table["output_format"].isin(["multiple_choice", "both"])),
        curation=_joined(table, CURATION),
        issues=_joined(table, ISSUES),
        **{name: _flag(_truth(table[name])) for name in (*CURATION, *ISSUES)},
        saturated=_flag(table["s_index"] >= threshold),
        s_index=squeezed(table["s_index"]),
        log_gap=standardised(np.log(table["s_1"] - table["s_k"] + SMALLEST_GAP)),
    )


# Half of the smallest step at which the papers print scores (0.1 %): keeps log(gap) finite.
SMALLEST_GAP = 0.0005


def exploded(table: pd.DataFrame) -> pd.DataFrame:
    """Each benchmark once for every pair of its tags: ``curation_tag``, ``issue_tag``.

    Statistically wrong: rows repeat, so the sample looks larger than it is. It is here because
    such a table is one way to reach the paper's figures.
    """
    tagged = table.assign(
        curation_tag=table["curation"].str.split("+"), issue_tag=table["issues"].str.split("+")
    )
    return tagged.explode("curation_tag").explode("issue_tag", ignore_index=True)


def design(
    table: pd.DataFrame, specification: Specification, minimum_rows: int, name: str
) -> Design:
    """Design matrix of a model over :func:`predictors`, after every check made before sampling.

    Of a power ``(a + b) ** 2`` the products are left out that have one value in all rows. Numbers
    are kept to the digits in which the table is written.
    """
    formula = specification.formula
    if specification.rows == "tags":
        table = exploded(table)
    where = f"regression.models.{name}"
    used = _list_columns(formula, table, where)
    refuse(_list_violations(table, used, minimum_rows, where))
    from formulae import design_matrices

    common = design_matrices(formula, table, na_action="error").common
    matrix = common.as_dataframe().astype(float)
    if "**" in formula:
        # One power in place of the products that vary.
        constant = [name for name in matrix if ":" in name and np.ptp(matrix[name]) == 0]
        matrix = matrix.drop(columns=constant)
    refuse(
        f"{where}: column '{name}' of the design has the one value {matrix[name].iloc[0]:g}; "
        "drop the term from the formula"
        for name in matrix.columns
        if name != "Intercept" and len(matrix[name].unique()) == 1
    )
    return Design(
        [str(name) for name in matrix.columns],
        round_as_csv(matrix).to_numpy(),
        round_as_csv(table)[specification.outcome].to_numpy(float),
        table["saturated"].to_numpy(bool),
        table["benchmark_id"].to_numpy(str),
    )


def designs(
    table: pd.DataFrame, specifications: Mapping[str, Specification], minimum_rows: int
) -> dict[str, Design]:
    """Return the design of every model, or all models' violations as an InputError."""
    steps = [
        functools.partial(design, table, specification, minimum_rows, name)
        for name, specification in specifications.items()
    ]
    return dict(zip(specifications, collect(steps)))


def _truth(values: pd.Series) -> pd.Series:
    return values.astype(str).str.lower() == "true"


def _flag(values: pd.Series) -> pd.Series:
    return values.astype(float)


def _joined(table: pd.DataFrame, tags: tuple[str, ...]) -> pd.Series:
    """Join a row's tags to a raw category."""
    marks = np.column_stack([_truth(table[tag]) for tag in tags])
    names = [tag.split("_", 1)[1] for tag in tags]
    joined = ["+".join(np.array(names)[row]) or UNRECORDED for row in marks]
    return pd.Series(joined, index=table.index)


def _fill_gaps(table: pd.DataFrame, missing: Mapping[str, str]) -> pd.DataFrame:
    table = table.copy()
    for column, rule in missing.items():
        gap = table[column].isna()
        table[f"{column}_missing"] = _flag(gap)
        fill = table[column].median() if rule == "median" else UNRECORDED
        table[column] = table[column].fillna(fill)
    return table


def _list_columns(formula: str, table: pd.DataFrame, where: str) -> list[str]:
    # Imported where a formula is read: it takes long, and most of what reads designs reads none.
    from formulae import model_description
    from formulae.parser import ParseError
    from formulae.scanner import ScanError

    try:
        described = model_description(formula)
    except (ParseError, ScanError) as error:
        raise InputError(f"{where}: the formula '{formula}' cannot be read: {error}") from None
    names = [term.name for term in described.common_terms]
    if described.response or described.group_terms or "Intercept" not in names:
        raise InputError(
            f"{where}: the formula '{formula}' is not a right-hand side of common terms; leave out "
            "'~', '0 +', '- 1' and '(... | ...)': outcome and intercept are there by themselves"
        )
    used = sorted(described.var_names)
    unknown = [name for name in used if name not in table.columns]
    if unknown:
        allowed = ", ".join(sorted(set(table.columns) - {"outcome"}))
        raise InputError(
            [
                f"{where}: the formula names column '{name}', which does not exist; "
                f"allowed: {allowed}"
                for name in unknown
            ]
        )
    leaked = sorted(set(used) & {"s_index", "s_1", "s_k", *OUTCOMES})
    if leaked:
        raise InputError(f"{where}: the formula names the outcome {leaked} as a predictor; drop it")
    return used


def _list_violations(
    table: pd.DataFrame, used: list[str], minimum: int, where: str
) -> Iterator[str]:
    """Yield what is wrong with the rows and columns that a formula uses."""
    if len(table) < minimum:
        yield (
            f"{where}: the table has {len(table)} rows; regression.minimum_rows asks for at least "
            f"{minimum}; add benchmarks or lower it"
        )
    for name in used:
        for row in np.flatnonzero(table[name].isna()):
            yield (
                f"{where}: column '{name}' is missing in row {row + 2} (benchmark "
                f"'{table['benchmark_id'].iloc[row]}'); give a rule in regression.missing or fill "
                "it in"
            )
    for name in used:
        if not pd.api.types.is_numeric_dtype(table[name]) and len(table[name].unique()) == 1:
            yield (
                f"{where}: category '{name}' has the one level '{table[name].iloc[0]}'; "
                "it explains nothing: drop it from the formula"
            )
