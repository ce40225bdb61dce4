"""R-hat and effective sizes against those of ArviZ, on chains of every kind."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.regression.convergence import convergence, effective_size


def chains(seed, correlation, shape):
    """Autoregressive chains; a correlation below zero mixes better than chance."""
    rng = np.random.default_rng(seed)
    drawn = rng.normal(size=shape)
    for place in range(1, shape[-1]):
        drawn[..., place] += correlation * drawn[..., place - 1]
    return drawn


def of_arviz(draws):
    from arviz_stats.base import array_stats

    axes = {"chain_axis": 1, "draw_axis": 2}
    return {
        "rhat": array_stats.rhat(draws, **axes),
        "ess_bulk": array_stats.ess(draws, method="bulk", **axes),
        "ess_tail": array_stats.ess(draws, method="tail", prob=(0.05, 0.95), **axes),
    }


def agree(draws):
    found = vars(convergence(draws))
    assert list(found) == ["rhat", "ess_bulk", "ess_tail"]
    for name, values in of_arviz(draws).items():
        np.testing.assert_allclose(found[name], values, rtol=1e-9, err_msg=name)


@pytest.mark.parametrize("correlation", [-0.9, -0.3, 0.0, 0.6, 0.95, 1.0])
@pytest.mark.parametrize("length", [400, 401])
def test_all_three_are_those_of_arviz(correlation, length):
    draws = chains(1, correlation, (5, 4, length))
    draws[1, 0] += 2.0
    draws[2] = np.round(draws[2])
    draws[3, 1] *= 4.0
    agree(draws)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 2**32 - 1),
    st.floats(-1.0, 1.0),
    st.tuples(st.integers(1, 4), st.integers(2, 5), st.integers(4, 60)),
)
def test_they_are_on_chains_of_any_number_and_length(seed, correlation, shape):
    agree(chains(seed, correlation, shape))


def test_one_that_stands_still_is_as_large_as_its_draws():
    draws = np.ones((1, 4, 100))
    assert effective_size(draws).tolist() == [400.0]
    with np.errstate(invalid="ignore"):
        assert np.isnan(convergence(draws).rhat).all()


def test_the_size_is_that_of_an_autoregressive_process():
    """Its mean's variance is (1 + r) / (1 - r) times that of independent draws."""
    sizes = effective_size(chains(3, 0.5, (200, 4, 1000)))
    assert np.median(sizes) == pytest.approx(4000 / 3, rel=0.03)


def test_too_few_draws_are_said():
    with pytest.raises(ValueError, match="3 draws a chain; R-hat needs 4"):
        convergence(np.zeros((1, 2, 3)))
