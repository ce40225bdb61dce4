import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.simulation.table import (
    STATED,
    by_estimator,
    compact,
    differences,
    gathered,
    refused,
)


def test_parts_are_put_together_by_name(table):
    parts = [table[2:], table[:2]]
    assert gathered(parts)["check"].tolist() == sorted(table["check"])
    with pytest.raises(InputError, match="coin_a"):
        gathered([table, table[:1]])


def test_the_gate_lists_what_does_not_hold_and_was_not_known(table):
    known = table[table["check"] != "coin_c"]
    (sentence,) = refused(table, known)
    assert sentence == (
        "check 'coin_c' does not hold: a.module.coin states 0.95 (heads; fair), found 0.600 in "
        "1000 trials; accepted: 0.93 to 0.975"
    )
    assert refused(table, table) == []
    held = known.assign(verdict="holds")
    assert len(refused(table, held)) == 3


def test_what_the_committed_table_no_longer_says_is_named(table):
    stated = table[STATED]
    assert differences(stated, table) == []
    changed = stated.assign(upper=[0.975, 0.98, 0.975, 0.975, 0.975])
    assert differences(changed, table) == ["check 'coin_b' is stated otherwise"]
    assert differences(stated, table[1:]) == ["check 'coin_a' has no row"]
    assert differences(stated[1:], table) == ["row 'coin_a' has no check"]


def test_the_compact_table_is_in_percent_with_what_fails_first(table):
    shown = compact(table)
    assert shown["verdict"].tolist() == ["does not hold"] * 3 + ["holds"] * 2
    first = shown.iloc[0]
    assert (first["stated, %"], first["found, %"]) == ("95.0", "90.0")
    assert first["error of the simulation"] == "88.0 to 92.0"
    assert first["accepted, %"] == "93.0 to 97.5"
    assert shown["abstained"].tolist() == ["", "", "9 of 9", "", "500 of 1500"]
    assert shown.loc[2, "found, %"] == ""
    assert isinstance(shown, pd.DataFrame)


def test_estimators_have_their_counts_and_ranges(table):
    twice = pd.concat(
        [table.head(1), table.head(1).assign(check="b", found=0.5, verdict="does not hold")]
    )
    (row,) = by_estimator(twice.assign(stated=0.95, estimator="e")).to_dict("records")
    first = 100 * table["found"].iloc[0]
    assert row == {
        "estimator": "e", "checks": 2, "hold": int(table["verdict"].iloc[0] == "holds"),
        "stated, %": "95.0", "found, %": f"{min(first, 50):.1f} to {max(first, 50):.1f}",
    }  # fmt: skip
