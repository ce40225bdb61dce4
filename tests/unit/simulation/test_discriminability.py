"""The simulations of the discriminability study, small, and what they notice."""

import dataclasses

import numpy as np
import pytest

from saturation.discriminability import bdi, windows
from saturation.simulation import discriminability
from saturation.simulation.check import run
from saturation.statistics import entropy

CHECKS = {check.name: check for check in discriminability.CHECKS}
# Enough for what is cheap to simulate, a few for the rest.
FEW = {"interval": 1000, "change": 300, "peak": 60, "submitters": 60}


def few(check):
    return FEW[check.name.split("_")[1]]


def test_the_names_are_unique():
    assert len(CHECKS) == len(discriminability.CHECKS)


@pytest.mark.parametrize("name", CHECKS)
def test_each_check_nearly_holds_with_few_data_sets(name):
    row = run(CHECKS[name], 1, few(CHECKS[name]))
    assert row["trials"] + row["abstained"] == few(CHECKS[name])
    # The error of the simulation overlaps what is accepted.
    assert row["found_low"] <= row["upper"] + 0.01
    assert row["found_high"] >= row["lower"] - 0.01


def rejects(name, data_sets=300):
    return run(CHECKS[name], 1, data_sets)["found"]


def test_an_error_too_small_is_noticed(monkeypatch):
    whole = entropy.estimate

    def halved(*arguments):
        return whole(*arguments)._replace(standard_error=whole(*arguments).standard_error / 2)

    monkeypatch.setattr(entropy, "estimate", halved)
    assert rejects("discriminability_interval_normal_100") < 0.8
    assert rejects("discriminability_change_normal_200") > 0.2


def test_a_peak_taken_for_a_given_window_is_noticed(monkeypatch):
    from_peak = windows.from_peak

    def chosen(course, level, rng):
        highest = max(course[:-1], key=lambda window: window.value)
        return windows.from_first([highest, course[-1]], level)

    monkeypatch.setattr(windows, "from_peak", chosen)
    assert rejects("discriminability_peak_normal_12_200", 100) > 0.15
    monkeypatch.setattr(windows, "from_peak", from_peak)
    assert rejects("discriminability_peak_normal_12_200", 100) < 0.1


def test_entries_taken_for_independent_are_noticed(monkeypatch):
    counted_once = bdi.counted_once
    monkeypatch.setattr(bdi, "counted_once", lambda counts, _: counted_once(counts, None))
    assert rejects("discriminability_submitters_change_normal", 100) > 0.25
    assert rejects("discriminability_submitters_interval_normal", 100) < 0.75


def test_models_of_a_submitter_are_alike_and_keep_the_law():
    rng = np.random.default_rng(0)
    law = discriminability.LAWS["skewed"]
    drawn = [
        discriminability._clustered(rng, law, [(1,) * 400])[0] for _ in range(20)
    ]  # fmt: skip
    values = [window.value for window in drawn]
    assert np.mean(values) == pytest.approx(discriminability._index(law), abs=0.01)
    assert discriminability.heavy_tailed(4, 6) == (6, 3, 2, 2)


def test_what_abstains_is_counted_apart():
    check = dataclasses.replace(
        CHECKS["discriminability_submitters_interval_normal"],
        simulate=lambda rng, n: discriminability.covers_clustered(
            rng, n, discriminability.LAWS["normal"], (3,) * 30
        ),
    )
    row = run(check, 1, 5)
    assert (row["trials"], row["abstained"]) == (0, 5)
