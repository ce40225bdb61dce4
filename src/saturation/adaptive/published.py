"""The fluid benchmarking data set in its published layout: item parameters, a table a model."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from saturation.adaptive import schemas
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank, checked
from saturation.errors import MOST_REPORTED, InputError
from saturation.files import checks


def from_published(
    parameters: pd.DataFrame, results: Mapping[str, pd.DataFrame], file: str
) -> tuple[Bank, pd.DataFrame, pd.DataFrame]:
    """One benchmark of the fluid benchmarking data set in its published layout.

    Parameters
    ----------
    parameters
        Item parameters: item identifier first, then columns `a` and `b`.
    results
        One table a model: item identifier first, then one column a checkpoint, in training
        order. Scores are right from 0.5 up. Rows of other benchmarks are left out.
    file
        The name to put in front of violations.

    Returns
    -------
    tuple
        The bank (respondents named `MODEL_CHECKPOINT`), the table of respondents, and the item
        parameters as `item`, `discrimination`, `difficulty`.

    Raises
    ------
    InputError
        If a model's table lacks items that have parameters.
    """
    checks.require_columns(parameters, ["a", "b"], file)
    known = pd.DataFrame(
        {
            "item": parameters.iloc[:, 0].astype(str),
            "discrimination": parameters["a"],
            "difficulty": parameters["b"],
        }
    )
    known = checks.validate(known, schemas.ITEM_PARAMETERS, file)
    rows, respondents = [], []
    for model, table in results.items():
        scores = table.set_index(table.columns[0])
        _match_items(known["item"].tolist(), [str(item) for item in scores.index], file, model)
        scores = scores.loc[known["item"]]
        for place, checkpoint in enumerate(scores.columns, start=1):
            name = f"{model}_{checkpoint}"
            cell = scores[checkpoint].to_numpy(float)
            rows.append(np.where(np.isnan(cell), MISSING, cell >= 0.5).astype(np.int8))
            respondents.append((name, model, model, place))
    names = pd.DataFrame(respondents, columns=["respondent", "model", "family", "checkpoint"])
    bank = Bank(names["respondent"].tolist(), known["item"].tolist(), np.vstack(rows))
    return checked(bank, file, fewest=1), names, known


def leaderboard_abilities(published: Any, benchmark: str, file: str) -> pd.DataFrame:
    """Abilities of the models that the published item parameters rest on.

    Parameters
    ----------
    published
        The leaderboard file: by benchmark, `ability` by model.
    benchmark
        The benchmark wanted.
    file
        The name to put in front of violations.

    Returns
    -------
    pandas.DataFrame
        `model`, `ability`.

    Raises
    ------
    InputError
        If the benchmark, its abilities, or at least two of them are missing.
    """
    entry = published.get(benchmark) if isinstance(published, Mapping) else None
    ability = entry.get("ability") if isinstance(entry, Mapping) else None
    if not isinstance(ability, Mapping) or len(ability) < 2:
        raise InputError(
            f"{file}: '{benchmark}' has no abilities of two or more models; expected "
            f'{{"{benchmark}": {{"ability": {{MODEL: number}}}}}}'
        )
    table = pd.DataFrame({"model": list(ability), "ability": list(ability.values())})
    return checks.validate(table, schemas.LEADERBOARD_ABILITIES, file)


def _match_items(needed: list[str], present: list[str], file: str, where: str) -> None:
    """Raise unless every needed item is present.

    Raises
    ------
    InputError
        Naming each item that has parameters but no responses.
    """
    missing = sorted(set(needed) - set(present))
    if missing:
        named = ", ".join(missing[:MOST_REPORTED])
        raise InputError(
            f"{file}: {len(missing)} items with parameters have no responses in {where}: {named}; "
            "take the parameters and the responses from the same benchmark"
        )
