"""The tables of claims and of evidence that this project holds."""

from pathlib import Path

import pytest

from saturation.files import stages
from saturation.files.tables import records
from saturation.ledger import judge, schemas
from saturation.ledger.evidence import asked

LEDGER = Path(__file__).resolve().parents[3] / "resources/ledger"
PAPERS = sorted(path.stem for path in (LEDGER / "claims").glob("*.csv"))


def table(kind, paper):
    schema = {"claims": schemas.CLAIMS, "evidence": schemas.EVIDENCE}[kind]
    return stages.read(LEDGER / kind / f"{paper}.csv", schema, dtype={"published": str})


@pytest.fixture(scope="module")
def origins():
    return stages.read(LEDGER / "studies.csv", schemas.STUDIES)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_has_evidence_of_a_listed_study_whose_rules_can_be_read(paper, origins):
    evidence = table("evidence", paper)
    assert set(evidence["claim_id"]) == set(table("claims", paper)["claim_id"])
    assert set(evidence["study"]) <= {*origins["study"], judge.PRINTED}
    for row in records(evidence):
        asked(row)  # parses the rule, or says what is wrong with it


@pytest.mark.parametrize("paper", PAPERS)
def test_a_claim_stands_once(paper):
    claims = table("claims", paper)
    same = claims[claims.duplicated(["statement", "published"], keep=False)]
    assert same.empty, same["claim_id"].tolist()
    assert claims["quotation"].str.split().str.len().max() <= 40


@pytest.mark.parametrize("paper", PAPERS)
def test_rules_over_printed_numbers_name_claims_of_their_paper(paper):
    evidence = table("evidence", paper)
    rows = records(evidence[evidence["study"] == judge.PRINTED])
    known = judge.printed(table("claims", paper), paper).known
    assert {name for row in rows for name in asked(row)} <= set(known)
