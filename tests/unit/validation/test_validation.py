"""Checks of what the library states: the committed table is theirs, and a run judges as it should.

What a change of an estimator does is found by `make validation`, not here.
"""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from saturation.pages.style import style
from validation import __main__ as validation
from validation import check, index, report
from validation.check import FAILS, HOLDS, Check, Outcome

KNOWN = pd.read_csv(validation.KNOWN)
HELD = f"{(KNOWN['verdict'] == HOLDS).sum()} of {len(KNOWN)}"
EVERY = [one for subject in validation.SUBJECTS for one in validation.checks(subject)]
COIN = Check(
    "coin", "a.coin", "heads", "fair", 0.5, 0.45, 0.55, 4000,
    check.repeated(lambda rng: rng.random() < 0.5),
)  # fmt: skip
# Wider bounds, which the docs tell: the power over all pairs is compared with that of one normal
# test; "underpowered" is never wrong, so that its rate is only shown.
WIDE = {"ties_power": 0.7, "verdict_underpowered": 1.0}


def test_every_module_of_checks_is_a_subject():
    found = {
        path.stem
        for path in validation.KNOWN.parent.glob("*.py")
        if "\nCHECKS" in path.read_text(encoding="utf-8")
    }
    assert found == set(validation.SUBJECTS)


def test_nothing_that_is_installed_or_run_by_default_imports_it():
    for folder in ("src", "workflow"):
        for path in (validation.ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^\s*(from|import) validation\b", text, re.MULTILINE), path


def test_every_check_has_its_row_with_its_texts_and_bounds():
    """What is found needs minutes."""
    columns = ["check", "estimator", "statement", "scenario", "lower", "upper"]
    stated = pd.DataFrame(
        [[one.name, *(getattr(one, name) for name in columns[1:])] for one in EVERY],
        columns=columns,
    ).sort_values("check", ignore_index=True)
    assert stated["check"].is_unique
    pd.testing.assert_frame_equal(
        stated, KNOWN[columns], obj="run `make validation`, read what it says, and then "
        "`cp results/validation/table.csv validation/table.csv`",
    )  # fmt: skip


def test_what_is_stated_lies_within_narrow_bounds():
    for one in EVERY:
        assert one.lower <= one.stated <= one.upper, one.name
        widest = next((WIDE[start] for start in WIDE if one.name.startswith(start)), 0.2)
        assert one.upper - one.lower <= widest + 1e-9, one.name
        assert one.data_sets >= 20, one.name


def test_the_tables_verdicts_follow_from_its_bounds():
    held = KNOWN["found"].between(KNOWN["lower"], KNOWN["upper"])
    assert KNOWN["verdict"].tolist() == np.where(held, HOLDS, FAILS).tolist()
    assert (KNOWN["found_low"] <= KNOWN["found"]).all()
    assert (KNOWN["found"] <= KNOWN["found_high"]).all()


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (0.35, FAILS), (0.65, FAILS)])
def test_bounds_hold_on_both_sides_and_the_seed_is_the_checks_own(share, verdict):
    coin = replace(COIN, simulate=check.repeated(lambda rng: rng.random() < share))
    row = check.run(coin, seed=1)
    assert (row["verdict"], row["trials"]) == (verdict, 4000)
    assert row == check.run(coin, seed=1)
    assert row["found"] != check.run(replace(coin, name="other"), seed=1)["found"]


def test_the_bounds_themselves_are_accepted_and_what_was_predicted_is_stated():
    row = check.run(replace(COIN, simulate=lambda rng, n: Outcome(45, 100, stated=0.48)), seed=1)
    assert (row["found"], row["verdict"], row["stated"]) == (0.45, HOLDS, 0.48)


def test_without_a_statement_nothing_holds():
    row = check.run(replace(COIN, simulate=lambda rng, n: Outcome(0, 0, abstained=n)), seed=1)
    assert (row["verdict"], row["abstained"]) == (FAILS, 4000)
    assert np.isnan(row["found"])


def test_events_intervals_and_p_values_are_counted_and_what_is_not_stated_abstains():
    nan = float("nan")
    events = iter([True, False, None, [True, None, True]])
    counted = check.repeated(lambda rng: next(events))(np.random.default_rng(0), 4)
    assert counted == Outcome(3, 4, abstained=2)
    assert check.covered([0, 1, 2, nan, 0], [1, 2, 3, 4, nan], 1) == Outcome(2, 3, abstained=2)
    assert check.rejected([0.05, 0.051, 0.0, nan]) == Outcome(2, 3, abstained=1)


@pytest.mark.parametrize(("off", "verdict"), [(0, HOLDS), (-0.12, FAILS), (0.12, FAILS)])
def test_predicted_probabilities_have_to_come_true_in_every_tenth(off, verdict):
    rng = np.random.default_rng(0)
    said = rng.random(20_000)
    true = rng.random(20_000) < said
    predicted = (said + off).clip(0, 1)
    table = np.column_stack([predicted, true, predicted - 0.05, predicted + 0.05])
    of = ("a", "b.c", "d", len(said), lambda boards: table[:boards])
    rows = [check.run(one, 0) for one in index.calibration_checks(*of)]
    assert {row["verdict"] for row in rows[2:8]} == {verdict}
    assert sum(row["trials"] for row in rows) == len(said)
    assert check.run(index.range_check(*of), 0)["verdict"] == verdict


def test_a_subject_runs_from_end_to_end(monkeypatch, tmp_path):
    """Two checks, of which one fails that the committed table does not know; others keep rows."""
    monkeypatch.setattr(validation, "FOUND", tmp_path / "table.csv")
    wilson = next(one for one in EVERY if one.name == "statistics_wilson")
    bent = replace(wilson, name="statistics_bent", lower=0.99, upper=1.0)
    rows = [check.run(one, 20251101, 500) for one in (wilson, bent)]
    monkeypatch.setattr(validation, "simulated", lambda subject, seed: pd.DataFrame(rows))
    monkeypatch.setattr(validation, "ProcessPoolExecutor", Here)
    (sentence,) = validation.main(["statistics"])
    assert sentence.startswith("check 'statistics_bent' does not hold: statistics.intervals.wilson")
    found = pd.read_csv(tmp_path / "table.csv")
    assert found["check"].is_monotonic_increasing
    others = KNOWN[~KNOWN["check"].str.startswith("statistics_")]
    assert len(found) == len(others) + 2
    assert 0.93 < found.set_index("check").loc["statistics_wilson", "found"] < 0.975


class Here:
    """A pool of this process."""

    def __enter__(self):
        return self

    def __exit__(self, *of):
        return None

    map = staticmethod(map)


def test_the_page_is_that_of_the_committed_table():
    text = report.PAGE.read_text(encoding="utf-8")
    assert text == report.rendered(text, KNOWN), "run `make docs`"
    stale = report.rendered("before\n<!-- checks -->\nold\n<!-- /checks -->\nafter\n", KNOWN)
    assert stale.startswith(f"before\n<!-- checks -->\n{HELD} checks hold.")
    assert "old" not in stale.splitlines()


def test_the_figure_counts_what_holds_and_names_what_does_not_in_words(overlapping):
    with style():
        figure = report.levels(KNOWN)
    assert figure.get_suptitle() == f"{HELD} checks hold what they state"
    assert overlapping(figure) == []
    failing = KNOWN.loc[KNOWN["verdict"] == FAILS, "estimator"].str.removeprefix("saturation.")
    assert set(failing) == set(report.WORDS)
