"""Log posterior density of every regression and its gradient, compiled once for all of them.

The models are written in PyMC (:mod:`saturation.regression.model`), and the tests hold value and
gradient to PyMC's own. This is the same arithmetic by hand: numba compiles it in seconds and keeps
it, where PyMC's program takes half a minute for each likelihood.

All compiled code is in this file: numba's cache only notices changes to the file of the function
that is called. n rows, p columns.
"""

import math

import numba
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
BothWays = tuple[Array, Array]
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

# From here on the series of Stirling and its slope, to 1/x^13, are exact in double precision.
_FAR = 10.0
_HALF_LOG_TWO_PI = 0.91893853320467274178
_LOG_TWO_OVER_PI = -0.45158270528945486473
_HALF_LOG_TWO_OVER_PI = 0.5 * _LOG_TWO_OVER_PI


@numba.njit(inline="always", error_model="numpy")
def _log_gamma(x: float) -> tuple[float, float]:
    """Logarithm of the gamma function at x > 0, and its slope, the digamma function.

    Both by recurrence to where their asymptotic series hold (Abramowitz and Stegun 6.1.40 and
    6.3.18); one pass gives both, which costs half of two.
    """
    product, slope = 1.0, 0.0
    while x < _FAR:
        product *= x
        slope -= 1.0 / x
        x += 1.0
    inverse, log_x = 1.0 / x, np.log(x)
    q = inverse * inverse
    series = 1 / 1188 - q * (691 / 360360 - q / 156)
    series = 1 / 12 - q * (1 / 360 - q * (1 / 1260 - q * (1 / 1680 - q * series)))
    value = (x - 0.5) * log_x - x + _HALF_LOG_TWO_PI + inverse * series - np.log(product)
    bend = 1 / 240 - q * (1 / 132 - q * (691 / 32760 - q / 12))
    slope += log_x - 0.5 * inverse - q * (1 / 12 - q * (1 / 120 - q * (1 / 252 - q * bend)))
    return value, slope


@numba.njit(inline="always", error_model="numpy")
def _sigmoid(x: float) -> tuple[float, float]:
    """Logistic function of x and of -x, each to full precision."""
    tail = np.exp(-abs(x))
    near, far = 1.0 / (1.0 + tail), tail / (1.0 + tail)
    return (near, far) if x >= 0 else (far, near)


@numba.njit(inline="always", error_model="numpy")
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


@numba.njit(inline="always", error_model="numpy")
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


@numba.njit(inline="always", error_model="numpy")
def _normal(away: float, width: float) -> tuple[float, float, float]:
    """Normal log density of a deviation; slopes by the mean and by the logarithm of the width."""
    scaled = away / width
    value = -0.5 * scaled * scaled - np.log(width) - _HALF_LOG_TWO_PI
    return value, scaled / width, scaled * scaled - 1.0


@numba.njit(inline="always", error_model="numpy")
def _half_cauchy(log_x: float, scale: float) -> tuple[float, float]:
    """Log density of the logarithm of a half-Cauchy, and its slope."""
    squared = np.exp(2.0 * (log_x - np.log(scale)))
    value = _LOG_TWO_OVER_PI - np.log(scale) - np.log1p(squared) + log_x
    return value, 1.0 - 2.0 * squared / (1.0 + squared)


@numba.njit(inline="always", error_model="numpy")
def _row(
    predictor: float, outcome: Array, shape: tuple[float, float, float], family: int, link: int
) -> Rows:
    """Log density of a row; slopes by predictor, log width, lower cut and log gap.

    ``outcome`` holds y, log y and log(1 - y); ``shape`` the width, the lower cut and the gap. The
    Beta density lacks the term that depends on its precision alone.
    """
    width, lower, gap = shape
    if family in (GAUSSIAN, LOGIT_NORMAL):
        shift = outcome[1] + outcome[2] if family == LOGIT_NORMAL else 0.0
        target = outcome[1] - outcome[2] if family == LOGIT_NORMAL else outcome[0]
        value, slope, by_width = _normal(target - predictor, width)
        return value - shift, slope, by_width, 0.0, 0.0
    if family == BERNOULLI:
        mean, rest = _sigmoid(predictor)
        right = mean if outcome[0] > 0.5 else rest
        return np.log(right), outcome[0] - mean, 0.0, 0.0, 0.0
    if family == BETA:
        mean, rest, bend = _mean(predictor, link)
        value, slope, by_width = _beta(mean, rest, width, outcome[1], outcome[2])
        return value, slope * bend, by_width * width, 0.0, 0.0
    above_lower, below_lower = _sigmoid(predictor - lower)
    above_upper, below_upper = _sigmoid(predictor - lower - gap)
    if outcome[0] <= 0.0:
        return np.log(below_lower), -above_lower, 0.0, above_lower, 0.0
    if outcome[0] >= 1.0:
        return np.log(above_upper), below_upper, 0.0, -below_upper, -gap * below_upper
    mean, rest, bend = _mean(predictor, LOGIT)
    value, slope, by_width = _beta(mean, rest, width, outcome[1], outcome[2])
    # s(u) - s(v) = s(u) s(-v) (1 - exp(v - u)) loses no digits where the cuts lie close.
    value += np.log(above_lower) + np.log(below_upper) + np.log(-np.expm1(-gap))
    by_cut = above_upper - below_lower
    by_gap = gap * (above_upper + 1.0 / np.expm1(gap))
    return value, slope * bend - by_cut, by_width * width, by_cut, by_gap


@numba.njit(inline="always", error_model="numpy")
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


@numba.njit(inline="always", error_model="numpy")
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


@numba.njit(inline="always", error_model="numpy")
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


@numba.njit(inline="always", error_model="numpy")
def _likelihood(
    coefficient: Array,
    shape: tuple[float, float, float],
    matrix: BothWays,
    outcome: Array,
    family: int,
    link: int,
) -> tuple[float, Array, Array]:
    """Log likelihood; slopes by coefficient, and by log width, lower cut and log gap."""
    rows, transposed = matrix
    value, inside = 0.0, 0
    by_coefficient, by_shape = np.zeros(len(coefficient)), np.zeros(3)
    # Column by column, so that no sum waits for its own last term: a third of the time.
    predictor = np.zeros(len(rows))
    for column in range(len(coefficient)):
        for row in range(len(rows)):
            predictor[row] += transposed[column, row] * coefficient[column]
    for row in range(len(rows)):
        density, slope, width, cut, gap = _row(predictor[row], outcome[row], shape, family, link)
        value += density
        by_shape[0] += width
        by_shape[1] += cut
        by_shape[2] += gap
        inside += 0.0 < outcome[row, 0] < 1.0
        for column in range(len(coefficient)):
            by_coefficient[column] += slope * rows[row, column]
    if family in (BETA, ORDERED):
        own, slope = _log_gamma(shape[0])
        value += inside * own
        by_shape[0] += inside * slope * shape[0]
    return value, by_coefficient, by_shape


@numba.njit(inline="always", error_model="numpy")
def _shape(position: Array, columns: int, family: int) -> tuple[float, float, float]:
    """Width, lower cut and gap; those that the family lacks do nothing."""
    width = 1.0 if family == BERNOULLI else float(np.exp(position[columns]))
    if family == ORDERED:
        return width, float(position[columns + 1]), float(np.exp(position[columns + 2]))
    return width, 0.0, 1.0


@numba.njit(inline="always", error_model="numpy")
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


def both_ways(matrix: Array) -> BothWays:
    """A design as :func:`log_density` takes it: row after row, and column after column.

    Parameters
    ----------
    matrix
        Shape (n, p).
    """
    return np.ascontiguousarray(matrix), np.ascontiguousarray(matrix.T)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def log_density(
    position: Array,
    matrix: BothWays,
    outcome: Array,
    family: int,
    link: int,
    shrinks: Array,
    horseshoe: bool,
    scales: tuple[float, float, float, float],
) -> tuple[float, Array]:
    """Log posterior density at a position, and its gradient.

    Parameters
    ----------
    position
        The p coefficients in the directions of the matrix (standard normal factors of them under
        the horseshoe), the logarithm of the spread unless the family is Bernoulli, the lower cut
        and the logarithm of the gap between the cuts of the ordered Beta, the logarithms of the
        horseshoe's global scale, squared slab and p - 1 local scales.
    matrix
        The design, see :func:`both_ways`.
    outcome
        y, log y and log(1 - y), shape (n, 3).
    family, link
        Codes of this module.
    shrinks
        Shape (p,): 1 gives a coefficient a standard normal prior, 0 a flat one.
    horseshoe
        Whether the prior is the regularised horseshoe.
    scales
        Of the priors: the spread, and the horseshoe's intercept, global scale and slab.
    """
    columns = matrix[0].shape[1]
    cuts = 2 if family == ORDERED else 0
    tail = columns + cuts + (0 if family == BERNOULLI else 1)
    gradient = np.zeros(len(position))
    value = _shape_prior(position, gradient, columns, family, scales[0])
    for column in range(columns):
        value -= 0.5 * shrinks[column] * position[column] * position[column]
        gradient[column] -= shrinks[column] * position[column]
    coefficient, share = position[:columns], shrinks
    if horseshoe:
        coefficient, share = _coefficients(position, columns, tail, scales[1])
        value += _scales(position, gradient, columns, tail, scales)
    fit, by_coefficient, by_shape = _likelihood(
        coefficient, _shape(position, columns, family), matrix, outcome, family, link
    )
    for place in range(tail - columns):
        gradient[columns + place] += by_shape[place]
    if not horseshoe:
        gradient[:columns] += by_coefficient
        return value + fit, gradient
    _add_slopes(position, gradient, by_coefficient, coefficient, share, tail, scales[1])
    return value + fit, gradient
