"""The registry: every check has a name of its own, and unknown names are said."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import stages
from saturation.simulation import checks, names
from saturation.simulation.check import Check, Outcome
from saturation.simulation.schemas import TABLE
from saturation.simulation.table import STATED, differences

ROOT = Path(__file__).resolve().parents[3]
SUBJECTS = names.subjects()
COIN = Check(
    "coin", "a.coin", "heads", "fair", 0.5, 0.4, 0.6, 10, lambda rng, n: Outcome(n // 2, n)
)  # fmt: skip


def test_every_check_has_a_name_of_its_own_that_begins_with_its_subject():
    every = checks.every()
    assert len({check.name for check in every}) == len(every) > 60
    for subject in SUBJECTS:
        of_subject = checks.of_subject(subject)
        assert of_subject
        assert all(check.name.startswith(f"{subject}_") for check in of_subject), subject
    assert sum(len(checks.of_subject(subject)) for subject in SUBJECTS) == len(every)


# Wider bounds, which the docs tell: the power over all pairs is compared with that of one normal
# test; "underpowered" is never wrong, so that its rate is only shown.
WIDE = {"ties_power": 0.7, "verdict_underpowered": 1.0}


def test_what_is_stated_lies_within_what_is_accepted():
    for check in checks.every():
        assert check.lower <= check.stated <= check.upper, check.name
        widest = next((WIDE[start] for start in WIDE if check.name.startswith(start)), 0.2)
        assert check.upper - check.lower <= widest + 1e-9, check.name
        assert check.data_sets >= 20, check.name


def test_two_checks_of_one_name_are_refused():
    assert checks.checked([COIN]) == (COIN,)
    with pytest.raises(InputError, match="check 'coin': 2 checks have this name; rename one"):
        checks.checked([COIN, replace(COIN, stated=0.4)])


def test_an_unknown_name_is_said_with_what_is_like_it():
    assert checks.named("statistics_wilson").estimator == "statistics.intervals.wilson"
    with pytest.raises(InputError, match=r"no check is called 'statistics_wilsn'; did you mean"):
        checks.named("statistics_wilsn")
    with pytest.raises(InputError, match=r"no module of checks is called 'xyz'; known: \['"):
        checks.of_subject("xyz")


def test_a_row_for_each_check():
    rows = checks.table([COIN, replace(COIN, name="other", upper=0.45)], seed=1, data_sets=100)
    assert rows["check"].tolist() == ["coin", "other"]
    assert rows["verdict"].tolist() == ["holds", "does not hold"]
    assert rows["trials"].tolist() == [100, 100]


def test_the_committed_table_is_that_of_the_checks():
    """Names, texts and bounds; what is found needs minutes."""
    stated = pd.DataFrame(
        [{"check": check.name, **{name: getattr(check, name) for name in STATED[1:]}}
         for check in checks.every()]
    )  # fmt: skip
    known = stages.read(ROOT / "resources/simulation/table.csv", TABLE)
    assert differences(stated, known) == [], (
        "run `make simulation`, read what it says, and then "
        "`cp results/simulation/table.csv resources/simulation/table.csv`"
    )
