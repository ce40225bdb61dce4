"""The tables of claims and of evidence that this project holds."""

from pathlib import Path

import pytest

from saturation.files import stages
from saturation.files.tables import records
from studies.ledger import judge, schemas
from studies.ledger.judge import NOT_RELEASED, NOT_RUN, find_outcome, list_quantities
from studies.ledger.rules import names_in

LEDGER = Path(__file__).resolve().parents[3] / "resources/ledger"
PAPERS = sorted(path.stem for path in (LEDGER / "claims").glob("*.csv"))


def table(kind, paper):
    schema = {"claims": schemas.CLAIMS, "evidence": schemas.EVIDENCE}[kind]
    return stages.read(LEDGER / kind / f"{paper}.csv", schema, dtype={"published": str})


@pytest.fixture(scope="module", params=PAPERS)
def paper(request):
    return request.param


@pytest.fixture(scope="module")
def claims(paper):
    return table("claims", paper)


@pytest.fixture(scope="module")
def evidence(paper):
    return table("evidence", paper)


def test_every_claim_has_evidence_of_a_listed_study_whose_rules_can_be_read(claims, evidence):
    assert set(evidence["claim_id"]) == set(claims["claim_id"])
    origins = stages.read(LEDGER / "studies.csv", schemas.STUDIES)
    assert set(evidence["study"]) <= {*origins["study"], judge.PRINTED}
    for row in records(evidence):
        list_quantities(row)  # parses the rule, or says what is wrong with it


def test_a_claim_stands_once(claims):
    same = claims[claims.duplicated(["statement", "published"], keep=False)]
    assert same.empty, same["claim_id"].tolist()
    assert claims["quotation"].str.split().str.len().max() <= 45


def test_rules_over_printed_numbers_name_claims_of_their_paper(claims, evidence, paper):
    rows = records(evidence[evidence["study"] == judge.PRINTED])
    known = judge.printed(claims, paper).known
    assert {name for row in rows for name in list_quantities(row)} <= set(known)


# What a study's rows may call the data that they rest on.
RESTS_ON = {
    "author": {"released output"},
    "boards": {"other data"},
    "discriminability": {"released data"},
    "multiverse": {"released data"},
    "printed": {"printed tables"},
    "regression": {"released data"},
}


def test_a_test_that_did_not_reject_says_what_the_sample_could_have_shown(evidence):
    evidence = evidence.query("role == 'natural' and fails_to_reject == 'yes'")
    for row in records(evidence.dropna(subset="rule")):
        # An effect beside its p-value, or the bounds of one in the rule.
        assert isinstance(row["beside"], str) or ".lower" in row["rule"], row["evidence_id"]


def test_a_printed_number_that_stands_twice_is_one_claim(claims, evidence):
    evidence = evidence.query("role == 'natural'").dropna(subset="quantity")
    numbers = evidence.merge(claims, on="claim_id")
    by_number = numbers.groupby(["study", "quantity", "published"])["claim_id"].nunique()
    assert by_number[by_number > 1].empty, by_number[by_number > 1].index.tolist()


def test_rows_call_their_data_what_they_are(evidence):
    for row in records(evidence):
        allowed = RESTS_ON.get(str(row["study"]))
        assert allowed is None or row["data"] in allowed, row["evidence_id"]


def test_a_threshold_lies_in_its_range_and_is_ours(evidence):
    for row in records(evidence.dropna(subset="threshold")):
        low, high = row["threshold_from"], row["threshold_to"]
        assert low < high >= row["threshold"] >= low, row["evidence_id"]
        assert "threshold" in names_in(str(row["rule"])), row["evidence_id"]
        assert row["method"] == "ours" or row["study"] == judge.PRINTED, row["evidence_id"]


def test_a_conclusion_quotes_its_sentence_unless_a_cell_says_it(claims, evidence):
    unquoted = claims[(claims["kind"] == "conclusion") & claims["quotation"].isna()]
    # One cell, not a comparison of several.
    assert unquoted["places"].str.fullmatch(r"Table \d").all(), unquoted["claim_id"].tolist()
    cells = evidence[evidence["claim_id"].isin(unquoted["claim_id"])]
    assert {len(list_quantities(row)) for row in records(cells)} <= {1}


def test_a_run_without_some_collection_still_has_its_ledger(claims, evidence):
    """The config names the collections of responses: those of other runs wait."""
    by_name = {claim["claim_id"]: claim for claim in records(claims)}
    for row in records(evidence.query("study == 'adaptive'")):
        claim = by_name[row["claim_id"]]
        assert find_outcome(claim, row, {}).outcome in (NOT_RUN, NOT_RELEASED)


# What the copy of leaderboard v2 cannot tell: it ends before the paper's last window, and the
# leaderboard scored MATH anew after it.
BEYOND_THE_COPY = r"v2_(math_lvl_5_.*|.*_(bdi_last|first_to_last|r_squared|headroom|windows))"


def test_numbers_are_asked_of_the_copy_only_where_it_can_tell():
    rows = table("evidence", "discriminability").query("study == 'discriminability'")
    asked_of_it = rows["quantity"].dropna()
    assert len(asked_of_it) > 50
    assert not asked_of_it.str.fullmatch(BEYOND_THE_COPY).any()


def test_the_copy_stands_beside_every_number_of_v1_that_the_author_gives():
    evidence = table("evidence", "discriminability").dropna(subset="quantity")
    evidence["quantity"] = evidence["quantity"].str.partition("__")[0]
    named = evidence[evidence["quantity"].str.match("v1_.*_(bdi|cp|max|first|ceiling|r_sq)")]
    by_study = {study: set(rows["claim_id"]) for study, rows in named.groupby("study")}
    assert by_study["author"] == by_study["discriminability"]
