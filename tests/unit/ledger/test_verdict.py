"""From evidence to grade and verdict: every edge of the rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.ledger.judge import COARSE, OUTCOMES, Piece, grade
from saturation.ledger.schemas import DATA, METHODS, ROLES


def piece(outcome="agrees", role="natural", data="released data", method="usual practice", why=""):
    return Piece(role, data, method, outcome, why)


def unsettled(why, role="natural"):
    return piece("does not settle", role=role, why=why)


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
        ([piece("not run here")], "released, not run here"),
        ([piece("not released", data="none")], "not released"),
        ([piece("not released")], "specification not released"),
        # The natural reading decides, whatever other readings and replications say.
        ([piece(), piece("contradicts", role="reading")], "recomputed from the released data"),
        (
            [piece("contradicts", role="reading"), piece("not run here")],
            "released, not run here",
        ),
        (
            [piece("not run here"), piece(role="replication", data="other data")],
            "released, not run here",
        ),
        # Where the deciding run is still to come, the paper's own printed numbers decide.
        (
            [piece("not run here"), piece(role="reading", data="printed tables")],
            "consistent within the paper",
        ),
        (
            [piece("not run here"), piece("contradicts", role="reading", data="printed tables")],
            "contradicted within the paper",
        ),
        (
            [piece(), piece("contradicts", role="reading", data="printed tables")],
            "recomputed from the released data",
        ),
        # Where nobody released what would decide, a replication that says something grades.
        (
            [piece("not released", data="none"), piece(role="replication", data="other data")],
            "supported on other data",
        ),
        (
            [
                piece("not released", data="none"),
                piece("contradicts", role="replication", data="other data"),
            ],
            "not supported on other data",
        ),
        (
            [piece("not released", data="none"), piece("not run here", role="replication")],
            "not released",
        ),
        (
            [piece("not released"), piece(role="replication", data="other data")],
            "specification not released",
        ),
        # Several natural rows have to agree; what was not run takes nothing away.
        ([piece(), piece("contradicts")], "depends on the reading"),
        ([piece(), piece("not run here")], "recomputed from the released data"),
        ([piece(), unsettled("fails to reject")], "not contradicted"),
        ([piece("contradicts"), unsettled("fails to reject")], "depends on the reading"),
        ([piece("not released"), piece("not run here")], "released, not run here"),
        # Without a natural reading all readings have to agree; replications come last.
        (
            [piece(role="reading"), piece("contradicts", role="reading")],
            "depends on the reading",
        ),
        (
            [piece(role="reading"), piece("contradicts", role="replication", data="other data")],
            "recomputed from the released data",
        ),
        ([piece(role="replication", data="other data")], "supported on other data"),
    ],
)
def test_the_grade_follows_from_the_evidence(pieces, expected):
    assert grade(pieces) == expected


def test_every_grade_has_its_verdict():
    assert COARSE == {
        "recomputed from the released data": "reproduced",
        "recomputed from the released output": "reproduced",
        "equal to the released output": "consistent",
        "consistent within the paper": "consistent",
        "contradicted by the released data": "differs",
        "contradicted by the released output": "differs",
        "contradicted within the paper": "differs",
        "supported on other data": "undetermined",
        "not supported on other data": "undetermined",
        "not contradicted": "undetermined",
        "not shown by the data": "undetermined",
        "depends on a threshold of ours": "undetermined",
        "depends on the reading": "undetermined",
        "released, not run here": "not run here",
        "specification not released": "undecidable",
        "not released": "undecidable",
    }


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
