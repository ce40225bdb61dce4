"""The ledger: when a number counts as reproduced, and what becomes of each kind of claim."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from saturation.ledger import judge

NAN = float("nan")


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
