"""The plateau study's checks run, and fail where what they check is broken."""

import numpy as np
import pytest

from saturation.plateau import controls
from saturation.simulation import plateau
from saturation.simulation.check import FAILS, run
from saturation.statistics import resampling
from saturation.statistics.top_gap import Counts


@pytest.mark.parametrize("check", plateau.CHECKS, ids=lambda check: check.name)
def test_every_check_runs_on_a_few_data_sets(check):
    row = run(check, seed=1, data_sets=4)
    assert row["trials"] + row["abstained"] == 4
    assert 0 <= row["found"] <= 1
    assert check.lower < check.stated < check.upper


def test_the_names_are_unique():
    names = [check.name for check in plateau.CHECKS]
    assert len(set(names)) == len(names)


# What each takes the place of: an index without n, a p-value of nothing, ends and sums at random.
BREAKS = {
    "plateau_dealt_n_16": (controls, "saturation_index", lambda s_1, s_k, n, *rest: s_1 + 0 * n),
    "plateau_permutation_16_age": (resampling, "p_value", lambda observed, null: 0.01),
    "plateau_bootstrap_6_alike": (resampling, "_quantiles", lambda *given: np.array([[-1.0], [1]])),
    "plateau_bootstrap_rank_3_given": (resampling, "_ranker", lambda values: lambda counts: counts),
    "plateau_equal_top_20_2000": (Counts, "within", lambda *given: np.full((2, 1), 0.99)),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_estimator_fails_its_check(name, monkeypatch):
    (check,) = [check for check in plateau.CHECKS if check.name == name]
    monkeypatch.setattr(*BREAKS[name])
    assert run(check, seed=1, data_sets=60)["verdict"] == FAILS
