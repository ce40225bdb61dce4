import numpy as np
import pytest

from saturation.simulation.check import FAILS, HOLDS, Check, Outcome, run


def check(simulate, **changes):
    return Check(
        **{
            "name": "coin",
            "estimator": "a.coin",
            "statement": "heads",
            "scenario": "fair",
            "stated": 0.5,
            "lower": 0.45,
            "upper": 0.55,
            "data_sets": 4000,
            "simulate": simulate,
        }
        | changes
    )


def tosses(share):
    return lambda rng, count: Outcome(int((rng.random(count) < share).sum()), count)


@pytest.mark.parametrize(("share", "verdict"), [(0.5, HOLDS), (0.35, FAILS), (0.65, FAILS)])
def test_bounds_hold_on_both_sides(share, verdict):
    assert run(check(tosses(share)), seed=1)["verdict"] == verdict


@pytest.mark.parametrize("hits", [45, 55])
def test_the_bounds_themselves_are_accepted(hits):
    row = run(check(lambda rng, count: Outcome(hits, 100)), seed=1)
    assert (row["found"], row["verdict"]) == (hits / 100, HOLDS)
    assert row["found_low"] < hits / 100 < row["found_high"]


def test_without_a_statement_nothing_holds():
    row = run(check(lambda rng, count: Outcome(0, 0, abstained=count)), seed=1)
    assert (row["verdict"], row["abstained"]) == (FAILS, 4000)
    assert np.isnan(row["found"])


def test_what_was_said_replaces_what_is_stated():
    row = run(check(lambda rng, count: Outcome(5, 10, stated=0.48)), seed=1)
    assert row["stated"] == 0.48


def test_the_seed_is_the_checks_own():
    first, again = (run(check(tosses(0.5)), seed=1)["found"] for _ in range(2))
    assert first == again
    assert run(check(tosses(0.5), name="other"), seed=1)["found"] != first
    assert run(check(tosses(0.5)), seed=1, data_sets=10)["trials"] == 10
