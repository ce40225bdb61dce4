"""Response matrices: banks of embedded leaderboards, and checks of every bank."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive import names, schemas
from saturation.adaptive.fit import FEWEST_RESPONDENTS
from saturation.adaptive.model import MISSING, Responses, accuracy
from saturation.arrays import Floats
from saturation.errors import InputError, refuse
from saturation.files import formats, schema, stages
from saturation.files.tables import shipped


@dataclass(frozen=True)
class Bank:
    """Respondents by items with their names; cells are 1, 0 or `model.MISSING`."""

    respondents: list[str]
    items: list[str]
    responses: Responses

    def frame(self) -> pd.DataFrame:
        """Return a wide table: column `respondent`, then a column an item; missing cells empty."""
        cells = pd.DataFrame(self.responses, columns=self.items)
        missing = self.responses == MISSING
        if missing.any():
            cells = cells.astype("Int8").mask(missing)
        cells.insert(0, "respondent", self.respondents)
        return cells

    def accuracy(self) -> Floats:
        """Compute each respondent's share of right answers over the observed cells."""
        return accuracy(self.responses)


class FromBoard(NamedTuple):
    """Bank from an embedded leaderboard, and the omissions from the leaderboard.

    Attributes
    ----------
    left_out
        Numbers of ``graded_items`` (not only right or wrong), ``empty_items`` (nobody of the bank
        answered) and ``evaluations`` that the table of respondents does not name.
    """

    bank: Bank
    left_out: dict[str, int]


def build_from_board(
    board: pd.DataFrame, models: Sequence[str], file: str, fewest: int
) -> FromBoard:
    """Bank from an embedded board: items that are right or wrong alone, respondents that count."""
    scores = board.drop(columns=[formats.ITEM, formats.TASK])
    lacking = [name for name in models if name not in scores]
    if lacking:
        raise InputError(
            f"{file}: no evaluation '{lacking[0]}', which the respondents' table names"
        )
    binary = (scores.isin([0, 1]) | scores.isna()).all(axis=1).to_numpy()
    answered = scores[list(models)].notna().any(axis=1).to_numpy()
    usable = binary & answered
    if not usable.any():
        raise InputError(
            f"{file}: no item is right or wrong alone; graded items have no such model"
        )
    cells = scores.loc[usable, list(models)].to_numpy(float).T
    matrix = np.where(np.isnan(cells), MISSING, cells).astype(np.int8)
    bank = Bank(list(models), board.loc[usable, formats.ITEM].tolist(), matrix)
    return FromBoard(
        checked(bank, file, fewest),
        {
            "graded_items": int((~binary).sum()),
            "empty_items": int((binary & ~answered).sum()),
            "evaluations": scores.shape[1] - len(models),
        },
    )


def check_respondents(table: pd.DataFrame, bank: Bank, file: str) -> pd.DataFrame:
    """Check the table of respondents and sort by the bank's order."""
    table = schema.validate(table, schemas.RESPONDENTS, file)
    refuse(
        f"{file}: respondent '{name}' of the responses has no row; add one with its model, "
        "family and checkpoint"
        for name in bank.respondents
        if name not in set(table["respondent"])
    )
    return table.set_index("respondent").loc[bank.respondents].reset_index()


def list_respondents(bank: Bank) -> pd.DataFrame:
    """Table of respondents where nothing is known: each its own model and family."""
    names = bank.respondents
    return pd.DataFrame({"respondent": names, "model": names, "family": names, "checkpoint": 1})


def checked(bank: Bank, file: str, fewest: int) -> Bank:
    """Return the bank if every respondent and item has a response and respondents are enough."""
    observed = bank.responses != MISSING
    violations = [
        f"{file}, row {row + 2}: respondent '{bank.respondents[row]}' has no response; leave it out"
        for row in np.flatnonzero(~observed.any(axis=1))
    ]
    violations += [
        f"{file}, column '{bank.items[column]}': the item has no response; leave it out"
        for column in np.flatnonzero(~observed.any(axis=0))
    ]
    if len(bank.respondents) < fewest:
        violations.append(
            f"{file}: {len(bank.respondents)} respondents; at least {fewest} are needed to fit "
            "item parameters (config key adaptive.fewest_respondents)"
        )
    refuse(violations)
    return bank


class Embedded(NamedTuple):
    """Responses of a leaderboard and its respondents, in matching order."""

    bank: Bank
    respondents: pd.DataFrame


def embedded(name: str) -> Embedded:
    """Load an embedded leaderboard as a bank, without missing cells.

    Returns
    -------
    Embedded
        Those of its evaluations that the table of respondents lists, and of the items that the
        study takes (:func:`build_from_board`: right or wrong alone) those
        that all of them answered, because only then their shares right are of the same bank.
    """
    if name not in names.RESPONDENTS:
        raise InputError(f"no bank '{name}'; embedded are: {', '.join(names.RESPONDENTS)}")
    people = stages.read(
        shipped(f"resources/adaptive/{names.RESPONDENTS[name]}.csv"), schemas.RESPONDENTS
    )
    path = shipped(f"resources/boards/responses/{name}.parquet")
    respondent_names = people["respondent"].tolist()
    bank = build_from_board(
        formats.read(path), respondent_names, str(path), FEWEST_RESPONDENTS
    ).bank
    answered = (bank.responses != MISSING).all(axis=0)
    items = [item for item, whole in zip(bank.items, answered) if whole]
    return Embedded(
        Bank(respondent_names, items, np.ascontiguousarray(bank.responses[:, answered])), people
    )
