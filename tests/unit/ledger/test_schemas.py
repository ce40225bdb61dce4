"""Claims and quantities: what a row must hold, and what a wrong one is told."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.checks import validate
from saturation.ledger.schemas import CLAIMS, QUANTITIES

NUMBER = {
    "claim_id": "study_001", "location": "Table 1", "kind": "number", "statement": "a number",
    "published": "48.3", "decimals": 1, "scale": None, "quantity": "share", "rule": None,
    "data_needed": None, "note": None,
}  # fmt: skip
CONCLUSION = NUMBER | {
    "claim_id": "study_002", "kind": "conclusion", "published": None, "decimals": None,
    "quantity": None, "rule": "share > 0",
}  # fmt: skip


def checked(*rows):
    return validate(pd.DataFrame(list(rows)), CLAIMS, "claims.csv")


def test_a_number_and_a_conclusion_pass():
    assert len(checked(NUMBER, CONCLUSION)) == 2


@pytest.mark.parametrize("name", ["published", "decimals", "quantity"])
def test_a_number_without_its_parts_is_refused_unless_data_are_missing(name):
    with pytest.raises(InputError, match="a number needs published, decimals and quantity"):
        checked(NUMBER | {name: None}, CONCLUSION | {"published": "1", "decimals": 1})
    checked(NUMBER | {name: None, "data_needed": "the logs"}, CONCLUSION)


def test_a_conclusion_without_a_rule_is_refused_unless_data_are_missing():
    with pytest.raises(InputError, match="a conclusion needs a rule"):
        checked(NUMBER, CONCLUSION | {"rule": None})
    checked(NUMBER, CONCLUSION | {"rule": None, "data_needed": "the logs"})


@pytest.mark.parametrize("name", ["study_1", "Study_001", "001", "study_0001"])
def test_a_claim_s_name_has_three_digits(name):
    with pytest.raises(InputError, match="a unique name such as plateau_001"):
        checked(NUMBER | {"claim_id": name})


def test_two_claims_of_one_name_are_refused():
    with pytest.raises(InputError, match="only once"):
        checked(NUMBER, NUMBER)


@pytest.mark.parametrize(("name", "good"), [("h1_p", True), ("1h", False), ("H1", False)])
def test_a_quantity_s_name_is_an_identifier(name, good):
    row = {"quantity": name, "value": 1, "lower": None, "upper": None, "note": None}
    if good:
        assert len(validate(pd.DataFrame([row]), QUANTITIES, "q.csv")) == 1
    else:
        with pytest.raises(InputError, match="lower-case letters, digits and underscores"):
            validate(pd.DataFrame([row]), QUANTITIES, "q.csv")
