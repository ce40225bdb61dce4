"""Simulation-based calibration of the regression's sampler."""

import numpy as np

from saturation import seeds
from saturation.regression import calibration, gate
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort, Specification
from saturation.statistics import simulation_ranks


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
        assert ranks == simulation_ranks.ranks(truth, draws, 9).tolist()
