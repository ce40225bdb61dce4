"""Log posterior density of every regression and its gradient, compiled once for all of them.

The models are written in PyMC (:mod:`saturation.regression.model`), and the tests hold value and
gradient to PyMC's own. This is the same arithmetic by hand: numba compiles it in seconds and keeps
it, where PyMC's program takes half a minute for each likelihood. The sampler calls the machine code
by its address, without Python in between, which took two thirds of a step.

All compiled code is in this file: numba's cache only notices changes to the file of the function
that is called. Slices are not assigned to but filled in loops: numba compiles the message of
unequal lengths for two seconds. n rows, p columns.
"""

import functools
import math
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Rows = tuple[float, float, float, float, float]

BETA, GAUSSIAN, BERNOULLI, LOGIT_NORMAL, ORDERED = range(5)
LOGIT, PROBIT, CLOGLOG = range(3)
# Family and link of each likelihood of the config.
CODES = {
    "beta": (BETA, LOGIT),
    "beta_probit": (BETA, PROBIT),
    "beta_cloglog": (BETA, CLOGLOG),
    "ordered_beta": (ORDERED, LOGIT),
    "logit_normal": (LOGIT_NORMAL, LOGIT),
    "gaussian": (GAUSSIAN, LOGIT),
    "bernoulli": (BERNOULLI, LOGIT),
}

# Priors of the ordered Beta's cut points on the predictor's scale, mean and standard deviation of a
# normal: the lower one, and the logarithm of how far above it the upper one lies. Both ends then
# have a probability of about 0.1 where the predictor is 0.
LOWER_CUT = (-2.0, 2.0)
LOG_GAP = (math.log(4.0), 1.0)
# Degrees of freedom of the horseshoe's slab; the density below is written out for 4.
SLAB_FREEDOM = 4.0

# Any: numba's types name neither.
_array: Any = vars(numba)["carray"]
_types: Any = vars(numba)["types"]

# From here on the series of Stirling and its slope, to 1/x^13, are exact in double precision.
_FAR = 10.0
_HALF_LOG_TWO_PI = 0.91893853320467274178
_LOG_TWO_OVER_PI = -0.45158270528945486473
_HALF_LOG_TWO_OVER_PI = 0.5 * _LOG_TWO_OVER_PI


@numba.njit(forceinline=True, error_model="numpy")
def _log_gamma(x: float) -> tuple[float, float]:
    """Logarithm of the gamma function at x > 0, and its slope, the digamma function.

    Both by recurrence to where their asymptotic series hold (Abramowitz and Stegun 6.1.40 and
    6.3.18); one pass gives both, which costs half of two. The sum of all 1/x is the slope of their
    product over it, which needs one division.
    """
    product, growth = 1.0, 0.0
    while x < _FAR:
        # Four factors at once, since each waits for the last: x (x + 1) (x + 2) (x + 3).
        outer = x * (x + 3.0)
        factor = outer * (outer + 2.0)
        growth = growth * factor + product * (2.0 * x + 3.0) * (2.0 * outer + 2.0)
        product *= factor
        x += 4.0
    inverse, log_x = 1.0 / x, np.log(x)
    q = inverse * inverse
    series = 1 / 1188 - q * (691 / 360360 - q / 156)
    series = 1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q * series)))
    value = (x - 0.5) * log_x - x + _HALF_LOG_TWO_PI + inverse * series - np.log(product)
    bend = 1 / 240 - q * (1 / 132 - q * (691 / 32760 - q / 12))
    slope = log_x - 0.5 * inverse - q * (1 / 12 - q * (1 / 120 - q * (1 / 252 - q * bend)))
    return value, slope - growth / product


@numba.njit(forceinline=True, error_model="numpy")
def _sigmoid(x: float) -> tuple[float, float]:
    """Logistic function of x and of -x, each to full precision."""
    tail = np.exp(-abs(x))
    near, far = 1.0 / (1.0 + tail), tail / (1.0 + tail)
    return (near, far) if x >= 0 else (far, near)


@numba.njit(forceinline=True, error_model="numpy")
def _mean(predictor: float, link: int) -> tuple[float, float, float]:
    """Mean, one minus it, and the mean's slope."""
    if link == PROBIT:
        scaled = predictor / np.sqrt(2.0)
        slope = np.exp(-scaled * scaled) / np.sqrt(2.0 * np.pi)
        return 0.5 * math.erfc(-scaled), 0.5 * math.erfc(scaled), slope
    if link == CLOGLOG:
        rate = np.exp(predictor)
        return -np.expm1(-rate), np.exp(-rate), np.exp(predictor - rate)
    mean, rest = _sigmoid(predictor)
    return mean, rest, mean * rest


@numba.njit(forceinline=True, error_model="numpy")
def _beta(
    mean: float, rest: float, precision: float, log_y: float, log_rest: float
) -> tuple[float, float, float]:
    """Beta log density without the precision's own term; slopes by mean and by precision."""
    a, b = mean * precision, rest * precision
    value_a, slope_a = _log_gamma(a)
    value_b, slope_b = _log_gamma(b)
    value = (a - 1.0) * log_y + (b - 1.0) * log_rest - value_a - value_b
    by_precision = mean * (log_y - slope_a) + rest * (log_rest - slope_b)
    return value, precision * (log_y - slope_a - log_rest + slope_b), by_precision


@numba.njit(forceinline=True, error_model="numpy")
def _normal(away: float, width: float) -> tuple[float, float, float]:
    """Normal log density of a deviation; slopes by the mean and by the logarithm of the width."""
    scaled = away / width
    value = -0.5 * scaled * scaled - np.log(width) - _HALF_LOG_TWO_PI
    return value, scaled / width, scaled * scaled - 1.0


@numba.njit(forceinline=True, error_model="numpy")
def _half_cauchy(log_x: float, scale: float) -> tuple[float, float]:
    """Log density of the logarithm of a half-Cauchy, and its slope."""
    squared = np.exp(2.0 * (log_x - np.log(scale)))
    value = _LOG_TWO_OVER_PI - np.log(scale) - np.log1p(squared) + log_x
    return value, 1.0 - 2.0 * squared / (1.0 + squared)


@numba.njit(forceinline=True, error_model="numpy")
def _row(
    predictor: float,
    outcome: tuple[float, float, float],
    shape: tuple[float, float, float],
    family: int,
    link: int,
) -> Rows:
    """Log density of a row; slopes by predictor, log width, lower cut and log gap.

    ``outcome`` holds y, log y and log(1 - y); ``shape`` the width, the lower cut and the gap. The
    Beta density lacks the term that depends on its precision alone.
    """
    y, log_y, log_rest = outcome
    width, lower, gap = shape
    if family in (GAUSSIAN, LOGIT_NORMAL):
        shift = log_y + log_rest if family == LOGIT_NORMAL else 0.0
        target = log_y - log_rest if family == LOGIT_NORMAL else y
        value, slope, by_width = _normal(target - predictor, width)
        return value - shift, slope, by_width, 0.0, 0.0
    if family == BERNOULLI:
        mean, rest = _sigmoid(predictor)
        return np.log(mean if y > 0.5 else rest), y - mean, 0.0, 0.0, 0.0
    if family == ORDERED and y <= 0.0:
        above, below = _sigmoid(predictor - lower)
        return np.log(below), -above, 0.0, above, 0.0
    if family == ORDERED and y >= 1.0:
        above, below = _sigmoid(predictor - lower - gap)
        return np.log(above), below, 0.0, -below, -gap * below
    mean, rest, bend = _mean(predictor, link)
    value, slope, by_width = _beta(mean, rest, width, log_y, log_rest)
    if family == BETA:
        return value, slope * bend, by_width * width, 0.0, 0.0
    above_lower, below_lower = _sigmoid(predictor - lower)
    above_upper, below_upper = _sigmoid(predictor - lower - gap)
    # s(u) - s(v) = s(u) s(-v) (1 - exp(v - u)) loses no digits where the cuts lie close.
    value += np.log(above_lower) + np.log(below_upper) + np.log(-np.expm1(-gap))
    by_cut = above_upper - below_lower
    by_gap = gap * (above_upper + 1.0 / np.expm1(gap))
    return value, slope * bend - by_cut, by_width * width, by_cut, by_gap


@numba.njit(forceinline=True, error_model="numpy")
def _coefficients(
    position: Array, columns: int, tail: int, intercept: float
) -> tuple[Array, Array]:
    """Coefficients under the horseshoe, and the share of each that its slab leaves.

    ``tail`` is the place of the logarithms of the global scale, the squared slab and the local
    scales, one a coefficient but the intercept.
    """
    coefficient, share = np.empty(columns), np.ones(columns)
    coefficient[0] = intercept * position[0]
    slab = np.exp(position[tail + 1])
    for column in range(1, columns):
        scale = np.exp(position[tail] + position[tail + 1 + column])
        share[column] = slab / (slab + scale * scale)
        coefficient[column] = position[column] * scale * np.sqrt(share[column])
    return coefficient, share


@numba.njit(forceinline=True, error_model="numpy")
def _scales(
    position: Array, gradient: Array, columns: int, tail: int, scales: tuple[float, ...]
) -> float:
    """Prior of the horseshoe's scales; adds its slopes."""
    value, slope = _half_cauchy(position[tail], scales[2])
    gradient[tail] += slope
    beta = 0.5 * SLAB_FREEDOM * scales[3] * scales[3]
    ratio = beta * np.exp(-position[tail + 1])
    value += float(2.0 * (np.log(beta) - position[tail + 1]) - ratio)
    gradient[tail + 1] += ratio - 2.0
    for place in range(tail + 2, tail + 1 + columns):
        local, slope = _half_cauchy(position[place], 1.0)
        value += local
        gradient[place] += slope
    return value


@numba.njit(forceinline=True, error_model="numpy")
def _shape_prior(
    position: Array, gradient: Array, columns: int, family: int, spread: float
) -> float:
    """Priors of width and cuts on the scale that is sampled; adds their slopes."""
    if family == BERNOULLI:
        return 0.0
    scaled = np.exp(position[columns]) / spread
    value = float(_HALF_LOG_TWO_OVER_PI - np.log(spread) - 0.5 * scaled * scaled)
    value += float(position[columns])
    gradient[columns] += 1.0 - scaled * scaled
    if family == ORDERED:
        for place, (centre, width) in ((1, LOWER_CUT), (2, LOG_GAP)):
            away = (position[columns + place] - centre) / width
            value += float(-0.5 * away * away - np.log(width) - _HALF_LOG_TWO_PI)
            gradient[columns + place] -= away / width
    return value


@numba.njit(forceinline=True, error_model="numpy")
def _likelihood(
    coefficient: Array,
    by_coefficient: Array,
    shape: tuple[float, float, float],
    design: tuple[Array, Array, Array],
    family: int,
    link: int,
) -> tuple[float, float, float, float]:
    """Log likelihood, and its slopes by log width, lower cut and log gap.

    Adds its slopes by the coefficients. ``design`` holds the matrix row after row and column after
    column, and y, log y and log(1 - y) of each row, all in one dimension.
    """
    by_row, by_column, outcome = design
    columns, rows = len(coefficient), len(outcome) // 3
    value, inside, by_width, by_cut, by_gap = 0.0, 0, 0.0, 0.0, 0.0
    # Column by column, so that no sum waits for its own last term: a third of the time.
    predictor = np.zeros(rows)
    for column in range(columns):
        for row in range(rows):
            predictor[row] += by_column[column * rows + row] * coefficient[column]
    for row in range(rows):
        y = outcome[3 * row]
        seen = (y, outcome[3 * row + 1], outcome[3 * row + 2])
        density, slope, width, cut, gap = _row(predictor[row], seen, shape, family, link)
        value += density
        by_width += width
        by_cut += cut
        by_gap += gap
        inside += 0.0 < y < 1.0
        for column in range(columns):
            by_coefficient[column] += slope * by_row[row * columns + column]
    if family in (BETA, ORDERED):
        own, slope = _log_gamma(shape[0])
        value += inside * own
        by_width += inside * slope * shape[0]
    return value, by_width, by_cut, by_gap


@numba.njit(forceinline=True, error_model="numpy")
def _shape(position: Array, columns: int, family: int) -> tuple[float, float, float]:
    """Width, lower cut and gap; those that the family lacks do nothing."""
    width = 1.0 if family == BERNOULLI else float(np.exp(position[columns]))
    if family == ORDERED:
        return width, float(position[columns + 1]), float(np.exp(position[columns + 2]))
    return width, 0.0, 1.0


@numba.njit(forceinline=True, error_model="numpy")
def _add_slopes(
    position: Array,
    gradient: Array,
    by_coefficient: Array,
    coefficient: Array,
    share: Array,
    tail: int,
    intercept: float,
) -> None:
    """The likelihood's slopes by what makes up the horseshoe's coefficients."""
    gradient[0] += by_coefficient[0] * intercept
    for column in range(1, len(coefficient)):
        root = np.exp(position[tail] + position[tail + 1 + column]) * np.sqrt(share[column])
        pull = by_coefficient[column] * coefficient[column]
        gradient[column] += by_coefficient[column] * root
        gradient[tail] += pull * share[column]
        gradient[tail + 1] += 0.5 * pull * (1.0 - share[column])
        gradient[tail + 1 + column] += pull * share[column]


# Of a packed model: rows, columns, family, link, whether the prior is the horseshoe, the scales.
_HEAD = 9


def packed(
    matrix: Array,
    outcome: Array,
    family: int,
    link: int,
    shrinks: Array,
    horseshoe: bool,
    scales: tuple[float, float, float, float],
) -> Array:
    """A model and its data as :func:`log_density` reads them, one number after another."""
    head = [*matrix.shape, family, link, horseshoe, *scales]
    numbers: Array = np.concatenate(
        [head, shrinks, outcome.ravel(), matrix.ravel(), matrix.T.ravel()], dtype=float
    )
    return numbers


def log_density(size: int, position: Any, gradient: Any, value: Any, model: Any) -> int:
    """Log posterior density at a position, and its gradient; compiled by :func:`compiled`.

    Returns
    -------
    int
        0, or 1 where value or gradient is no finite number: the sampler turns back there.
    """
    head = _array(model, _HEAD, np.float64)
    rows, columns, family, link = int(head[0]), int(head[1]), int(head[2]), int(head[3])
    scales = (head[5], head[6], head[7], head[8])
    first = _HEAD + columns
    second = first + 3 * rows
    third = second + rows * columns
    data = _array(model, third + rows * columns, np.float64)
    shrinks = data[_HEAD:first]
    design = (data[second:third], data[third:], data[first:second])
    at, slopes = _array(position, size), _array(gradient, size)
    for place in range(size):
        slopes[place] = 0.0
    tail = columns + (2 if family == ORDERED else 0) + (0 if family == BERNOULLI else 1)
    density = _shape_prior(at, slopes, columns, family, scales[0])
    for column in range(columns):
        density -= 0.5 * shrinks[column] * at[column] * at[column]
        slopes[column] -= shrinks[column] * at[column]
    coefficient, share, by_coefficient = at[:columns], shrinks, slopes[:columns]
    if head[4] > 0.0:
        coefficient, share = _coefficients(at, columns, tail, scales[1])
        by_coefficient = np.zeros(columns)
        density += _scales(at, slopes, columns, tail, scales)
    fit, by_width, by_cut, by_gap = _likelihood(
        coefficient, by_coefficient, _shape(at, columns, family), design, family, link
    )
    by_shape = (by_width, by_cut, by_gap)
    for place in range(tail - columns):
        slopes[columns + place] += by_shape[place]
    if head[4] > 0.0:
        _add_slopes(at, slopes, by_coefficient, coefficient, share, tail, scales[1])
    _array(value, 1)[0] = density + fit
    finite = np.isfinite(density + fit)
    for place in range(size):
        finite &= np.isfinite(slopes[place])
    return 0 if finite else 1


def expanded(size: int, _expanded: int, position: Any, kept: Any, _model: Any) -> int:
    """What is kept of a position: all of it, as it is."""
    source, target = _array(position, size), _array(kept, size)
    for place in range(size):
        target[place] = source[place]
    return 0


@functools.cache
def compiled() -> tuple[Any, Any]:
    """:func:`log_density` and :func:`expanded` with the addresses at which C finds them."""
    size, numbers = _types.uint64, _types.CPointer(_types.float64)
    given, code = _types.voidptr, _types.int64
    return (
        numba.cfunc(code(size, numbers, numbers, numbers, given), cache=True, error_model="numpy")(
            log_density
        ),
        numba.cfunc(code(size, size, numbers, numbers, given), cache=True)(expanded),
    )
