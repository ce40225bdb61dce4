"""Compiled sums over response matrices for :mod:`saturation.adaptive.fit`.

The innermost loops run over contiguous cells and add into one sum a cell, in a fixed order: they
use vector instructions without fast-math, and give the same bytes whatever the width of a vector.
Hence the two layouts: sums by item read respondents in rows, sums by respondent items in rows.

With a floor c of guessing a right answer has the chance c + (1 - c) p, p being the chance to know
it; `odds` are c / (1 - c), and None without a floor: what is compiled for that has
nothing of it. Of right answers the share p / (p + odds) is known.
"""

from math import factorial
from pathlib import Path

import numba
import numpy as np

from saturation.adaptive import model
from saturation.adaptive.model import Responses
from saturation.arrays import Floats
from saturation.provenance import cache_of_code

# Whatever is compiled here and in abilities.py follows from these texts.
_TEXTS = [Path(__file__), Path(__file__).with_name("abilities.py"), Path(model.__file__)]
if _KEPT := cache_of_code(*_TEXTS):
    numba.config.CACHE_DIR = str(_KEPT)  # type: ignore[attr-defined]

# Items that are summed together, so that their sums stay in the fastest cache.
_BLOCK = 256
# Products of factors in (1, 2] stay finite over this many respondents: one logarithm for all.
_FACTORS_PER_LOGARITHM = 1000
# With a floor they lie between 0.5 and 1 / odds.
_FLOORED_FACTORS = 100
_LARGEST_EXPONENT = 700.0
_LOG2_E = 1.4426950408889634
# 1 / k!, to be multiplied with: divisions are slow.
_C3, _C4, _C5, _C6, _C7, _C8, _C9 = (1 / factorial(k) for k in range(3, 10))
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10

# error_model: without numpy's, a check for division by zero keeps a loop from being vectorised.
_compiled = numba.njit(error_model="numpy")
_cached = numba.njit(cache=True, error_model="numpy")
_inlined = numba.njit(inline="always", error_model="numpy")


@_inlined
def _exp_minus(x: float) -> float:
    """exp(-x) for x >= 0 to 1e-11, in operations that vectorise (the library call does not).

    The power of two is set in the exponent bits; the rest, at most ln(2)/2, by its series.
    """
    x = min(x, _LARGEST_EXPONENT)
    power = np.floor(0.5 - x * _LOG2_E)
    r = -x - power * _LN2_HIGH - power * _LN2_LOW
    series = _C6 + r * (_C7 + r * (_C8 + r * _C9))
    series = 1 + r * (1 + r * (0.5 + r * (_C3 + r * (_C4 + r * (_C5 + r * series)))))
    bits = np.int64((np.int64(power) + np.int64(1023)) << np.int64(52))
    value: float = series * bits.view(np.float64)
    return value


@_cached
def item_sums(
    by_person: Responses, ability: Floats, slope: Floats, intercept: Floats, odds: float | None
) -> Floats:
    """Score and information of each item: rows are the sums of r t, r, w t t, w t and w.

    r is the derivative of the log-likelihood by the logit (the residual, where there is no floor),
    w its expected square (p (1 - p)) and t the ability; cells that are missing add nothing.
    """
    persons, items = by_person.shape
    sums = np.zeros((5, items))
    residual, weight = np.empty(_BLOCK), np.empty(_BLOCK)
    for start in range(0, items, _BLOCK):
        end = min(items, start + _BLOCK)
        r, w = residual[: end - start], weight[: end - start]
        for person in range(persons):
            theta = ability[person]
            _residuals(
                by_person[person, start:end],
                theta,
                slope[start:end],
                intercept[start:end],
                odds,
                r,
                w,
            )
            _add(sums[0, start:end], r, theta)
            _add(sums[1, start:end], r, 1.0)
            _add(sums[2, start:end], w, theta * theta)
            _add(sums[3, start:end], w, theta)
            _add(sums[4, start:end], w, 1.0)
    return sums


@_cached
def item_log_likelihoods(
    by_person: Responses, ability: Floats, slope: Floats, intercept: Floats, odds: float | None
) -> Floats:
    """Log-likelihood of each item's observed responses; with a floor, less log (1 - c) for each."""
    persons, items = by_person.shape
    total = np.zeros(items)
    product = np.empty(_BLOCK)
    together = _FACTORS_PER_LOGARITHM if odds is None else _FLOORED_FACTORS
    for start in range(0, items, _BLOCK):
        end = min(items, start + _BLOCK)
        factors = product[: end - start]
        for first in range(0, persons, together):
            factors.fill(1.0)
            for person in range(first, min(persons, first + together)):
                _likelihoods(
                    by_person[person, start:end],
                    ability[person],
                    slope[start:end],
                    intercept[start:end],
                    odds,
                    total[start:end],
                    factors,
                )
            for item in range(end - start):
                total[start + item] -= np.log(factors[item])
    return total


@_cached
def person_sums(
    by_item: Responses,
    ability: Floats,
    slope: Floats,
    intercept: Floats,
    share: Floats,
    odds: float | None,
) -> tuple[Floats, Floats]:
    """Score and information of each respondent, averaged over each item's weighted places."""
    score, info = np.zeros(ability.size), np.zeros(ability.size)
    for item in range(by_item.shape[0]):
        for place in range(slope.shape[1]):
            _add_persons(
                by_item[item],
                ability,
                slope[item, place],
                intercept[item, place],
                share[item, place],
                odds,
                score,
                info,
            )
    return score, info


@_inlined
def chance(logit: float) -> tuple[float, float]:
    """Probability p of knowing an answer, and p (1 - p)."""
    tail = _exp_minus(abs(logit))
    inverse = 1.0 / (1.0 + tail)
    return inverse if logit >= 0 else tail * inverse, tail * inverse * inverse


@_compiled
def weigh_right(p: float, odds: float | None) -> float:
    """Share of right answers that are not guessed."""
    if odds is None:
        return 1.0
    return p / (p + odds)


@_compiled
def _residuals(
    row: Responses,
    theta: float,
    slope: Floats,
    intercept: Floats,
    odds: float | None,
    residual: Floats,
    weight: Floats,
) -> None:
    for item in range(residual.size):
        answer = row[item]
        p, information = chance(slope[item] * theta + intercept[item])
        guess_factor = weigh_right(p, odds)
        residual[item] = 0.0 if answer < 0 else (answer - p) * (guess_factor if answer > 0 else 1.0)
        weight[item] = 0.0 if answer < 0 else information * guess_factor


@_compiled
def _add(total: Floats, term: Floats, factor: float) -> None:
    for item in range(total.size):
        total[item] += term[item] * factor


@_compiled
def _likelihoods(
    row: Responses,
    theta: float,
    slope: Floats,
    intercept: Floats,
    odds: float | None,
    total: Floats,
    factors: Floats,
) -> None:
    """Add terms of log-likelihoods; multiply the factors whose logarithms are still to be taken."""
    for item in range(total.size):
        answer = row[item]
        gain, factor = _term(answer, slope[item] * theta + intercept[item], odds)
        total[item] += 0.0 if answer < 0 else gain
        factors[item] *= 1.0 if answer < 0 else factor


@_inlined
def _term(answer: int, logit: float, odds: float | None) -> tuple[float, float]:
    """Compute an answer's log-likelihood as a number less the logarithm of a factor."""
    tail = _exp_minus(abs(logit))
    gain = (logit if answer > 0 else 0.0) - max(logit, 0.0)
    factor = 1.0 + tail
    if odds is None:
        return gain, factor
    # p + odds is far from 0, as p alone is not.
    inverse = 1.0 / factor
    p = inverse if logit >= 0 else tail * inverse
    return 0.0 if answer > 0 else gain, 1.0 / (p + odds) if answer > 0 else factor


@_compiled
def _add_persons(
    row: Responses,
    ability: Floats,
    slope: float,
    intercept: float,
    share: float,
    odds: float | None,
    score: Floats,
    info: Floats,
) -> None:
    for person in range(ability.size):
        answer = row[person]
        p, information = chance(slope * ability[person] + intercept)
        guess_factor = weigh_right(p, odds)
        away = (answer - p) * (guess_factor if answer > 0 else 1.0)
        score[person] += 0.0 if answer < 0 else share * slope * away
        info[person] += 0.0 if answer < 0 else share * slope * slope * (information * guess_factor)
