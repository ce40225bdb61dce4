"""Simulation-based calibration of the sampler.

Does it return the posterior that the model implies?

Parameters drawn from the prior, data drawn from the parameters, and the posterior of those data:
the rank of the true parameter among posterior draws is uniform if sampler and model agree
(Talts et al. 2018).
"""

from dataclasses import replace

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation import seeds
from saturation.regression import gate
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.sampler import Drawn
from saturation.regression.specification import Effort, Specification
from saturation.statistics.simulation_ranks import ranks

Array = NDArray[np.float64]

# Outcomes nearer to 0 or 1 than this lose digits in double precision.
EDGE = 1e-9


def simulated(matrix: Array, priors: Priors, rng: np.random.Generator) -> tuple[Array, Array]:
    """Parameters from the prior (coefficients, then the precision) and a Beta outcome from them.

    Pairs with an outcome that double precision cannot hold are drawn again. Which pairs those are
    depends on the outcome alone, so the posterior given an outcome that is kept is the model's, and
    ranks stay uniform; moving such outcomes off the edge would not be the model.
    """
    while True:
        coefficient = rng.normal(0.0, priors.scales(matrix.shape[1]))
        precision = abs(rng.normal(0.0, priors.spread))
        mean = scipy.special.expit(matrix @ coefficient)
        outcome = rng.beta(mean * precision, (1 - mean) * precision)
        if outcome.min() >= EDGE and outcome.max() <= 1 - EDGE:
            return np.append(coefficient, precision), outcome


def calibrated(
    design: Design,
    specification: Specification,
    draw: Drawn,
    effort: Effort,
    *,
    simulations: int,
    ranked: int,
    seed: int,
) -> pd.DataFrame:
    """Ranks of all parameters over data sets simulated from the prior.

    Returns
    -------
    pandas.DataFrame
        ``simulation, parameter, rank``.
    """
    tables = []
    for simulation in range(simulations):
        rng = seeds.generator(seed, "regression", "calibration", simulation)
        truth, outcome = simulated(design.matrix, specification.priors, rng)
        posterior = draw(
            replace(design, outcome=outcome),
            specification,
            effort,
            seed=int(rng.integers(2**31)),
        )
        draws, names = gate.parameters(posterior)
        rank = ranks(truth, draws.reshape(len(names), -1), ranked)
        tables.append(pd.DataFrame({"simulation": simulation, "parameter": names, "rank": rank}))
    return pd.concat(tables, ignore_index=True)
