"""The gate names the worst parameter of a posterior that fails."""

import numpy as np
import pytest
import xarray as xr

from saturation.errors import InputError
from saturation.regression import gate

STRICT = gate.Gate(rhat=1.01, ess=400, divergences=0)


def posterior(shift=0.0, divergences=0, draws=500):
    rng = np.random.default_rng(0)
    coefficient = rng.normal(size=(4, draws, 2))
    coefficient[0, :, 1] += shift
    diverging = np.zeros((4, draws), dtype=np.int8)
    diverging[0, :divergences] = 1
    by_draw = ("chain", "draw")
    return xr.Dataset(
        {
            "coefficient": ((*by_draw, "column"), coefficient),
            "spread": (by_draw, rng.normal(size=(4, draws))),
            "diverging": (by_draw, diverging),
        },
        {"column": np.array(["Intercept", "age"], dtype=object)},
    )


def test_a_good_posterior_passes():
    gate.check(gate.diagnostics(posterior()), STRICT, "mine")


def test_chains_that_disagree_are_named_with_their_parameter():
    found = gate.diagnostics(posterior(shift=3.0))
    with pytest.raises(InputError, match=r"'mine': rhat of 'age' is .*at most 1.01"):
        gate.check(found, STRICT, "mine")


def test_too_few_effective_draws_stop_the_run():
    found = gate.diagnostics(posterior(draws=50))
    with pytest.raises(InputError, match=r"ess_tail of .*at least 400"):
        gate.check(found, STRICT, "mine")


def test_divergences_stop_the_run():
    with pytest.raises(InputError, match="3 divergent transitions; allowed: at most 0"):
        gate.check(gate.diagnostics(posterior(divergences=3)), STRICT, "mine")
