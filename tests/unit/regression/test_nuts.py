"""The sampler on a density of which everything is known, and what it does not load."""

import subprocess
import sys
from functools import cache, partial

import numba
import numpy as np
import pytest

from saturation.errors import InputError
from saturation.regression import kernel, nuts
from saturation.regression.specification import Effort

SCALES = np.array([0.5, 1.0, 3.0])


def density(position):
    return float(-0.5 * np.sum((position / SCALES) ** 2)), -position / SCALES**2


@cache
def compiled():
    """The same as a C callback, the scales as its data."""
    size, numbers = numba.types.uint64, numba.types.CPointer(numba.types.float64)

    @numba.cfunc(numba.types.int64(size, numbers, numbers, numbers, numba.types.voidptr))
    def normal(size, position, gradient, value, model):
        scales = numba.carray(model, size, np.float64)
        numba.carray(value, 1)[0] = 0.0
        for place in range(size):
            scaled = position[place] / scales[place]
            value[0] -= 0.5 * scaled * scaled
            gradient[place] = -scaled / scales[place]
        return 0

    return normal, kernel.compiled()[1]


def sampled(effort, seed):
    return nuts.sampled(compiled(), SCALES.copy(), 3, effort, accepted=0.8, seed=seed)


def test_a_normal_distribution_is_drawn_the_same_each_time():
    effort = Effort(draws=600, tune=200, chains=2)
    positions, statistics = sampled(effort, 11)
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
    again, _ = sampled(effort, 11)
    np.testing.assert_array_equal(positions, again)


def test_what_is_kept_is_what_nutpie_itself_hands_out_for_the_density_in_python():
    """The address is called as nutpie's documented way calls a function, from the same starts."""
    import nutpie
    from nutpie.compiled_pyfunc import from_pyfunc

    positions, statistics = sampled(Effort(50, 100, 2), 3)
    model = from_pyfunc(
        3, lambda: density, lambda *_: lambda position: {"position": position.copy()},
        [np.dtype(float)], [(3,)], ["position"], make_initial_point_fn=partial(nuts.started, 3),
    )  # fmt: skip
    trace = nutpie.sample(
        model, draws=50, tune=100, chains=2, cores=1, seed=3, target_accept=0.8,
        save_warmup=False, progress_bar=False,
    )  # fmt: skip
    # The sums are taken in another order, in Python two at a time.
    np.testing.assert_allclose(positions, trace.posterior["position"], rtol=1e-6, atol=1e-8)
    for name, values in statistics.items():
        np.testing.assert_allclose(values, trace.sample_stats[name], rtol=1e-6)
        assert values.dtype == trace.sample_stats[name].dtype


def test_a_chain_starts_where_a_density_in_python_would():
    drawn = np.concatenate([nuts.started(1000, seed) for seed in (1, 2**64 - 1)])
    assert np.abs(drawn).max() < 2
    # The largest distance of a uniform sample's distribution: 1.63 / sqrt(n) in one of a hundred.
    shares = np.sort((drawn + 2) / 4)
    assert np.abs(shares - np.arange(2000) / 2000).max() < 1.63 / np.sqrt(2000)


def test_another_nutpie_is_met_with_a_sentence(monkeypatch):
    import nutpie
    import nutpie.compile_pymc

    monkeypatch.setattr(nutpie, "__version__", "9.9")
    for changed in (lambda *, dims: None, None):
        if changed is None:
            monkeypatch.delattr(nutpie.compile_pymc, "CompiledPyMCModel")
        else:
            monkeypatch.setattr(nutpie.compile_pymc, "CompiledPyMCModel", changed)
        with pytest.raises(InputError, match=r"nutpie 9\.9 takes .* install the versions of envs"):
            sampled(Effort(5, 5, 1), 1)


def test_arviz_is_loaded_only_by_who_uses_it():
    code = """
import sys
import numpy as np
from saturation.regression import kernel, nuts
from saturation.regression.specification import Effort
outcome = np.array([[0.3, np.log(0.3), np.log(0.7)]])
model = kernel.packed(np.ones((1, 1)), outcome, 0, 0, np.ones(1), False, (1.0, 1.0, 1.0, 1.0))
nuts.sampled(kernel.compiled(), model, 2, Effort(5, 5, 1), accepted=0.8, seed=1)
assert not any(name.split(".")[0] == "arviz" for name in sys.modules)
theirs = sys.modules["nutpie.sample"].arviz.from_dict
import arviz
assert theirs is arviz.from_dict
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
