"""The shared numbers sampled, beside Laplace's approximation, and the calibration."""

import dataclasses

import numpy as np
import pytest

from saturation import seeds
from saturation.errors import InputError
from saturation.forecast import models
from saturation.forecast.models import SHARED, Evidence
from studies.forecast import full


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(5)
    count = rng.poisson(rng.gamma(2.0, 0.15, 60) * 24)
    steps = [rng.gamma(1.2, 1 / one, n) for one, n in zip(rng.gamma(4.0, 1.25, 60), count)]
    return Evidence(
        count.astype(float),
        np.full(60, 24.0),
        np.array([one.sum() for one in steps]),
        np.array([np.log(one).sum() for one in steps]),
    )


@pytest.mark.heavy
def test_sampling_agrees_with_the_approximation(found):
    table = full.check(full.compiled(60), found, full.Effort(2, 500, 800, 1.05, 200), 1).set_index(
        "parameter"
    )
    assert list(table.index) == list(SHARED)
    distance = (table["laplace_mean"] - table["sampled_mean"]) / table["sampled_sd"]
    assert (distance.abs() < 0.35).all()
    assert table["laplace_sd"].to_numpy() == pytest.approx(table["sampled_sd"], rel=0.25)


def test_a_sampler_that_falls_short_is_named(found, monkeypatch):
    rng = np.random.default_rng(0)
    effort = full.Effort(2, 10, 100, 1.01, 50)
    for draws, divergences in (
        (rng.normal(size=(2, 100, 5)), 3),
        (rng.normal(size=(2, 100, 5)) + np.array([0, 3])[:, None, None], 0),
    ):
        monkeypatch.setattr(full, "sampled", lambda *_, one=(draws, divergences): one)
        with pytest.raises(InputError, match=f"{divergences} divergences"):
            full.check(None, found, effort, 1)
    monkeypatch.setattr(full, "sampled", lambda *_: (rng.normal(size=(2, 100, 5)), 0))
    strict = dataclasses.replace(effort, rhat=1.2, ess=10_000)
    with pytest.raises(InputError, match="sample more"):
        full.check(None, found, strict, 1)


def test_each_simulation_ranks_every_number_among_its_own_draws(monkeypatch):
    drawn, seen = np.linspace(-9, 9, 500), []
    monkeypatch.setattr(full, "compiled", lambda _: None)
    same = np.repeat(drawn[None, :, None], 5, axis=2), 0
    monkeypatch.setattr(full, "sampled", lambda _, found, *rest: seen.append(found) or same)
    table = full.calibrated(3, seed=8)
    assert table["parameter"].tolist() == list(models.SHARED) * 3
    thinned = drawn[np.linspace(0, 499, 99).astype(int)]
    for simulation, own in table.groupby("simulation"):
        rng = seeds.generator(8, "forecast", "calibration", simulation)
        truth, expected = full.simulated(rng)
        np.testing.assert_array_equal(seen[simulation].rise, expected.rise)
        assert own["rank"].tolist() == [(thinned < one).sum() for one in truth]
