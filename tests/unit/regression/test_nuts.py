"""The sampler on a density of which everything is known, and what it does not load."""

import subprocess
import sys

import numpy as np

from saturation.regression import nuts
from saturation.regression.specification import Effort

SCALES = np.array([0.5, 1.0, 3.0])


def density(position):
    return float(-0.5 * np.sum((position / SCALES) ** 2)), -position / SCALES**2


def test_a_normal_distribution_is_drawn_the_same_each_time():
    effort = Effort(draws=600, tune=200, chains=2)
    positions, statistics = nuts.sampled(density, 3, effort, 0.8, 11)
    assert positions.shape == (2, 600, 3)
    assert set(statistics) == set(nuts.STATISTICS)
    assert {values.shape for values in statistics.values()} == {(2, 600)}
    drawn = positions.reshape(-1, 3)
    # Six standard errors of 400 effective draws.
    np.testing.assert_allclose(drawn.mean(axis=0) / SCALES, 0, atol=0.3)
    np.testing.assert_allclose(drawn.std(axis=0) / SCALES, 1, atol=0.22)
    values = [[density(position)[0] for position in chain] for chain in positions]
    np.testing.assert_allclose(statistics["logp"], values)
    assert not statistics["diverging"].any()
    again, _ = nuts.sampled(density, 3, effort, 0.8, 11)
    np.testing.assert_array_equal(positions, again)


def test_what_is_kept_is_what_nutpie_itself_hands_out():
    import nutpie
    from nutpie.compiled_pyfunc import from_pyfunc

    positions, statistics = nuts.sampled(density, 3, Effort(50, 100, 2), 0.8, 3)
    model = from_pyfunc(
        3, lambda: density, lambda *_: lambda position: {"position": position.copy()},
        [np.dtype(float)], [(3,)], ["position"],
    )  # fmt: skip
    trace = nutpie.sample(
        model, draws=50, tune=100, chains=2, cores=1, seed=3, target_accept=0.8,
        save_warmup=False, progress_bar=False,
    )  # fmt: skip
    np.testing.assert_array_equal(positions, trace.posterior["position"])
    for name, values in statistics.items():
        np.testing.assert_array_equal(values, trace.sample_stats[name])
        assert values.dtype == trace.sample_stats[name].dtype


def test_arviz_is_loaded_only_by_who_uses_it():
    code = """
import sys
import numpy as np
from saturation.regression import nuts
from saturation.regression.specification import Effort
nuts.sampled(lambda x: (-0.5 * float(x @ x), -x), 2, Effort(5, 5, 1), 0.8, 1)
assert not any(name.split(".")[0] == "arviz" for name in sys.modules)
theirs = sys.modules["nutpie.sample"].arviz.from_dict
import arviz
assert theirs is arviz.from_dict
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
