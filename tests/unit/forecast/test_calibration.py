"""Simulation-based calibration of the sampled model."""

import numpy as np
import pytest

from saturation import seeds
from saturation.forecast import full, models


def test_data_sets_come_from_the_prior_and_the_model():
    rng = np.random.default_rng(3)
    made = [full.simulated(rng) for _ in range(2000)]
    truths = np.array([truth for truth, _ in made])
    np.testing.assert_allclose(truths.mean(axis=0), models.PRIOR_MEAN, atol=0.12)
    np.testing.assert_allclose(truths.std(axis=0), models.PRIOR_SD, rtol=0.06)
    # Given the shared numbers a count has the mean rate times the months.
    rates = np.exp(truths[:, models.SHARED.index("rate")])
    counts = np.array([found.records.sum() for _, found in made])
    expected = rates * full.MONTHS * full.BENCHMARKS
    assert np.median(counts / expected) == pytest.approx(1, abs=0.06)


def test_each_simulation_ranks_every_number_among_its_own_draws(monkeypatch):
    seen = []

    def sampled(model, found, effort, seed):
        seen.append((model, found, seed))
        below = np.linspace(-9, 9, 500)
        return np.repeat(below[None, :, None], 5, axis=2), 0

    monkeypatch.setattr(full, "compiled", lambda benchmarks: f"of {benchmarks}")
    monkeypatch.setattr(full, "sampled", sampled)
    table = full.calibrated(3, seed=8)
    assert table["simulation"].tolist() == [0] * 5 + [1] * 5 + [2] * 5
    assert table["parameter"].tolist() == list(models.SHARED) * 3
    assert {model for model, *_ in seen} == {"of 30"}
    for simulation, (_, found, seed) in enumerate(seen):
        rng = seeds.generator(8, "forecast", "calibration", simulation)
        truth, expected = full.simulated(rng)
        np.testing.assert_array_equal(found.rise, expected.rise)
        assert seed == int(rng.integers(2**31))
        draws = np.linspace(-9, 9, 500)[np.linspace(0, 499, 99).astype(int)]
        ranks = table.loc[table["simulation"] == simulation, "rank"].to_numpy()
        np.testing.assert_array_equal(ranks, [(draws < one).sum() for one in truth])
