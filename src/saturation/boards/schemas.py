"""Schemas of the boards' tables."""

from saturation.boards.names import EMBEDDED
from saturation.files import columns

EVALUATIONS = columns.table(
    {
        "board": columns.one_of(list(EMBEDDED)),
        "evaluation": columns.text(),
        "model": columns.text(),
        "run": columns.whole(1),
        "items": columns.whole(1),
        "date": columns.text(optional=True),
    }
)
