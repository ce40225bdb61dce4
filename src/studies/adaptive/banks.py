"""Banks of the study from tables in several layouts; invalid tables are refused."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank, build_from_board, checked
from saturation.adaptive.schemas import ITEM_PARAMETERS, RESPONDENTS
from saturation.arrays import Floats
from saturation.errors import MOST_REPORTED, InputError, refuse
from saturation.files import formats, schema, stages
from saturation.files.tables import NamedTables
from studies.adaptive import schemas

# Of the items, at least what a model must have attempted.
_ATTEMPTED = 0.98


def build_from_wide(frame: pd.DataFrame, file: str, fewest: int) -> Bank:
    """Build a bank from a table with respondents in the first column and a column for each item."""
    items = [str(column) for column in frame.columns[1:]]
    if not items:
        raise InputError(f"{file}: no item columns; expected respondent, then one column an item")
    nameless = np.flatnonzero(frame.iloc[:, 0].isna())
    refuse(f"{file}, row {row + 2}: the respondent is missing; name it" for row in nameless)
    names = frame.iloc[:, 0].astype(str).tolist()
    cells = frame.iloc[:, 1:]
    numbers = _numbers(cells)
    bad = ~(np.isin(numbers, (0.0, 1.0)) | cells.isna().to_numpy())
    violations = [
        f"{file}, row {row + 2}, column '{items[column]}': value "
        f"{cells.iloc[[row], column].tolist()[0]!r} is not allowed; "
        "expected 0 (wrong), 1 (right) or an empty cell (not observed)"
        for row, column in np.argwhere(bad)
    ]
    violations += [
        f"{file}, row {row + 2}: respondent '{names[row]}' is a duplicate; one row a respondent"
        for row in np.flatnonzero(pd.Series(names).duplicated())
    ]
    refuse(violations)
    matrix = np.where(np.isnan(numbers), MISSING, numbers).astype(np.int8)
    return checked(Bank(names, items, matrix), file, fewest)


def build_from_long(frame: pd.DataFrame, file: str, fewest: int) -> Bank:
    """Bank from a table with columns respondent, item and correct; absent pairs are missing."""
    table = schema.validate(frame, schemas.LONG_RESPONSES, file)
    repeated = table.duplicated(["respondent", "item"])
    refuse(
        f"{file}, row {row + 2}: respondent '{table['respondent'].iloc[row]}' and item "
        f"'{table['item'].iloc[row]}' are a duplicate pair; each pair may stand only once"
        for row in np.flatnonzero(repeated)
    )
    person, respondents = pd.factorize(table["respondent"])
    item, items = pd.factorize(table["item"])
    matrix = np.full((len(respondents), len(items)), MISSING, np.int8)
    matrix[person, item] = table["correct"].fillna(MISSING).to_numpy(np.int8)
    return checked(Bank(list(respondents), list(items), matrix), file, fewest)


class Taken(NamedTuple):
    """Bank with its respondents, and the omissions from an embedded leaderboard."""

    bank: Bank
    respondents: pd.DataFrame
    left_out: dict[str, int] | None


def load(path: Path, people: Path, fewest: int) -> Taken:
    """Load a bank from its checked table, or straight from an embedded leaderboard."""
    if path.suffix == ".parquet":
        respondents = stages.read(people, RESPONDENTS)
        respondent_names = respondents["respondent"].tolist()
        loaded = build_from_board(formats.read(path), respondent_names, str(path), fewest)
        return Taken(loaded.bank, respondents, loaded.left_out)
    respondents = stages.read(people, schemas.ANSWERED)
    bank = build_from_wide(stages.read(path, schemas.WIDE_RESPONSES), str(path), fewest=1)
    return Taken(bank, respondents, None)


def _numbers(cells: pd.DataFrame) -> Floats:
    """Convert cells to floats; text becomes NaN."""
    if all(pd.api.types.is_numeric_dtype(kind) for kind in set(cells.dtypes)):
        return cells.to_numpy(float, na_value=np.nan)
    numbers: pd.DataFrame = cells.apply(pd.to_numeric, errors="coerce")
    return numbers.to_numpy(float, na_value=np.nan)


def build_from_published(
    parameters: pd.DataFrame, results: NamedTables, file: str
) -> tuple[Bank, pd.DataFrame, pd.DataFrame]:
    """One benchmark of the fluid benchmarking data set in its published layout.

    Returns
    -------
    tuple
        The bank (respondents named `MODEL_CHECKPOINT`), the table of respondents, and the item
        parameters as `item`, `discrimination`, `difficulty`.
    """
    schema.require_columns(parameters, ["a", "b"], file)
    families = pd.DataFrame(
        {
            "item": parameters.iloc[:, 0].astype(str),
            "discrimination": parameters["a"],
            "difficulty": parameters["b"],
        }
    )
    families = schema.validate(families, ITEM_PARAMETERS, file)
    rows, respondents = [], []
    for model, table in results.items():
        scores = table.set_index(table.columns[0])
        missing = sorted(set(families["item"]) - set(map(str, scores.index)))
        if missing:
            raise InputError(
                f"{file}: {len(missing)} items with parameters have no responses in {model}: "
                f"{', '.join(missing[:MOST_REPORTED])}; take the parameters and the responses "
                "from the same benchmark"
            )
        cells = scores.loc[families["item"]].to_numpy(float).T
        rows.append(np.where(np.isnan(cells), MISSING, cells >= 0.5).astype(np.int8))
        respondents += [
            (f"{model}_{checkpoint}", model, model, place)
            for place, checkpoint in enumerate(scores.columns, start=1)
        ]
    names = pd.DataFrame(respondents, columns=["respondent", "model", "family", "checkpoint"])
    bank = Bank(names["respondent"].tolist(), families["item"].tolist(), np.vstack(rows))
    return checked(bank, file, fewest=1), names, families


def build_from_attempts(
    table: pd.DataFrame, file: str, random: np.random.Generator
) -> tuple[Bank, list[str]]:
    """Build bank and families from shares of right attempts: an attempt per model and item.

    Rows `model, example_id, pass1`; models that lack more than a fiftieth of the items are left
    out, and then items that any lacks. A family is the first word of a model's name, without the
    date that submissions to SWE-bench begin with.
    """
    schema.require_columns(table, ["model", "example_id", "pass1"], file)
    shares = table.pivot_table("pass1", "model", "example_id", "first")
    shares = shares[shares.notna().mean(axis=1) >= _ATTEMPTED]
    shares = shares.loc[:, shares.notna().all()]
    cells = (random.random(shares.shape) < shares.to_numpy()).astype(np.int8)
    names = shares.index.astype(str)
    family = names.str.lower().str.replace(r"^\d+_|^.*/", "", regex=True)
    bank = Bank(names.tolist(), shares.columns.astype(str).tolist(), cells)
    return checked(bank, file, fewest=1), family.str.extract(r"^([a-z]*)")[0].tolist()


def leaderboard_abilities(published: Any, benchmark: str, file: str) -> pd.DataFrame:
    """Rows `model, ability` of the models that the published item parameters rest on."""
    entry = published.get(benchmark) if isinstance(published, Mapping) else None
    ability = entry.get("ability") if isinstance(entry, Mapping) else None
    if not isinstance(ability, Mapping) or len(ability) < 2:
        raise InputError(
            f"{file}: '{benchmark}' has no abilities of two or more models; expected "
            f'{{"{benchmark}": {{"ability": {{MODEL: number}}}}}}'
        )
    return pd.DataFrame(ability.items(), columns=["model", "ability"])
