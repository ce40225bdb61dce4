"""The compiled density against PyMC's own, at random points of every likelihood and prior."""

import ctypes

import numba
import numpy as np
import pytest
from scipy import special

from saturation.regression import kernel

SCALES = (3.0, 1.5, 0.2, 1.7)


def data(likelihood, rows=25, columns=4):
    """A design, and an outcome that the likelihood can give."""
    rng = np.random.default_rng(5)
    matrix = np.column_stack([np.ones(rows), rng.normal(size=(rows, columns - 1))])
    outcome = rng.beta(0.7, 0.9, rows)
    if likelihood == "bernoulli":
        outcome = (outcome > 0.5).astype(float)
    elif likelihood == "gaussian":
        outcome = rng.normal(size=rows)
    elif likelihood == "ordered_beta":
        outcome[:3], outcome[3:5] = 0.0, 1.0
    return matrix, outcome


def logs(outcome):
    inside = (outcome > 0) & (outcome < 1)
    held = np.where(inside, outcome, 0.5)
    return np.column_stack([outcome, np.log(held), np.log1p(-held)])


def value_and_gradient(position, matrix, outcome, likelihood, shrinks, horseshoe):
    model = matrix, logs(outcome), *kernel.CODES[likelihood], shrinks, horseshoe, SCALES
    code, value, gradient = answered(position, kernel.packed(*model))
    assert code == 0
    return value, gradient


def answered(position, model):
    """Return code, value and gradient, as the sampler gets them."""
    # Without compiling, where coverage is counted, the same function as plain Python.
    call = kernel.log_density if numba.config.DISABLE_JIT else kernel.compiled()[0].ctypes
    value, gradient = np.full(1, np.nan), np.full(len(position), np.nan)
    code = call(len(position), *map(pointer, (position, gradient, value)), address(model))
    return code, value[0], gradient


def pointer(values):
    return values.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


def address(values):
    return ctypes.c_void_p(values.ctypes.data)


def size(likelihood, columns, horseshoe):
    shape = {"bernoulli": 0, "ordered_beta": 3}.get(likelihood, 1)
    return columns + shape + (columns + 1) * horseshoe


@pytest.mark.parametrize("horseshoe", [False, True])
@pytest.mark.parametrize("likelihood", kernel.CODES)
def test_value_and_gradient_are_those_of_pymc(likelihood, horseshoe):
    import pytensor

    from saturation.regression.model import model

    matrix, outcome = data(likelihood)
    shrinks = np.array([1.0, 1.0, 1.0, 1.0 if horseshoe else 0.0])
    built = model(
        matrix, outcome, likelihood, shrinks=shrinks, spread=SCALES[0],
        horseshoe=SCALES[1:] if horseshoe else None,
    )  # fmt: skip
    with pytensor.config.change_flags(cxx="", mode="FAST_COMPILE"):
        theirs = built.logp_dlogp_function(ravel_inputs=True)
    theirs.set_extra_values({})
    rng = np.random.default_rng(6)
    positions = rng.normal(size=(20, size(likelihood, 4, horseshoe)))
    ours = [
        value_and_gradient(position, matrix, outcome, likelihood, shrinks, horseshoe)
        for position in positions
    ]
    expected = [theirs(position) for position in positions]
    # PyMC rounds constants such as sqrt(2 / pi) to single precision: the same at every position.
    values, rightly = (np.array([float(pair[0]) for pair in pairs]) for pairs in (ours, expected))
    np.testing.assert_allclose(values - values[0], rightly - rightly[0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(values, rightly, rtol=1e-6)
    for (_, gradient), (_, slope) in zip(ours, expected):
        np.testing.assert_allclose(gradient, slope, rtol=1e-10, atol=1e-10 * np.abs(slope).max())


@pytest.mark.parametrize("place", [0, 3, 4, 5, 6, 7, 8, 9, 11])
def test_the_gradient_is_the_slope_of_the_value(place):
    """The ordered Beta under a horseshoe has every kind of parameter."""
    matrix, outcome = data("ordered_beta")
    rng = np.random.default_rng(7)
    position = rng.normal(size=size("ordered_beta", 4, True))

    def value(x):
        moved = position.copy()
        moved[place] = x
        return value_and_gradient(moved, matrix, outcome, "ordered_beta", np.ones(4), True)[0]

    _, gradient = value_and_gradient(position, matrix, outcome, "ordered_beta", np.ones(4), True)
    step = 1e-5
    slope = (value(position[place] + step) - value(position[place] - step)) / (2 * step)
    assert gradient[place] == pytest.approx(slope, rel=1e-6, abs=1e-6)


def test_the_density_far_out_is_a_number():
    """Where a mean is 1 to double precision the other shape is tiny, not zero."""
    matrix, outcome = data("beta")
    for predictor in (-300.0, 300.0):
        position = np.array([predictor, 0.0, 0.0, 0.0, 0.5])
        value, gradient = value_and_gradient(position, matrix, outcome, "beta", np.ones(4), False)
        assert np.isfinite(value)
        assert np.isfinite(gradient).all()


def test_the_gamma_function_and_its_slope_are_those_of_scipy():
    position, matrix = np.zeros(2), np.ones((1, 1))
    for precision in np.exp(np.linspace(-18, 9, 300)):
        position[1] = np.log(precision)
        value, gradient = value_and_gradient(
            position, matrix, np.array([0.3]), "beta", np.ones(1), False
        )
        half = precision / 2
        prior = np.log(np.sqrt(2 / np.pi) / 3) - precision**2 / 18 + np.log(precision)
        expected = prior - special.betaln(half, half) + (half - 1) * (np.log(0.3) + np.log1p(-0.3))
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-12)
        slope = precision * (special.psi(precision) - special.psi(half) + np.log(0.3 * 0.7) / 2)
        assert gradient[1] == pytest.approx(slope + 1 - precision**2 / 9, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize(
    "position",
    [
        [0.0, 0.0, 0.0, 0.0, 800.0],
        [np.nan, 0.0, 0.0, 0.0, 0.0],
        # Nothing overflows in the density, but in its slopes by the coefficients.
        [0.0, 0.0, 0.0, 0.0, -352.5],
    ],
)
def test_the_sampler_is_told_where_there_is_no_density(position):
    matrix, outcome = data("gaussian")
    model = 1e4 * matrix, logs(outcome), *kernel.CODES["gaussian"], np.zeros(4), False, SCALES
    # Plain Python warns where compiled code does not.
    with np.errstate(all="ignore"):
        code, value, gradient = answered(np.array(position), kernel.packed(*model))
    assert code > 0
    assert not np.isfinite([value, *gradient]).all()
    assert np.isfinite(value) == (position[4] < 0)


def test_all_of_a_position_is_kept():
    position, kept = np.arange(5.0), np.full(5, np.nan)
    call = kernel.expanded if numba.config.DISABLE_JIT else kernel.compiled()[1].ctypes
    assert call(5, 5, pointer(position), pointer(kept), address(np.zeros(1))) == 0
    np.testing.assert_array_equal(kept, position)
