"""Simulation-based calibration: uniform ranks pass, others do not."""

import numpy as np
import pandas as pd
import pytest

from saturation.regression import calibration
from saturation.regression.priors import Priors


def ranks_table(sampler_sd, simulations=300, draws=99, seed=0):
    """Ranks of a normal mean under its exact posterior, or one that is too narrow or too wide."""
    rng = np.random.default_rng(seed)
    rows = []
    for simulation in range(simulations):
        truth = rng.normal()
        observed = truth + rng.normal()
        posterior = rng.normal(observed / 2, sampler_sd * np.sqrt(0.5), size=(1, draws))
        rank = calibration.ranks(np.array([truth]), posterior, draws)[0]
        rows.append({"simulation": simulation, "parameter": "mean", "rank": rank})
    return pd.DataFrame(rows)


def test_an_exact_sampler_has_uniform_ranks():
    assert calibration.uniformity(ranks_table(1.0), 99)["p_holm"].item() > 0.05


@pytest.mark.parametrize("sampler_sd", [0.6, 1.6])
def test_a_sampler_that_is_too_narrow_or_too_wide_is_found(sampler_sd):
    assert calibration.uniformity(ranks_table(sampler_sd), 99)["p_holm"].item() < 0.001


def test_simulated_data_come_from_the_prior_and_stay_off_the_edges():
    rng = np.random.default_rng(1)
    matrix = np.column_stack([np.ones(30), rng.normal(size=30)])
    narrow = Priors(intercept=0.3, coefficient=0.2, spread=20.0)  # hardly a pair is drawn again
    truths, outcomes = zip(*(calibration.simulated(matrix, narrow, rng) for _ in range(500)))
    np.testing.assert_allclose(np.std(truths, axis=0)[:2], [0.3, 0.2], rtol=0.12)
    wide = Priors(intercept=3.0, coefficient=3.0, spread=20.0)
    outcomes += tuple(calibration.simulated(matrix, wide, rng)[1] for _ in range(50))
    assert np.min(outcomes) >= calibration.EDGE
    assert np.max(outcomes) <= 1 - calibration.EDGE
    assert (np.array(truths)[:, 2] > 0).all()


def test_holm_adjusted_values_rise_with_the_raw_ones():
    table = pd.concat(
        [ranks_table(1.0, seed=s).assign(parameter=f"p{s}") for s in range(4)], ignore_index=True
    )
    result = calibration.uniformity(table, 99).sort_values("p")
    assert result["p_holm"].is_monotonic_increasing
    assert (result["p_holm"] >= result["p"]).all()
