"""From evidence to grade and verdict: every edge of the rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.ledger.judge import COARSE, OUTCOMES, Piece, grade
from saturation.ledger.schemas import DATA, METHODS, ROLES


def piece(outcome="agrees", role="natural", data="released data", method="usual practice", why=""):
    return Piece(role, data, method, outcome, why)


def unsettled(why):
    return piece("does not settle", why=why)


WAITS = piece("not run here")
READING = {"role": "reading"}
PRINTED = {"role": "reading", "data": "printed tables"}
REPLICATION = {"role": "replication", "data": "other data"}
NO_DATA = piece("not released", data="none")


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([piece()], "recomputed from the released data"),
        ([piece(data="released output")], "recomputed from the released output"),
        ([piece(data="released output", method="none")], "equal to the released output"),
        ([piece(data="printed tables")], "consistent within the paper"),
        ([piece(data="other data")], "supported on other data"),
        ([piece("contradicts")], "contradicted by the released data"),
        ([piece("contradicts", data="released output")], "contradicted by the released output"),
        ([piece("contradicts", data="printed tables")], "contradicted within the paper"),
        ([piece("contradicts", data="other data")], "not supported on other data"),
        ([unsettled("fails to reject")], "not contradicted"),
        ([unsettled("not shown")], "not shown by the data"),
        ([unsettled("threshold")], "depends on a threshold of ours"),
        ([unsettled("readings")], "depends on the reading"),
        ([WAITS], "released, not run here"),
        ([NO_DATA], "not released"),
        ([piece("not released")], "specification not released"),
        # The natural reading decides, whatever other readings and replications say.
        ([piece(), piece("contradicts", **READING)], "recomputed from the released data"),
        ([piece("contradicts", **READING), WAITS], "released, not run here"),
        ([WAITS, piece(**REPLICATION)], "released, not run here"),
        # Where the deciding run is still to come, the paper's own printed numbers decide.
        ([WAITS, piece(**PRINTED)], "consistent within the paper"),
        ([WAITS, piece("contradicts", **PRINTED)], "contradicted within the paper"),
        ([piece(), piece("contradicts", **PRINTED)], "recomputed from the released data"),
        # Where nobody released what would decide, a replication that says something grades.
        ([NO_DATA, piece(**REPLICATION)], "supported on other data"),
        ([NO_DATA, piece("contradicts", **REPLICATION)], "not supported on other data"),
        ([NO_DATA, piece("not run here", role="replication")], "not released"),
        ([piece("not released"), piece(**REPLICATION)], "specification not released"),
        # Several natural rows have to agree; what was not run takes nothing away.
        ([piece(), piece("contradicts")], "depends on the reading"),
        ([piece(), WAITS], "recomputed from the released data"),
        ([piece(), unsettled("fails to reject")], "not contradicted"),
        ([piece("contradicts"), unsettled("fails to reject")], "depends on the reading"),
        ([piece("not released"), WAITS], "released, not run here"),
        # Without a natural reading all readings have to agree; replications come last.
        ([piece(**READING), piece("contradicts", **READING)], "depends on the reading"),
        (
            [piece(**READING), piece("contradicts", **REPLICATION)],
            "recomputed from the released data",
        ),
        ([piece(**REPLICATION)], "supported on other data"),
    ],
)
def test_the_grade_follows_from_the_evidence(pieces, expected):
    assert grade(pieces) == expected


PIECES = st.builds(
    Piece,
    role=st.sampled_from(ROLES),
    data=st.sampled_from([data for data in DATA if data != "none"]),
    method=st.sampled_from(METHODS),
    outcome=st.sampled_from(OUTCOMES),
    why_unsettled=st.sampled_from(["fails to reject", "not shown", "threshold", "readings"]),
)


@given(st.lists(PIECES, min_size=1, max_size=5))
def test_a_claim_is_reproduced_only_if_all_that_decides_agrees(pieces):
    graded = grade(pieces)
    assert graded in COARSE
    deciding = next(
        [p for p in pieces if p.role == role]
        for role in ROLES
        if any(p.role == role for p in pieces)
    )
    spoken = {p.outcome for p in deciding} - {"not run here", "not released"}
    if COARSE[graded] == "reproduced":
        assert spoken == {"agrees"}
    if COARSE[graded] == "differs":
        assert spoken == {"contradicts"}


@given(st.lists(PIECES, min_size=1, max_size=5))
def test_a_replication_moves_no_verdict_that_the_papers_data_give(pieces):
    own = [p for p in pieces if p.role != "replication"]
    if own:
        assert grade(pieces) == grade(own)
