"""Embedded boards as banks: their responses, and which family each respondent belongs to."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive import names, schemas
from saturation.adaptive.fit import FEWEST_RESPONDENTS
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import Bank, from_board
from saturation.errors import InputError
from saturation.files import packed, stages
from saturation.files.shipped import shipped


class Embedded(NamedTuple):
    """A board's responses and its respondents, in the same order."""

    bank: Bank
    respondents: pd.DataFrame


def embedded(name: str) -> Embedded:
    """An embedded board as a bank, without missing cells.

    Parameters
    ----------
    name
        One of :data:`saturation.adaptive.names.RESPONDENTS`.

    Returns
    -------
    Embedded
        Those of its evaluations that the table of respondents lists, and of the items that the
        study takes (:func:`saturation.adaptive.responses.from_board`: right or wrong alone) those
        that all of them answered, because only then their shares right are of the same bank.

    Raises
    ------
    InputError
        If there is no such board.
    """
    if name not in names.RESPONDENTS:
        raise InputError(f"no bank '{name}'; embedded are: {', '.join(names.RESPONDENTS)}")
    people = stages.read(
        shipped(f"resources/adaptive/{names.RESPONDENTS[name]}.csv"), schemas.RESPONDENTS
    )
    path = shipped(f"resources/boards/responses/{name}.parquet")
    named = people["respondent"].tolist()
    found = from_board(packed.read(path), named, str(path), FEWEST_RESPONDENTS).bank
    answered = (found.responses != MISSING).all(axis=0)
    items = [item for item, whole in zip(found.items, answered, strict=True) if whole]
    return Embedded(Bank(named, items, np.ascontiguousarray(found.responses[:, answered])), people)
