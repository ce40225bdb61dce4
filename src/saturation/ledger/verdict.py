"""From the evidence on a claim to its grade, and from the grade to the coarse verdict.

The natural reading decides. Where several rows are natural they have to agree; where none is, all
readings have to. A replication on other data is shown and decides nothing that the paper's own data
could: it grades a claim only where nobody released what would decide it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from saturation.ledger.evidence import AGREES, CONTRADICTS, NOT_RELEASED, NOT_RUN, UNSETTLED
from saturation.ledger.names import (
    DIFFERS,
    NOT_RUN_HERE,
    REPRODUCED,
    UNDECIDABLE,
    UNDETERMINED,
)

RECOMPUTED = "recomputed from the released data"
RECOMPUTED_FROM_OUTPUT = "recomputed from the released output"
EQUAL = "equal to the released output"
CONSISTENT = "consistent within the paper"
CONTRADICTED = "contradicted by the released data"
CONTRADICTED_BY_OUTPUT = "contradicted by the released output"
CONTRADICTED_WITHIN = "contradicted within the paper"
SUPPORTED = "supported on other data"
NOT_SUPPORTED = "not supported on other data"
NOT_CONTRADICTED = "not contradicted"
NOT_SHOWN = "not shown by the data"
OUR_THRESHOLD = "depends on a threshold of ours"
OUR_READING = "depends on the reading"
WAITS = "released, not run here"
NO_SPECIFICATION = "specification not released"
NO_DATA = "not released"

# The coarse verdict of every grade.
COARSE = {
    RECOMPUTED: REPRODUCED,
    RECOMPUTED_FROM_OUTPUT: REPRODUCED,
    EQUAL: REPRODUCED,
    CONSISTENT: REPRODUCED,
    CONTRADICTED: DIFFERS,
    CONTRADICTED_BY_OUTPUT: DIFFERS,
    CONTRADICTED_WITHIN: DIFFERS,
    SUPPORTED: UNDETERMINED,
    NOT_SUPPORTED: UNDETERMINED,
    NOT_CONTRADICTED: UNDETERMINED,
    NOT_SHOWN: UNDETERMINED,
    OUR_THRESHOLD: UNDETERMINED,
    OUR_READING: UNDETERMINED,
    WAITS: NOT_RUN_HERE,
    NO_SPECIFICATION: UNDECIDABLE,
    NO_DATA: UNDECIDABLE,
}

_AGREEING = {
    "released data": RECOMPUTED,
    "released output": RECOMPUTED_FROM_OUTPUT,
    "printed tables": CONSISTENT,
    "other data": SUPPORTED,
}
_CONTRADICTING = {
    "released data": CONTRADICTED,
    "released output": CONTRADICTED_BY_OUTPUT,
    "printed tables": CONTRADICTED_WITHIN,
    "other data": NOT_SUPPORTED,
}
_UNSETTLED = {
    "fails to reject": NOT_CONTRADICTED,
    "not shown": NOT_SHOWN,
    "threshold": OUR_THRESHOLD,
    "readings": OUR_READING,
}


class Piece(NamedTuple):
    """What the grade needs of a row of evidence.

    Parameters
    ----------
    role
        ``natural``, ``reading`` or ``replication``.
    data, method
        As in the table of evidence.
    outcome, why_unsettled
        As in :class:`saturation.ledger.evidence.Finding`.
    """

    role: str
    data: str
    method: str
    outcome: str
    why_unsettled: str = ""


def grade(pieces: Sequence[Piece]) -> str:
    """The grade of a claim, a key of `COARSE`.

    Parameters
    ----------
    pieces
        All evidence on the claim, at least one.
    """
    deciding = _deciding(pieces)
    settled = [piece for piece in deciding if piece.outcome in (AGREES, CONTRADICTS)]
    open_ones = [piece for piece in deciding if piece.outcome == UNSETTLED]
    if len({piece.outcome for piece in settled}) > 1:
        return OUR_READING
    if settled and not open_ones:
        return _settled(settled[0])
    if settled:
        # Evidence that settles nothing beside some that does: as weak as its weaker part.
        return OUR_READING if settled[0].outcome == CONTRADICTS else _open(open_ones[0])
    if open_ones:
        return _open(open_ones[0])
    if any(piece.outcome == NOT_RUN for piece in deciding):
        return WAITS
    return NO_DATA if any(piece.data == "none" for piece in deciding) else NO_SPECIFICATION


def _deciding(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """The rows that decide: the natural ones, else the readings, else the replications.

    Where what would decide was never released, a replication that agrees or contradicts does.
    """
    by_role = {
        role: [piece for piece in pieces if piece.role == role]
        for role in ("natural", "reading", "replication")
    }
    chosen = next((rows for rows in by_role.values() if rows), [])
    if not chosen:
        raise ValueError("a claim has no evidence")
    said = [piece for piece in by_role["replication"] if piece.outcome in (AGREES, CONTRADICTS)]
    nothing = all(piece.outcome == NOT_RELEASED and piece.data == "none" for piece in chosen)
    return said if said and nothing else chosen


def _settled(piece: Piece) -> str:
    """The grade of evidence that agrees or contradicts."""
    if piece.outcome == CONTRADICTS:
        return _CONTRADICTING[piece.data]
    if piece.data == "released output" and piece.method == "none":
        return EQUAL
    return _AGREEING[piece.data]


def _open(piece: Piece) -> str:
    """The grade of evidence that settles nothing, by its reason."""
    return _UNSETTLED[piece.why_unsettled]


def coarse(graded: str) -> str:
    """The verdict of a grade.

    Parameters
    ----------
    graded
        A key of `COARSE`.
    """
    return COARSE[graded]
