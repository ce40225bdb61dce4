"""Simulation-based calibration: uniform ranks pass, others do not."""

import numpy as np
import pandas as pd
import pytest

from saturation import seeds
from saturation.regression import calibration, gate
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort, Specification


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


def test_a_rank_counts_the_thinned_draws_below_the_truth():
    draws = np.array([np.arange(10.0), np.full(10, 2.0)])
    # Four of ten, evenly over all: places 0, 3, 6 and 9.
    assert calibration.ranks(np.array([6.0, 2.0]), draws, 4).tolist() == [2, 0]
    assert calibration.ranks(np.array([6.1, 2.1]), draws, 4).tolist() == [3, 4]
    assert calibration.ranks(np.array([-1.0, 3.0]), draws, 10).tolist() == [0, 10]


def test_the_expected_share_of_a_bin_is_its_number_of_ranks():
    """Ranks 0..9 in three bins hold 3, 4 and 3 ranks."""
    ranks = np.repeat([1, 5, 8], [3, 4, 3])
    table = pd.DataFrame({"simulation": range(10), "parameter": "p", "rank": ranks})
    assert calibration.uniformity(table, 9, bins=3)["chi_squared"].item() == pytest.approx(0)
    shifted = table.assign(rank=np.repeat([1, 5, 8], [4, 4, 2]))
    by_hand = 1 / 3 + 0 + 1 / 3
    assert calibration.uniformity(shifted, 9, bins=3)["chi_squared"].item() == pytest.approx(
        by_hand
    )


def test_every_simulation_has_its_own_stream_and_ranks_all_parameters(posterior_of):
    rng = np.random.default_rng(0)
    matrix = np.column_stack([np.ones(8), rng.normal(size=8)])
    names = np.array([f"b{i}" for i in range(8)])
    design = Design(["Intercept", "age"], matrix, np.full(8, 0.5), np.ones(8, bool), names)
    priors = Priors(intercept=0.3, coefficient=0.2, spread=20.0)
    model = Specification("benchmarks", "s_index", "beta", priors, "age")
    calls = []

    def draw(design, specification, effort, seed):
        assert specification is model
        calls.append((design, effort, seed))
        return posterior_of(design, "beta", seed, effort.draws)

    table = calibration.calibrated(
        design, model, draw, Effort(40, 10, 2), simulations=3, ranked=9, seed=5
    )
    assert table["simulation"].tolist() == [0] * 3 + [1] * 3 + [2] * 3
    assert table["parameter"].tolist() == ["Intercept", "age", "spread"] * 3
    for simulation, (made, effort, seed) in enumerate(calls):
        rng = seeds.generator(5, "regression", "calibration", simulation)
        truth, outcome = calibration.simulated(matrix, priors, rng)
        np.testing.assert_array_equal(made.outcome, outcome)
        np.testing.assert_array_equal(made.matrix, matrix)
        assert effort == Effort(40, 10, 2)
        assert seed == int(rng.integers(2**31))
        draws = gate.parameters(posterior_of(made, "beta", seed, 40))[0].reshape(3, -1)
        ranks = table.loc[table["simulation"] == simulation, "rank"].tolist()
        assert ranks == calibration.ranks(truth, draws, 9).tolist()
