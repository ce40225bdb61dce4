"""Checks of what the library states: the committed table is theirs, and a run judges as it should.

What a change of an estimator does is found by `make validation`, not here.
"""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from saturation.files.tables import records
from saturation.statistics.intervals import wilson
from studies.style import style
from validation import __main__ as validation
from validation import check, report
from validation.check import AS_STATED, FAILS, LEAST, SAFE, UNDECIDED, Check, Outcome

KNOWN = pd.read_csv(validation.KNOWN)
EVERY = [one for subject in validation.SUBJECTS for one in validation.checks(subject)]
COIN = Check(
    "coin", "a.coin", "heads", "fair", 0.5, "neither", 4000,
    check.repeated(lambda rng: rng.random() < 0.5),
)  # fmt: skip


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


def test_every_check_is_in_one_job():
    named = [
        check.name
        for subject, part in validation.jobs(list(validation.SUBJECTS))
        for check in validation.checks(subject)
        if part in ("", check.shares or check.name)
    ]
    assert sorted(named) == sorted(one.name for one in EVERY)


def test_every_check_has_its_row_with_its_texts_and_number_of_data_sets():
    """What is found needs minutes."""
    columns = ["check", "estimator", "statement", "scenario", "safe", "data_sets"]
    stated = pd.DataFrame(
        [[one.name, *(getattr(one, name) for name in columns[1:])] for one in EVERY],
        columns=columns,
    ).sort_values("check", ignore_index=True)
    assert stated["check"].is_unique
    pd.testing.assert_frame_equal(
        stated, KNOWN[columns], obj="run `make validation`, read what it says, and then "
        "`cp results/validation/table.csv validation/table.csv`",
    )  # fmt: skip


def test_the_tables_verdicts_follow_from_its_numbers():
    for row in records(KNOWN):
        n = min(row["trials"], row["data_sets"])
        limits = row["found_low"], row["found_high"]
        assert row["verdict"] == check.verdict(row["stated"], *limits, row["safe"], n), row["check"]
        if n:
            assert limits == pytest.approx(wilson(row["found"] * n, n), abs=1e-9), row["check"]


@pytest.mark.parametrize(
    ("stated", "limits", "safe", "data_sets", "verdict"),
    [
        (0.95, (0.95, 0.97), "more", LEAST, AS_STATED),
        (0.95, (0.93, 0.95), "more", LEAST, AS_STATED),
        (0.95, (0.951, 0.97), "more", LEAST, SAFE),
        (0.95, (0.93, 0.949), "more", LEAST, FAILS),
        (0.05, (0.051, 0.07), "fewer", LEAST, FAILS),
        (0.05, (0.01, 0.049), "fewer", LEAST, SAFE),
        (0.05, (0.01, 0.049), "neither", LEAST, FAILS),
        (0.05, (0.01, 0.09), "fewer", LEAST - 1, UNDECIDED),
        (0.05, (0.5, 0.6), "fewer", LEAST - 1, FAILS),
        (0.8, (0.84, 1.0), "more", 20, SAFE),
    ],
)
def test_a_miss_beyond_the_error_of_the_simulation_counts_on_the_harmful_side(
    stated, limits, safe, data_sets, verdict
):
    assert check.verdict(stated, *limits, safe, data_sets) == verdict


@pytest.mark.parametrize(("share", "verdict"), [(0.5, AS_STATED), (0.35, FAILS), (0.65, FAILS)])
def test_a_simulation_is_judged_and_the_seed_is_the_checks_own(share, verdict):
    coin = replace(COIN, simulate=check.repeated(lambda rng: rng.random() < share))
    row = check.run(coin, seed=1)
    assert (row["verdict"], row["trials"]) == (verdict, 4000)
    assert row == check.run(coin, seed=1)
    assert row["found"] != check.run(replace(coin, name="other"), seed=1)["found"]


def test_what_was_predicted_is_stated_and_data_sets_count_once():
    """Ten statements on each of 400 data sets are no 4,000 independent ones."""
    simulated = replace(COIN, simulate=lambda rng, n: Outcome(10 * 188, 10 * n, stated=0.48))
    row = check.run(simulated, seed=1, data_sets=400)
    assert (row["found"], row["verdict"], row["stated"]) == (0.47, AS_STATED, 0.48)
    assert (row["found_low"], row["found_high"]) == pytest.approx(wilson(188, 400))


def test_where_nothing_is_stated_nothing_is_decided():
    row = check.run(replace(COIN, simulate=lambda rng, n: Outcome(0, 0, abstained=n)), seed=1)
    assert (row["verdict"], row["abstained"]) == (UNDECIDED, 4000)
    assert np.isnan(row["found"])


def test_events_intervals_and_p_values_are_counted_and_what_is_not_stated_abstains():
    nan = float("nan")
    events = iter([True, False, None, [True, None, True]])
    counted = check.repeated(lambda rng: next(events))(np.random.default_rng(0), 4)
    assert counted == Outcome(3, 4, abstained=2)
    assert check.covered([0, 1, 2, nan, 0], [1, 2, 3, 4, nan], 1) == Outcome(2, 3, abstained=2)
    assert check.rejected([0.05, 0.051, 0.0, nan]) == Outcome(2, 3, abstained=1)


def test_a_subject_runs_from_end_to_end(monkeypatch, tmp_path):
    """Two checks, of which one fails that the committed table does not know; others keep rows."""
    monkeypatch.setattr(validation, "FOUND", tmp_path / "table.csv")
    wilson = next(one for one in EVERY if one.name == "statistics_wilson")
    bent = replace(wilson, name="statistics_bent", stated=0.99)
    rows = [check.run(one, 20251101, 500) for one in (wilson, bent)]
    monkeypatch.setattr(validation, "jobs", lambda subjects: [(subjects[0], "")])
    monkeypatch.setattr(validation, "simulated", lambda job, seed: pd.DataFrame(rows))
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
    assert stale.startswith(f"before\n<!-- checks -->\n{report.headline_of(KNOWN)}")
    assert "old" not in stale.splitlines()


def test_the_figure_counts_what_holds_and_names_what_does_not_in_words(overlapping):
    with style():
        figure = report.levels(KNOWN)
    assert figure.get_suptitle() == report.headline_of(KNOWN)
    assert overlapping(figure) == []
    failing = KNOWN.loc[KNOWN["verdict"] == FAILS, "estimator"].str.removeprefix("saturation.")
    assert set(report.WORDS) <= set(failing)
