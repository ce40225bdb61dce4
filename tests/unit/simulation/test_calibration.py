"""Said and true probabilities by tenths."""

import numpy as np
import pytest

from saturation.simulation import calibration
from saturation.simulation.check import FAILS, HOLDS, run

RNG = np.random.default_rng(0)
SAID = RNG.random(20_000)


def statements(true, low=0.1, high=0.1):
    """What is said of boards of which so many are so, with a range to both sides."""
    happens = np.random.default_rng(1).random(len(SAID)) < true
    table = np.column_stack([SAID, happens, SAID - low, SAID + high])
    return lambda boards: table[:boards]


def checks(said):
    return calibration.tenth_checks("a", "b.c", "d", len(SAID), said)


def test_what_is_said_and_is_so_holds_in_every_tenth():
    rows = [run(check, 0) for check in checks(statements(SAID))]
    assert [row["verdict"] for row in rows] == [HOLDS] * 10
    assert sum(row["trials"] for row in rows) == len(SAID)
    assert [row["check"] for row in rows] == [f"a_tenth_{tenth}" for tenth in range(10)]
    assert [row["stated"] for row in rows] == pytest.approx(np.arange(0.05, 1, 0.1), abs=0.01)


@pytest.mark.parametrize("off", [-0.12, 0.12])
def test_what_is_said_a_tenth_off_does_not_hold(off):
    rows = [run(check, 0) for check in checks(statements(SAID + off))]
    assert {row["verdict"] for row in rows[2:8]} == {FAILS}


def test_a_tenth_without_boards_states_nothing():
    row = run(checks(lambda boards: np.array([[0.95, 1, 0.9, 1]]))[0], 0)
    assert row["trials"] == 0
    assert np.isnan(row["stated"])
    assert np.isnan(row["found"])


def test_the_tenths_hold_their_lower_edge_and_the_last_holds_one():
    assert calibration.tenths(np.array([0, 0.05, 0.1, 0.95, 1])).tolist() == [0, 0, 1, 9, 9]


@pytest.mark.parametrize(
    ("true", "sides", "verdict"),
    [
        (SAID, (0.05, 0.05), HOLDS),
        (SAID - 0.2, (0.3, 0), HOLDS),
        (SAID + 0.2, (0, 0.3), HOLDS),
        (SAID - 0.2, (0.05, 0.3), FAILS),
        (SAID + 0.2, (0.3, 0.05), FAILS),
    ],
)
def test_a_range_holds_the_truth_on_either_side(true, sides, verdict):
    row = run(calibration.range_check("a", "b.c", "d", len(SAID), statements(true, *sides)), 0)
    assert row["trials"] == 10
    assert row["verdict"] == verdict
