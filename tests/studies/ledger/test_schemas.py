"""Claims, evidence and quantities: what a row must hold, and what a wrong one is told."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.schema import validate
from studies.ledger.schemas import CLAIMS, EVIDENCE, QUANTITIES

NUMBER = {
    "claim_id": "study_001", "version": "v1", "places": "Table 1", "kind": "number",
    "sense": "descriptive", "statement": "a number", "quotation": None, "published": "48.3",
    "decimals": 1, "note": None,
}  # fmt: skip
CONCLUSION = NUMBER | {
    "claim_id": "study_002", "places": "abstract; Table 2", "kind": "conclusion",
    "quotation": "it is so", "published": None, "decimals": None,
}  # fmt: skip
ANSWER = dict.fromkeys(EVIDENCE.columns) | {
    "evidence_id": "study_001a", "claim_id": "study_001", "study": "study", "role": "natural",
    "data": "released data", "method": "usual practice", "quantity": "share", "scale": 100,
}  # fmt: skip
THRESHOLD = {"quantity": None, "rule": "share > threshold", "threshold": 1.0,
             "threshold_from": 0.0}  # fmt: skip
QUANTITY = dict.fromkeys(QUANTITIES.columns) | {"quantity": "h1_p", "value": 1, "made_by": "m:f"}
NO_QUOTATION = {"quotation": None}


@pytest.mark.parametrize(
    ("schema", "rows"),
    [
        (CLAIMS, [NUMBER, CONCLUSION]),
        (CLAIMS, [CONCLUSION | NO_QUOTATION | {"places": "Figure 3"}]),
        (EVIDENCE, [ANSWER]),
        (EVIDENCE, [ANSWER | {"quantity": None, "rule": "share > 0", "against": "share < 0"}]),
        (EVIDENCE, [ANSWER | {"quantity": None, "data": "none", "needs": "the logs"}]),
        (EVIDENCE, [ANSWER | {"quantity": None, "command": "make full"}]),
        (EVIDENCE, [ANSWER | THRESHOLD | {"threshold_to": 2.0}]),
        (QUANTITIES, [QUANTITY]),
    ],
)
def test_rows_that_say_enough_pass(schema, rows):
    assert len(validate(pd.DataFrame(rows), schema, "f.csv")) == len(rows)


@pytest.mark.parametrize(
    ("schema", "right", "changes", "said"),
    [
        (CLAIMS, NUMBER, {"published": None}, "a number needs published and decimals"),
        (CLAIMS, NUMBER, {"decimals": None}, "a number needs published and decimals"),
        *(
            (CLAIMS, CONCLUSION, NO_QUOTATION | {"places": places}, "needs its quotation")
            for places in ("abstract", "section 3", "A Table 1")
        ),
        *(
            (CLAIMS, NUMBER, {"claim_id": name}, "a unique name such as plateau_001")
            for name in ("study_1", "Study_001", "001", "study_0001")
        ),
        (EVIDENCE, ANSWER, {"role": "main"}, "one of: natural, reading, replication"),
        (EVIDENCE, ANSWER, {"data": "some"}, "one of: released data"),
        (EVIDENCE, ANSWER, {"method": "some"}, "one of: released code"),
        (EVIDENCE, ANSWER, {"evidence_id": "study_001"}, "its claim with a letter"),
        (EVIDENCE, ANSWER, {"evidence_id": "study_002a"}, "its claim_id with a letter"),
        (EVIDENCE, ANSWER, {"quantity": None}, "needs a quantity, a rule, or in needs or command"),
        (EVIDENCE, ANSWER, {"rule": "share > 0"}, "a quantity or a rule, not both"),
        (EVIDENCE, ANSWER, {"data": "none"}, "what is computed is computed from data"),
        (EVIDENCE, ANSWER, {"fails_to_reject": "no"}, "one of: yes"),
        (EVIDENCE, ANSWER, {"against": "p <= 0.05"}, "against goes with a rule"),
        (EVIDENCE, ANSWER, {"threshold": 0.5}, "a threshold needs a rule"),
        (EVIDENCE, ANSWER, THRESHOLD, "a threshold needs a rule, and in threshold_from"),
        *((QUANTITIES, QUANTITY, {"quantity": name}, "lower-case letters") for name in ("1h", "H")),
    ],
)
def test_what_is_wrong_is_said_with_its_row(schema, right, changes, said):
    with pytest.raises(InputError, match=rf"f\.csv, row 2.*{said}"):
        validate(pd.DataFrame([right | changes]), schema, "f.csv")


@pytest.mark.parametrize(
    ("schema", "right"), [(CLAIMS, NUMBER), (EVIDENCE, ANSWER), (QUANTITIES, QUANTITY)]
)
def test_an_unknown_column_is_named_and_a_claim_or_evidence_stands_once(schema, right):
    with pytest.raises(InputError, match="'more'"):
        validate(pd.DataFrame([right | {"more": 1}]), schema, "f.csv")
    if schema is not QUANTITIES:
        with pytest.raises(InputError, match="only once"):
            validate(pd.DataFrame([right, right]), schema, "f.csv")
