"""Embedded boards as banks: their responses, and which family each respondent belongs to."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from saturation.adaptive import names, schemas
from saturation.adaptive.responses import Bank
from saturation.errors import InputError
from saturation.files import packed, stages
from saturation.files.shipped import shipped

# A graded answer is right from here.
RIGHT_FROM = 0.5


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
        Those of its evaluations that the table of respondents lists, and the items that all of
        them answered; graded answers are right from one half.

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
    board = packed.read(shipped(f"resources/boards/responses/{name}.parquet"))
    scores = board[people["respondent"].tolist()].to_numpy(dtype=float).T
    answered = ~np.isnan(scores).any(axis=0)
    cells = np.where(scores[:, answered] >= RIGHT_FROM, 1, 0).astype(np.int8)
    items = board.loc[answered, packed.ITEM].tolist()
    return Embedded(Bank(people["respondent"].tolist(), items, cells), people)
