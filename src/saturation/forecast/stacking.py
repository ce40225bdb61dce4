"""Several forecasts as one: weights by how probable each held what came."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROUNDS = 500
# Weight of the prior that all are equally good, in forecasts.
EQUAL = 5.0


def weights(log_scores: Floats) -> Floats:
    """Weights of a mixture that make past outcomes most probable (Yao et al. 2018), by EM.

    Parameters
    ----------
    log_scores
        Minus logarithms of the probabilities of past outcomes, shape (outcomes, methods); with no
        outcome all weights are equal.
    """
    probability = np.exp(-log_scores)
    count = probability.shape[1]
    weight = np.full(count, 1 / count)
    for _ in range(ROUNDS):
        share = weight * ((1 / (probability @ weight)) @ probability)
        weight = (share + EQUAL / count) / (len(probability) + EQUAL)
    return weight


def shares(weight: Floats, count: int) -> list[int]:
    """How many of as many draws come from each method.

    Parameters
    ----------
    weight
        Shape (methods,).
    count
        Of all together.
    """
    bounds = np.rint(np.concatenate([[0.0], weight.cumsum()]) * count).astype(int)
    return list(np.diff(bounds))


def mixed(draws: Floats, weight: Floats) -> Floats:
    """Draws of the mixture: of each method as many as its weight says.

    Parameters
    ----------
    draws
        Shape (methods, benchmarks, draws, horizons).
    weight
        Shape (methods,).
    """
    parts = zip(draws, shares(weight, draws.shape[2]), strict=True)
    return np.concatenate([part[:, :own] for part, own in parts], axis=1)
