"""Have the chains mixed: R-hat and effective sample sizes of all parameters at once.

Those of Vehtari et al. (2021), as ArviZ takes them, to whose numbers the tests hold them. ArviZ
goes parameter by parameter, and loading it takes as long as all that is done here.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from saturation.statistics.correlation import ranks

Array = NDArray[np.float64]

# The quantiles whose indicators are the tails.
TAILS = (0.05, 0.95)
# Fewer draws a chain have no halves that vary.
LEAST_DRAWS = 4


@dataclass(frozen=True)
class Convergence:
    """What the chains of each parameter show, shape (parameter,) each.

    Attributes
    ----------
    rhat
        Rank-normalised split R-hat, the larger one of the draws and of their distances from the
        median.
    ess_bulk
        Effective sample size of the rank-normalised draws.
    ess_tail
        The smaller one of those of the indicators of the 5 % and the 95 % quantile.
    """

    rhat: Array
    ess_bulk: Array
    ess_tail: Array


def convergence(draws: Array) -> Convergence:
    """R-hat and effective sample sizes of every parameter."""
    if draws.shape[-1] < LEAST_DRAWS:
        raise ValueError(f"{draws.shape[-1]} draws a chain; R-hat needs {LEAST_DRAWS}")
    split = _halves(draws)
    normal = _normal_scores(split)
    far = np.abs(split - np.median(split, axis=(1, 2), keepdims=True))
    cuts = np.quantile(draws, TAILS, axis=(1, 2), keepdims=True)
    tails = [effective_size(_halves((draws <= cut).astype(float))) for cut in cuts]
    return Convergence(
        np.maximum(_rhat(normal), _rhat(_normal_scores(far))),
        effective_size(normal),
        np.minimum(*tails),
    )


def effective_size(draws: Array) -> Array:
    """Effective sample size of each parameter's mean (Geyer's initial monotone sequence).

    Returns
    -------
    numpy.ndarray
        Shape (parameter,); the number of draws where they are all the same, at most that number
        times its decimal logarithm.
    """
    _, chains, length = draws.shape
    total = chains * length
    covariance = _autocovariance(draws)
    within = covariance[:, :1] * length / (length - 1)
    pooled = covariance[:, :1] + draws.mean(axis=2).var(axis=1, ddof=1, keepdims=True)
    same = np.ptp(draws, axis=(1, 2)) < np.finfo(float).resolution
    pooled[same] = 1.0
    correlation = 1.0 - (within - covariance) / pooled
    correlation[:, 0] = 1.0
    # The last pair of lags that is looked at is the first one whose sum is not positive.
    pairs = correlation[:, : 2 * max((length - 1) // 2, 1)].reshape(len(draws), -1, 2)
    sums = pairs.sum(axis=2)
    ended = sums <= 0
    ended[:, -1] = True
    last = ended.argmax(axis=1)
    before = np.arange(sums.shape[1]) < last[:, None]
    monotone = np.where(before, np.minimum.accumulate(sums, axis=1), 0.0).sum(axis=1)
    final = np.maximum(pairs[np.arange(len(draws)), last, 0], 0.0)
    sizes: Array = total / np.maximum(-1.0 + 2.0 * monotone + final, 1.0 / np.log10(total))
    return np.where(same, float(total), sizes)


def _autocovariance(draws: Array) -> Array:
    """Mean over chains of the autocovariance at every lag, shape (parameter, draw)."""
    length = draws.shape[-1]
    padded = scipy.fft.next_fast_len(2 * length, real=True)
    spectrum = scipy.fft.rfft(draws - draws.mean(axis=2, keepdims=True), n=padded)
    # One transform back instead of one for each chain: the mean of the chains' spectra.
    power = (spectrum.real**2 + spectrum.imag**2).mean(axis=1)
    covariance: Array = scipy.fft.irfft(power, n=padded)[:, :length] / length
    return covariance


def _halves(draws: Array) -> Array:
    """Each chain's halves as chains; the middle draw of an odd number leaves."""
    half = draws.shape[-1] // 2
    return np.concatenate([draws[..., :half], draws[..., -half:]], axis=1)


def _normal_scores(draws: Array) -> Array:
    """Normal quantiles of each parameter's ranks over all chains (Blom 1958)."""
    count = draws.shape[1] * draws.shape[2]
    ranked = ranks(draws.reshape(len(draws), count))
    scores: Array = scipy.special.ndtri((ranked - 3 / 8) / (count + 1 / 4))
    return scores.reshape(draws.shape)


def _rhat(draws: Array) -> Array:
    length = draws.shape[-1]
    between = draws.mean(axis=2).var(axis=1, ddof=1)
    within = draws.var(axis=2, ddof=1).mean(axis=1)
    ratio: Array = np.sqrt(between / within + (length - 1) / length)
    return ratio
