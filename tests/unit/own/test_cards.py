"""The table of all cards, and the verdicts that a user does not accept."""

import pytest

from saturation.errors import InputError
from saturation.own import cards

SUMMARY = {
    "benchmark": "a", "verdict": "saturated", "reason": "alike_at_the_ceiling", "p_saturated": 0.5,
    "s_index": 0.8, "observed_on": "2026-01-01", "n_models": 5, "n_items": 100,
    "tied_at_top": 3, "synthetic": False,
}  # fmt: skip
UNKNOWN = SUMMARY | {
    "benchmark": "b", "verdict": "undetermined", "reason": "too_few_models", "p_saturated": None,
    "s_index": None, "n_items": None, "tied_at_top": None,
}  # fmt: skip


def test_one_row_a_card_missing_values_allowed():
    table = cards.table([SUMMARY, UNKNOWN])
    assert table["benchmark"].tolist() == ["a", "b"]
    assert table.loc[0].to_dict() == SUMMARY
    assert table.loc[1].isna().sum() == 4


@pytest.mark.parametrize(
    ("column", "value"),
    [("verdict", "fine"), ("reason", "because"), ("p_saturated", 1.1), ("tied_at_top", 0)],
)
def test_a_summary_that_no_card_gives_is_refused(column, value):
    with pytest.raises(InputError, match=f"cards, row 2, column '{column}'"):
        cards.table([SUMMARY | {column: value}])


def test_without_cards_it_says_what_to_do():
    with pytest.raises(InputError, match=r"own\.benchmarks is empty.*config/own\.yaml"):
        cards.table([])


def test_only_the_named_verdicts_are_refused():
    table = cards.table([SUMMARY, UNKNOWN])
    assert cards.refused(table, ["saturated", "stagnated"]) == [
        "benchmark 'a': the verdict is saturated (alike_at_the_ceiling), which own.fail_on names"
    ]
    assert cards.refused(table, []) == []
