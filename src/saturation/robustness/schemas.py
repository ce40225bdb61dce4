"""Tables of the robustness study: schemas, and what a schema of single cells cannot say."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import pandera.pandas as pa

from saturation.errors import MOST_REPORTED, InputError

# What a row is when the file does not say.
_MARKS = {"reference": True, "synthetic": False}
KEYS = ["model", "dataset", "example_id"]


def predictions(factors: Sequence[str], low: float, high: float) -> pa.DataFrameSchema:
    """Schema of the long table: one row a model, dataset, example and configuration.

    Parameters
    ----------
    factors
        Columns that together name a configuration.
    low, high
        The declared range of scores.
    """
    text = pa.Check(_not_blank, name="not_blank")
    columns = {
        name: pa.Column(checks=text, description=f"the name of the {what}, not empty")
        for name, what in [("model", "model"), ("dataset", "dataset"), ("example_id", "example")]
    }
    for name in factors:
        columns[name] = pa.Column(
            checks=text, description=f"a level of the factor '{name}', not empty"
        )
    columns["prediction"] = pa.Column(
        checks=text,
        description="the model's answer as text; write a refusal or an empty output as a word "
        "of your own, for example no_answer",
    )
    columns["score"] = pa.Column(
        float,
        checks=pa.Check(lambda s: pd.to_numeric(s, "coerce").between(low, high), name="range"),
        coerce=True,
        description=f"a number from {low:g} to {high:g} (config key robustness.score_range)",
    )
    columns["reference"] = pa.Column(
        bool,
        required=False,
        description="True or False: is this an original, unperturbed configuration?",
    )
    columns["synthetic"] = pa.Column(
        bool, required=False, description="True or False: was this row made up?"
    )
    return pa.DataFrameSchema(columns, strict="filter")


PERFORMANCE = pa.DataFrameSchema(
    {
        "model": pa.Column(str, description="the name of the model"),
        "dataset": pa.Column(str, description="the name of the dataset"),
        "performance": pa.Column(
            float, pa.Check.in_range(0, 1), description="a proportion from 0 to 1"
        ),
    },
    unique=["model", "dataset"],
    strict=True,
)

DATASETS = pa.DataFrameSchema(
    {
        "dataset": pa.Column(str, unique=True, description="the name of the dataset, once"),
        "n_answers": pa.Column(
            "Int64",
            pa.Check.ge(2),
            nullable=True,
            coerce=True,
            description="number of possible answers, at least 2; empty when free-form",
        ),
        "benchmark_id": pa.Column(
            str,
            nullable=True,
            coerce=True,
            description="benchmark_id in the plateau study; empty when it has none",
        ),
    },
    strict=True,
)

_PRINTED = pa.Check.str_matches(r"^[0-9]+\.[0-9]+(e-[0-9]+)?$")
PRINTED_ANOVA = pa.DataFrameSchema(
    {
        "anova_type": pa.Column(str, pa.Check.isin(["II", "III"]), description="II or III"),
        "dataset": pa.Column(str, description="the name of the dataset"),
        "factor": pa.Column(str, description="a factor of the design, or intercept"),
        **{
            name: pa.Column(str, _PRINTED, description="a number with the printed digits")
            for name in ["f", "p", "eta_sq", "partial_eta_sq", "sum_sq"]
        },
    },
    unique=["anova_type", "dataset", "factor"],
    strict=True,
)

EXTERNAL = pa.DataFrameSchema(
    {
        "table": pa.Column(str, description="the table of the paper"),
        "model": pa.Column(str, description="the name of the model"),
        "dataset": pa.Column(str, description="the name of the dataset"),
        "measured": pa.Column(int, pa.Check.in_range(0, 100), description="per cent, 0 to 100"),
        "published": pa.Column(int, pa.Check.in_range(0, 100), description="per cent, 0 to 100"),
    },
    unique=["table", "model", "dataset"],
    strict=True,
)


def levels(design: pd.DataFrame) -> dict[str, list[str]]:
    """Levels of each factor, in the order of the table (columns factor, level)."""
    return {factor: list(group["level"]) for factor, group in design.groupby("factor", sort=False)}


def n_configurations(design: Mapping[str, Sequence[str]]) -> int:
    """Number of combinations of the levels."""
    return math.prod(len(names) for names in design.values())


def compact(frame: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Text columns as categoricals with sorted text: a code of one to four bytes a cell."""
    return frame.assign(**{name: _coded(frame[name]) for name in columns if name in frame})


def example_keys(frame: pd.DataFrame) -> np.ndarray:
    """One integer an example of a model and dataset."""
    return _combined(frame, KEYS)


def configuration_keys(frame: pd.DataFrame, factors: Sequence[str]) -> np.ndarray:
    """One integer from 0 a configuration, in the order of the factors' levels."""
    return np.unique(_combined(frame, factors), return_inverse=True)[1]


def arranged(
    frame: pd.DataFrame, factors: Sequence[str], file: str, score_range: tuple[float, float]
) -> pd.DataFrame:
    """Checked rows in a fixed order, with numbered configurations and scores as proportions.

    Parameters
    ----------
    frame
        Validated rows with categorical keys and factors, in the file's order. Without a column
        `reference` all configurations are references; without `synthetic` no row is made up.
    factors
        Columns that together name a configuration.
    file
        The name to put in front of each violation.
    score_range
        Lowest and highest possible score: they become 0 and 1.

    Raises
    ------
    InputError
        See :func:`check_design`.
    """
    low, high = score_range
    given = {name: frame.get(name, default) for name, default in _MARKS.items()}
    rows = frame.assign(**given, score=(frame["score"] - low) / (high - low))
    check_design(rows, factors, file)
    rows["configuration"] = configuration_keys(rows, factors)
    return rows.sort_values([*KEYS, "configuration"], ignore_index=True)


def check_complete(missing: pd.DataFrame, file: str) -> None:
    """Raise naming every example of :func:`missing_configurations`."""
    if missing.empty:
        return
    found = [
        f"{file}: example {row.example_id} of model {row.model} on dataset {row.dataset} has "
        f"{row.n_present} of {row.n_expected} configurations; add the rest, or set config key "
        "robustness.strict to false"
        for row in missing.head(MOST_REPORTED).itertuples()
    ]
    if len(missing) > MOST_REPORTED:
        found.append(f"{file}: and {len(missing) - MOST_REPORTED} more incomplete examples")
    raise InputError(found)


def check_design(frame: pd.DataFrame, factors: Sequence[str], file: str) -> None:
    """Raise for duplicate cells, factors with one level and references marked inconsistently.

    Parameters
    ----------
    frame
        Validated rows with categorical keys and factors, in the file's order; column
        `reference` present.
    factors
        Columns that together name a configuration.
    file
        The name to put in front of each violation.

    Raises
    ------
    InputError
        One sentence a violation, with the row where there is one.
    """
    found = [
        *_duplicates(frame, factors, file),
        *_single_levels(frame, factors, file),
        *_mixed_references(frame, factors, file),
    ]
    if found:
        raise InputError(found)


def missing_configurations(frame: pd.DataFrame) -> pd.DataFrame:
    """Examples that lack configurations of their dataset.

    Parameters
    ----------
    frame
        Rows with the keys and an integer column `configuration`, no duplicate cells.

    Returns
    -------
    pandas.DataFrame
        The keys, `n_present`, `n_expected` (configurations seen anywhere in the dataset).
    """
    expected = frame.groupby("dataset", observed=True)["configuration"].nunique()
    present = frame.groupby(KEYS, observed=True).size().rename("n_present").reset_index()
    present["n_expected"] = present["dataset"].map(expected).astype(int)
    return present[present["n_present"] < present["n_expected"]].reset_index(drop=True)


def _coded(cells: pd.Series) -> pd.Series:
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        cells = cells.astype("str").astype("category")
    names = cells.cat.categories.astype("str")
    return cells.cat.rename_categories(names).cat.reorder_categories(sorted(names))


def _not_blank(cells: pd.Series) -> pd.Series:
    if not isinstance(cells.dtype, pd.CategoricalDtype):
        return cells.astype("str").str.strip() != ""
    good = [name.strip() != "" for name in cells.cat.categories] + [False]
    return pd.Series(np.array(good)[cells.cat.codes], index=cells.index)


def _combined(frame: pd.DataFrame, columns: Sequence[str]) -> np.ndarray:
    keys = np.zeros(len(frame), dtype=np.int64)
    for name in columns:
        keys = keys * len(frame[name].cat.categories) + frame[name].cat.codes.to_numpy()
    return keys


def _duplicates(frame: pd.DataFrame, factors: Sequence[str], file: str) -> list[str]:
    columns = [*KEYS, *factors]
    keys = example_keys(frame) * (len(frame) + 1) + configuration_keys(frame, factors)
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1]) + 1
    found = []
    for position in again[:MOST_REPORTED]:
        row, first = order[position], order[position - 1]
        cell = ", ".join(f"{name} {frame[name].iloc[row]}" for name in columns)
        found.append(
            f"{file}, row {row + 2}: the cell ({cell}) stands already in row {first + 2}; "
            "each may stand only once"
        )
    if len(again) > MOST_REPORTED:
        found.append(f"{file}: and {len(again) - MOST_REPORTED} more duplicate cells")
    return found


def _single_levels(frame: pd.DataFrame, factors: Sequence[str], file: str) -> list[str]:
    found = []
    for dataset, rows in frame.groupby("dataset", observed=True):
        for name in factors:
            levels = rows[name].unique()
            if len(levels) < 2:
                first = frame.index.get_loc(rows.index[0])
                found.append(
                    f"{file}, row {first + 2}, column '{name}': the factor has one level "
                    f"({levels[0]!r}) in dataset {dataset}; allowed: at least two levels, or "
                    "leave the factor out of config key robustness.factors"
                )
    return found


def _mixed_references(frame: pd.DataFrame, factors: Sequence[str], file: str) -> list[str]:
    marks = frame.groupby(["dataset", *factors], observed=True)["reference"].agg(["min", "max"])
    found = [
        f"{file}, column 'reference': configuration {', '.join(map(str, key))} is a reference "
        "in some rows and not in others; allowed: the same mark in every row of it"
        for key in marks.index[marks["min"] != marks["max"]]
    ]
    any_reference = frame.groupby("dataset", observed=True)["reference"].any()
    found += [
        f"{file}, column 'reference': dataset {dataset} has no reference configuration; "
        "mark at least one, or leave the column out: then all are references"
        for dataset in any_reference.index[~any_reference]
    ]
    return found
