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
from saturation.statistics import intervals

Array = NDArray[np.float64]

# Outcomes nearer to 0 or 1 than this lose digits in double precision.
EDGE = 1e-9


def simulated(matrix: Array, priors: Priors, rng: np.random.Generator) -> tuple[Array, Array]:
    """Parameters from the prior (coefficients, then the precision) and a Beta outcome from them.

    Pairs with an outcome that double precision cannot hold are drawn again. Which pairs those are
    depends on the outcome alone, so the posterior given an outcome that is kept is the model's, and
    ranks stay uniform; moving such outcomes off the edge would not be the model.

    Parameters
    ----------
    matrix
        Shape (n, p).
    priors
        Scales of the priors.
    rng
        Source of the draws.
    """
    while True:
        coefficient = rng.normal(0.0, priors.scales(matrix.shape[1]))
        precision = abs(rng.normal(0.0, priors.spread))
        mean = scipy.special.expit(matrix @ coefficient)
        outcome = rng.beta(mean * precision, (1 - mean) * precision)
        if outcome.min() >= EDGE and outcome.max() <= 1 - EDGE:
            return np.append(coefficient, precision), outcome


def ranks(truth: Array, draws: Array, kept: int) -> NDArray[np.int64]:
    """Rank of each true parameter among its draws thinned to the number kept, 0..kept.

    Parameters
    ----------
    truth
        Shape (p,).
    draws
        Shape (p, S), S at least the number kept.
    kept
        Draws spread evenly over all of them: thinning removes most of their autocorrelation, which
        would bend the ranks (Talts et al. 2018, section 5.1).
    """
    thinned = draws[:, np.linspace(0, draws.shape[1] - 1, kept).astype(int)]
    rank: NDArray[np.int64] = (thinned < truth[:, None]).sum(axis=1)
    return rank


def uniformity(table: pd.DataFrame, draws: int, bins: int = 10) -> pd.DataFrame:
    """Chi-squared test of uniform ranks for each parameter, and its Holm-adjusted p-value.

    Parameters
    ----------
    table
        Columns ``simulation, parameter, rank``.
    draws
        Draws L among which ranks were taken.
    bins
        Bins of equal width over the ranks 0..L.
    """
    edges = np.linspace(-0.5, draws + 0.5, bins + 1)
    expected_share = np.diff(np.floor(edges[1:-1]), prepend=-1, append=draws) / (draws + 1)
    rows = []
    for name, ranked in table.groupby("parameter", sort=False):
        counts = np.histogram(ranked["rank"], edges)[0]
        test = scipy.stats.chisquare(counts, expected_share * len(ranked))
        rows.append({"parameter": name, "chi_squared": test.statistic, "p": test.pvalue})
    result = pd.DataFrame(rows)
    return result.assign(p_holm=intervals.holm(result["p"]))


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

    Parameters
    ----------
    design
        Its matrix is kept, its outcome simulated.
    specification
        The model, of the Beta likelihood.
    draw
        What is calibrated, see :func:`saturation.regression.posterior.draw`.
    effort
        Draws, tuning steps and chains.
    simulations
        Number of data sets.
    ranked
        Thinned draws among which a rank is taken.
    seed
        The config's seed.

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
