"""What a claim's rule may say and what it means, and the numbers that texts quote."""

import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from studies.ledger import rules

NAN = float("nan")
KNOWN = {
    "effect": {"value": -0.5, "lower": -1.0, "upper": 0.25},
    "p": {"value": 0.01, "lower": NAN, "upper": NAN},
    "zero": {"value": 0.0, "lower": NAN, "upper": NAN},
}


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("p < 0.05 and effect < 0", True),
        ("p < 0.05 and effect > 0", False),
        ("p > 0.05 or effect.upper > 0", True),
        ("not p < 0.05", False),
        ("effect.lower < effect < effect.upper", True),
        ("effect.lower < effect > effect.upper", False),
        ("abs(effect) >= 0.5", True),
        ("(effect + 1) * 2 / 4 - 0.25 == 0", True),
        ("-effect != 0.5", False),
    ],
)
def test_rules_are_evaluated(rule, holds):
    assert rules.evaluate(rule, KNOWN) is holds


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_a_rule_means_what_it_means_in_python(a, b):
    known = {"a": {"value": a}, "b": {"value": b}}
    rule = "a < b and not a + b > 3 or abs(a - b) * 2 >= 7"
    assert rules.evaluate(rule, known) == eval(rule, {"a": a, "b": b})


REFUSED = {
    "is not understood": [
        "__import__('os').system('true')", "effect.value > 0", "abs(effect, p)", "abs(x=effect)",
        "max(effect, p)", "[effect][0] > 0", "effect ** 9 > 0", "p if effect else 0",
        "'text' == 'text'", "p in effect", "~p",
    ],
    "cannot be read": ["import os", "p <", "p = 1", "p < 1; effect", ""],
    "nothing computes quantity 'q'": ["q > 1", "p > 1 and q > 1", "p < 1 or q > 1"],
    "quantity 'p' has no lower": ["p.lower > 1"],
    # Also where the first part decides.
    "divides by zero": ["p / zero > 1", "p < 1 or p / zero > 1"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "rule"), [(said, rule) for said in REFUSED for rule in REFUSED[said]]
)
def test_anything_but_a_plain_expression_of_known_numbers_is_refused(said, rule):
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        rules.evaluate(rule, KNOWN)
    assert f"rule '{rule}'" in str(caught.value)


def test_the_names_of_a_rule_come_outermost_first_each_once():
    assert rules.names_in("b.lower > a and abs(b) < c") == ["a", "c", "b", "abs"]


def test_texts_quote_the_first_of_a_name_and_nothing_that_was_not_computed():
    columns = ["quantity", "value", "lower", "upper", "note"]
    first = pd.DataFrame(
        [("gap", 0.5, 0.25, 0.75, "of ten"), ("empty", None, None, None, None)], columns=columns
    )
    second = pd.DataFrame(
        [("gap", 9.0, None, None, None), ("n_boards", 15.0, None, None, None)], columns=columns
    )
    summary = pd.DataFrame({"paper": ["one", "all"], "not run here": [1, 3], "claims": [2, 4]})
    grades = pd.DataFrame({"grade": ["contradicted, within"], "claims": [7]})
    assert rules.quoted({"first": first, "second": second}, summary, grades) == {
        "gap": 0.5, "gap_lower": 0.25, "gap_upper": 0.75, "gap_note": "of ten", "n_boards": 15.0,
        "paper": "all", "not_run_here": 3, "claims": 4, "contradicted_within": 7,
    }  # fmt: skip
