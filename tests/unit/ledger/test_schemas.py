"""Claims, evidence and quantities: what a row must hold, and what a wrong one is told."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.schema import validate
from saturation.ledger.schemas import CLAIMS, EVIDENCE, QUANTITIES

NUMBER = {
    "claim_id": "study_001", "version": "v1", "places": "Table 1", "kind": "number",
    "sense": "descriptive", "statement": "a number", "quotation": None, "published": "48.3",
    "decimals": 1, "note": None,
}  # fmt: skip
CONCLUSION = NUMBER | {
    "claim_id": "study_002", "places": "abstract; Table 2", "kind": "conclusion",
    "quotation": "it is so", "published": None, "decimals": None,
}  # fmt: skip
ANSWER = {
    "evidence_id": "study_001a", "claim_id": "study_001", "study": "study", "role": "natural",
    "data": "released data", "method": "usual practice", "quantity": "share", "scale": 100,
    **dict.fromkeys(("rule", "against", "fails_to_reject", "threshold", "threshold_from",
                     "threshold_to", "beside", "needs", "command", "note")),
}  # fmt: skip


def claims(*rows):
    return validate(pd.DataFrame(list(rows)), CLAIMS, "claims.csv")


def evidence(**changes):
    return validate(pd.DataFrame([ANSWER | changes]), EVIDENCE, "evidence.csv")


@pytest.mark.parametrize("name", ["published", "decimals"])
def test_a_number_without_its_parts_is_refused(name):
    with pytest.raises(InputError, match=r"row 2.*a number needs published and decimals"):
        claims(NUMBER | {name: None}, CONCLUSION | {"published": "1", "decimals": 1})


@pytest.mark.parametrize("places", ["abstract", "section 3", "A Table 1"])
def test_a_sentence_needs_its_quotation_and_a_cell_does_not(places):
    with pytest.raises(InputError, match=r"row 3.*needs its quotation"):
        claims(NUMBER, CONCLUSION | {"places": places, "quotation": None})
    claims(NUMBER, CONCLUSION | {"places": "Figure 3", "quotation": None})


@pytest.mark.parametrize("name", ["study_1", "Study_001", "001", "study_0001"])
def test_a_claim_s_name_has_three_digits_and_stands_once(name):
    with pytest.raises(InputError, match="a unique name such as plateau_001"):
        claims(NUMBER | {"claim_id": name})
    assert len(claims(NUMBER, CONCLUSION)) == 2
    with pytest.raises(InputError, match="only once"):
        claims(NUMBER, NUMBER)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"role": "main"}, "one of: natural, reading, replication"),
        ({"data": "some"}, "one of: released data"),
        ({"method": "some"}, "one of: released code"),
        ({"evidence_id": "study_001"}, "its claim with a letter"),
        ({"evidence_id": "study_002a"}, "evidence_id is its claim_id with a letter"),
        ({"quantity": None}, "evidence needs a quantity, a rule, or in needs or command"),
        ({"rule": "share > 0"}, "a quantity or a rule, not both"),
        ({"data": "none"}, "what is computed is computed from data"),
        ({"fails_to_reject": "no"}, "one of: yes"),
        ({"against": "p <= 0.05"}, "against goes with a rule"),
        ({"threshold": 0.5}, "a threshold needs a rule"),
        (
            {"quantity": None, "rule": "share > threshold", "threshold": 1, "threshold_to": 2},
            "a threshold needs a rule, and in threshold_from and threshold_to a range",
        ),
    ],
)
def test_what_is_wrong_with_evidence_is_said_with_its_row(changes, said):
    with pytest.raises(InputError, match=said) as caught:
        evidence(**changes)
    assert "evidence.csv, row 2" in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"quantity": None, "rule": "share > 0"},
        {"quantity": None, "data": "none", "needs": "the logs"},
        {"quantity": None, "data": "released data", "command": "make full"},
        {
            "quantity": None, "rule": "share > threshold", "threshold": 1.0,
            "threshold_from": 0.0, "threshold_to": 2.0,
        },
    ],
)  # fmt: skip
def test_evidence_that_says_enough_passes(changes):
    assert len(evidence(**changes)) == 1


@pytest.mark.parametrize(("name", "good"), [("h1_p", True), ("1h", False), ("H1", False)])
def test_a_quantity_s_name_is_an_identifier(name, good):
    empty = dict.fromkeys(("lower", "upper", "note"))
    row = pd.DataFrame([{"quantity": name, "value": 1, "made_by": "m:f"} | empty])
    if good:
        assert len(validate(row, QUANTITIES, "q.csv")) == 1
    else:
        with pytest.raises(InputError, match="lower-case letters, digits and underscores"):
            validate(row, QUANTITIES, "q.csv")
