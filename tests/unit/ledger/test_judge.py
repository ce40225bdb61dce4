"""The ledger: when a number counts as reproduced, and what a rule may say."""

import re
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from saturation.ledger import judge

NAN = float("nan")
KNOWN = {
    "effect": {"value": -0.5, "lower": -1.0, "upper": 0.25},
    "p": {"value": 0.01, "lower": NAN, "upper": NAN},
    "zero": {"value": 0.0, "lower": NAN, "upper": NAN},
}


@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
def test_a_value_printed_in_full_rounds_to_itself_and_not_to_its_neighbour(units, decimals):
    published = units / 10**decimals
    step = 10**-decimals
    assert judge.rounds_to(published, published, decimals)
    assert judge.rounds_to(published + 0.49 * step, published, decimals)
    assert judge.rounds_to(published - 0.49 * step, published, decimals)
    assert not judge.rounds_to(published + 0.51 * step, published, decimals)
    assert not judge.rounds_to(published - 0.51 * step, published, decimals)


@given(st.integers(-(10**5), 10**5))
def test_a_tie_rounds_either_way(tenths):
    value = Decimal(tenths) / 10
    for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        assert judge.rounds_to(float(value), float(value.quantize(Decimal(1), mode)), 0)


@pytest.mark.parametrize(
    ("value", "published", "decimals", "same"),
    [
        (0.145, 0.15, 2, True),  # 0.145 is 0.14499... in binary
        (0.145, 0.14, 2, True),
        (0.1449, 0.15, 2, False),
        (0.1451, 0.14, 2, False),
        (48.333333, 48.3, 1, True),
        (-0.001, 0.0, 2, True),
        (NAN, 0.0, 2, False),
        (float("inf"), 1.0, 2, False),
    ],
)
def test_rounding_at_the_edges(value, published, decimals, same):
    assert judge.rounds_to(value, published, decimals) is same


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
    assert judge.evaluate(rule, KNOWN) is holds


@given(st.floats(-10, 10), st.floats(-10, 10))
def test_a_rule_means_what_it_means_in_python(a, b):
    known = {"a": {"value": a}, "b": {"value": b}}
    rule = "a < b and not a + b > 3 or abs(a - b) * 2 >= 7"
    assert judge.evaluate(rule, known) == eval(rule, {"a": a, "b": b})


@pytest.mark.parametrize(
    "rule",
    [
        "__import__('os').system('true')",
        "effect.__class__",
        "effect.value > 0",
        "open('file')",
        "abs(effect, p)",
        "abs(x=effect)",
        "max(effect, p)",
        "[effect][0] > 0",
        "(lambda: 1)()",
        "effect ** 9 > 0",
        "effect % 2 == 0",
        "p if effect else 0",
        "(x := 1)",
        "'text' == 'text'",
        "p in effect",
        "p is effect",
        "p is not effect",
        "~p",
    ],
)
def test_anything_but_a_plain_expression_is_refused(rule):
    with pytest.raises(InputError, match="is not understood") as caught:
        judge.evaluate(rule, KNOWN)
    assert rule in str(caught.value)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("import os", "cannot be read"),
        ("p <", "cannot be read"),
        ("p = 1", "cannot be read"),
        ("p < 1; effect", "cannot be read"),
        ("", "cannot be read"),
        ("q > 1", "nothing computes quantity 'q'"),
        ("p > 1 and q > 1", "nothing computes quantity 'q'"),
        ("p < 1 or q > 1", "nothing computes quantity 'q'"),
        ("p.lower > 1", "quantity 'p' has no lower"),
        ("p / zero > 1", "divides by zero"),
    ],
)
def test_a_rule_that_cannot_be_judged_says_why(rule, said):
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        judge.evaluate(rule, KNOWN)
    assert f"rule '{rule}'" in str(caught.value)


CLAIM = {
    "claim_id": "study_001",
    "location": "Table 1",
    "kind": "number",
    "statement": "a number",
    "published": "48.3",
    "decimals": 1.0,
    "scale": 100.0,
    "quantity": "share",
    "rule": None,
    "data_needed": None,
    "note": None,
}


def quantities(**values):
    rows = [
        {"quantity": name, "value": value, "lower": np.nan, "upper": np.nan, "note": None}
        for name, value in values.items()
    ]
    return pd.DataFrame(rows, columns=["quantity", "value", "lower", "upper", "note"])


def verdict(known, **changes):
    return judge.judge(pd.DataFrame([CLAIM | changes]), known, "study").iloc[0]


def test_a_number_is_compared_in_its_printed_unit():
    assert verdict(quantities(share=0.48333))["verdict"] == "reproduced"
    differing = verdict(quantities(share=0.4836))
    assert (differing["verdict"], differing["computed"]) == ("differs", "48.36")
    assert verdict(quantities(share=48.3), scale=None)["verdict"] == "reproduced"


def test_the_reading_that_gives_the_number_is_named():
    row = verdict(quantities(share=0.4, share__weighted=0.483, share__other=0.1, shares=0.483))
    assert (row["verdict"], row["computed"]) == ("reproduced", "48.3")
    assert row["note"] == "reading 'weighted', 1 of 3 tried (1 give it)"


def test_no_reading_gives_it_and_the_closest_is_named():
    row = verdict(quantities(share=0.4, share__weighted=0.5), note="a remark")
    assert (row["verdict"], row["computed"]) == ("differs", "40")
    closest = "the closest is 'weighted' with 50"
    assert row["note"] == f"none of 2 readings gives it; {closest}; a remark"


def test_without_a_primary_reading_the_closest_stands_in_the_ledger():
    row = verdict(quantities(share__one=0.4, share__two=0.5))
    assert (row["verdict"], row["computed"]) == ("differs", "50")


def test_data_that_were_not_released_make_a_claim_undecidable():
    row = verdict(quantities(), data_needed="the logs")
    assert row["verdict"] == "undecidable"
    assert row["note"] == "not at hand: the logs"


@pytest.mark.parametrize(("p", "expected"), [(0.2, "reproduced"), (0.01, "differs")])
def test_a_conclusion_follows_from_its_rule(p, expected):
    row = verdict(quantities(h2_p=p), kind="conclusion", rule="h2_p > 0.05")
    assert row["verdict"] == expected
    assert f"rule: h2_p > 0.05 (h2_p = {p})" in row["note"]


def test_a_conclusion_over_a_quantity_that_this_run_left_out_is_undecidable():
    left_out = quantities(h2_p=np.nan, effect=0.3).assign(note=["needs refits", None])
    row = verdict(left_out, kind="conclusion", rule="effect > 0 or h2_p > 0.05")
    assert row["verdict"] == "undecidable"
    assert row["note"] == "h2_p is not computed: needs refits"


def test_a_number_that_nobody_computes_is_an_error():
    with pytest.raises(InputError, match="claim study_001: nothing computes quantity 'share'"):
        verdict(quantities(sharing=1.0))


def test_a_quantity_computed_twice_is_an_error():
    twice = pd.concat([quantities(share=0.1), quantities(share=0.2)])
    with pytest.raises(InputError, match="study: quantity 'share' is computed twice"):
        verdict(twice)


def test_the_summary_counts_every_claim_once():
    rows = [("a", "number", "reproduced"), ("a", "number", "differs"),
            ("a", "conclusion", "reproduced"), ("b", "number", "undecidable")]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["study", "kind", "verdict"])
    summary = judge.summary(frame).set_index(["study", "kind"])
    assert summary.loc[("a", "number")].tolist() == [1, 1, 0, 2]
    assert summary.loc[("a", "conclusion")].tolist() == [1, 0, 0, 1]
    assert summary.loc[("b", "number")].tolist() == [0, 0, 1, 1]
    assert summary.loc[("all", "all")].tolist() == [2, 1, 1, 4]
