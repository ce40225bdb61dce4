"""Joint Bayesian regression of saturation on benchmark properties (plateau paper, section 4.2).

PyMC writes the model down, nutpie samples it with NUTS on a program that numba compiles. Compiling
takes longer than sampling, so one compiled program serves every refit of a model: `Sampler` swaps
the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import nutpie
import pymc as pm
import xarray as xr
from numpy.typing import NDArray

from saturation.regression_design import Design
from saturation.regression_priors import Priors

Array = NDArray[np.float64]

# Sampler statistics that do not depend on the clock or on the order of events.
STATISTICS = ("depth", "diverging", "energy", "logp", "n_steps", "step_size")


@dataclass(frozen=True)
class Effort:
    """How long to sample: draws and tuning steps a chain, and the number of chains."""

    draws: int
    tune: int
    chains: int


def basis(matrix: Array, priors: Priors) -> Array:
    """Directions in which the posterior is nearly uncorrelated, one a column, shape (p, p).

    With ``coefficient = basis @ rotated`` and standard normal ``rotated`` the coefficients have
    exactly their independent normal priors, since a rotation leaves a standard normal as it is;
    the right singular vectors of the prior-scaled design turn the collinear directions of wide
    designs into axes, along which NUTS moves in a tenth of the steps.
    """
    columns = matrix.shape[1]
    scales = np.ones(columns) if priors.coefficient is None else priors.scales(columns)
    rotation = np.linalg.svd(matrix * scales)[2].T
    return scales[:, None] * rotation


def model(matrix: Array, outcome: Array, likelihood: str, priors: Priors) -> pm.Model:
    """Regression as a PyMC model with exchangeable data ``x`` and ``y``.

    ``rotated`` holds the coefficients in the directions of the matrix's columns (:func:`basis`);
    ``spread`` is the precision of the Beta likelihood (mean and precision parametrisation, Ferrari
    and Cribari-Neto 2004) or the standard deviation of the Gaussian one. Bernoulli and Beta use
    the logit link.

    Parameters
    ----------
    matrix
        Design times basis, shape (n, p).
    outcome
        Shape (n,).
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    priors
        Scales of the priors; those of the coefficients are in the basis.
    """
    with pm.Model(check_bounds=False) as built:
        x, y = pm.Data("x", matrix), pm.Data("y", outcome)
        if priors.coefficient is None:
            rotated = pm.Flat("rotated", shape=matrix.shape[1])
        else:
            rotated = pm.Normal("rotated", 0.0, 1.0, shape=matrix.shape[1])
        predictor = pm.math.dot(x, rotated)
        if likelihood == "bernoulli":
            pm.Bernoulli("outcome", logit_p=predictor, observed=y)
            return built
        spread = pm.HalfNormal("spread", priors.spread)
        if likelihood == "gaussian":
            pm.Normal("outcome", predictor, spread, observed=y)
        else:
            mean = pm.math.sigmoid(predictor)
            pm.Beta("outcome", mean * spread, (1 - mean) * spread, observed=y)
    return built


class Sampler:
    """A compiled model that samples any data set of the same columns.

    Parameters
    ----------
    design
        Fixes the columns and the basis.
    likelihood, priors
        See :func:`model`.
    cores
        Chains that run at once; the draws do not depend on it.
    """

    def __init__(self, design: Design, likelihood: str, priors: Priors, cores: int = 1) -> None:
        self._columns = design.columns
        self._basis = basis(design.matrix, priors)
        built = model(design.matrix @ self._basis, design.outcome, likelihood, priors)
        self._compiled = nutpie.compile_pymc_model(built)
        self._cores = cores

    def draw(self, matrix: Array, outcome: Array, effort: Effort, seed: int) -> xr.Dataset:
        """Posterior of one data set.

        Returns
        -------
        xarray.Dataset
            ``coefficient`` (chain, draw, column), ``spread`` (chain, draw) where the likelihood
            has one, and the sampler's statistics; variables sorted, nothing that tells the time.
        """
        trace = nutpie.sample(
            self._compiled.with_data(x=matrix @ self._basis, y=outcome),
            draws=effort.draws,
            tune=effort.tune,
            chains=effort.chains,
            cores=self._cores,
            seed=seed,
            save_warmup=False,
            progress_bar=False,
        )
        by_draw = ("chain", "draw")
        rotated = trace.posterior["rotated"].to_numpy()
        variables: dict[str, Any] = {
            name: (by_draw, _stored(trace.sample_stats[name])) for name in STATISTICS
        }
        variables["coefficient"] = ((*by_draw, "column"), rotated @ self._basis.T)
        if "spread" in trace.posterior:
            variables["spread"] = (by_draw, trace.posterior["spread"].to_numpy())
        coordinates = {
            "chain": np.arange(effort.chains),
            "draw": np.arange(effort.draws),
            "column": np.array(self._columns, dtype=object),
        }
        return xr.Dataset(dict(sorted(variables.items())), coordinates)


def _stored(variable: xr.DataArray) -> NDArray:
    values = variable.to_numpy()
    return values.astype(np.int8) if values.dtype == bool else values


def without(rows: NDArray[np.bool_], arrays: Sequence[NDArray]) -> list[NDArray]:
    """Each array without the marked rows."""
    return [np.ascontiguousarray(array[~rows]) for array in arrays]
