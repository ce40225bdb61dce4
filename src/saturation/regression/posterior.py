"""Joint Bayesian regression of saturation on benchmark properties (plateau paper, section 4.2).

PyMC writes the model down, nutpie samples it with NUTS on a program that numba compiles. Compiling
takes half a minute, sampling seconds, so one compiled program serves every model of a likelihood
and all their refits: `Sampler` swaps the data.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import nutpie
import pymc as pm
import xarray as xr
from numpy.typing import NDArray

from saturation import seeds
from saturation.regression import gate
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort, Specification

Array = NDArray[np.float64]

# Sampler statistics that do not depend on the clock or on the order of events.
STATISTICS = ("depth", "diverging", "energy", "logp", "n_steps", "step_size")


def basis(matrix: Array, priors: Priors) -> Array:
    """Directions in which the posterior is nearly uncorrelated, one a column, shape (p, p).

    With ``coefficient = basis @ rotated`` and standard normal ``rotated`` the coefficients have
    exactly their independent normal priors, since a rotation leaves a standard normal as it is;
    the right singular vectors of the prior-scaled design turn the collinear directions of wide
    designs into axes, along which NUTS moves in a tenth of the steps.

    Parameters
    ----------
    matrix
        Shape (n, p).
    priors
        Scales of the priors.
    """
    columns = matrix.shape[1]
    scales = np.ones(columns) if priors.coefficient is None else priors.scales(columns)
    rotation = np.linalg.svd(matrix * scales)[2].T
    directions: Array = scales[:, None] * rotation
    return directions


def model(
    matrix: Array, outcome: Array, likelihood: str, *, shrinks: Array, spread: float
) -> pm.Model:
    """Regression as a PyMC model whose data can be exchanged.

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
    shrinks
        Shape (p,): 1 gives a rotated coefficient a standard normal prior, 0 a flat one.
    spread
        Scale of the half-normal prior of ``spread``.
    """
    with pm.Model(check_bounds=False) as built:
        x, y = pm.Data("x", matrix), pm.Data("y", outcome)
        rotated = pm.Flat("rotated", shape=matrix.shape[1])
        pm.Potential("prior", -0.5 * pm.math.dot(pm.Data("shrinks", shrinks), rotated**2))
        predictor = pm.math.dot(x, rotated)
        if likelihood == "bernoulli":
            pm.Bernoulli("outcome", logit_p=predictor, observed=y)
            return built
        width = pm.HalfNormal("spread", pm.Data("spread_scale", spread))
        if likelihood == "gaussian":
            pm.Normal("outcome", predictor, width, observed=y)
        else:
            mean = pm.math.sigmoid(predictor)
            pm.Beta("outcome", mean * width, (1 - mean) * width, observed=y)
    return built


class Sampler:
    """A compiled program that samples any design of one likelihood.

    A narrower design is filled up with columns of zeros. Their coefficients only meet their own
    standard normal prior, and are dropped.

    Parameters
    ----------
    likelihood
        See :func:`model`.
    columns
        Columns of the widest design.
    cores
        Chains that run at once; the draws do not depend on it.
    """

    def __init__(self, likelihood: str, columns: int, cores: int = 1) -> None:
        self._columns = columns
        self._cores = cores
        self._has_spread = likelihood != "bernoulli"
        placeholder = np.zeros((1, columns)), np.full(1, 0.5)
        built = model(*placeholder, likelihood, shrinks=np.ones(columns), spread=1.0)
        self._compiled = nutpie.compile_pymc_model(built)

    def draw(self, design: Design, priors: Priors, effort: Effort, seed: int) -> xr.Dataset:
        """Posterior of one design.

        Parameters
        ----------
        design
            No wider than the program.
        priors
            Scales of the priors.
        effort
            Draws, tuning steps and chains.
        seed
            Seed of the chains.

        Returns
        -------
        xarray.Dataset
            ``coefficient`` (chain, draw, column), ``spread`` (chain, draw) where the likelihood
            has one, and the sampler's statistics; variables sorted, nothing that tells the time.
        """
        directions = basis(design.matrix, priors)
        trace = nutpie.sample(
            self._compiled.with_data(**self._data(design, directions, priors)),
            draws=effort.draws,
            tune=effort.tune,
            chains=effort.chains,
            cores=self._cores,
            seed=seed,
            save_warmup=False,
            progress_bar=False,
        )
        by_draw = ("chain", "draw")
        rotated = trace.posterior["rotated"].to_numpy()[..., : len(design.columns)]
        variables: dict[str, Any] = {
            name: (by_draw, _stored(trace.sample_stats[name])) for name in STATISTICS
        }
        variables["coefficient"] = ((*by_draw, "column"), rotated @ directions.T)
        if self._has_spread:
            variables["spread"] = (by_draw, trace.posterior["spread"].to_numpy())
        coordinates = {
            "chain": np.arange(effort.chains),
            "draw": np.arange(effort.draws),
            "column": np.array(design.columns, dtype=object),
        }
        return xr.Dataset(dict(sorted(variables.items())), coordinates)

    def _data(self, design: Design, directions: Array, priors: Priors) -> dict[str, Any]:
        rows, columns = design.matrix.shape
        padded, shrinks = np.zeros((rows, self._columns)), np.ones(self._columns)
        padded[:, :columns] = design.matrix @ directions
        if priors.coefficient is None:
            shrinks[:columns] = 0.0
        data: dict[str, Any] = {"x": padded, "y": design.outcome, "shrinks": shrinks}
        return data | ({"spread_scale": priors.spread} if self._has_spread else {})


def _stored(variable: xr.DataArray) -> NDArray[Any]:
    """The values as NetCDF keeps them, which has no truth values."""
    values: NDArray[Any] = variable.to_numpy()
    return values.astype(np.int8) if values.dtype == bool else values


def posteriors(
    designs: Mapping[str, Design],
    specifications: Mapping[str, Specification],
    effort: Effort,
    limits: gate.Gate,
    seed: int,
) -> dict[str, tuple[xr.Dataset, xr.Dataset]]:
    """Posterior and diagnostics of every model; models of one likelihood share a program.

    Parameters
    ----------
    designs, specifications
        By model.
    effort
        Draws, tuning steps and chains.
    limits
        What every posterior must show.
    seed
        The config's seed.

    Raises
    ------
    InputError
        For the first posterior that fails the gate.
    """
    samplers: dict[str, Sampler] = {}
    passed = {}
    for name, specification in specifications.items():
        likelihood = specification.likelihood
        if likelihood not in samplers:
            widest = max(
                len(designs[other].columns)
                for other, alike in specifications.items()
                if alike.likelihood == likelihood
            )
            samplers[likelihood] = Sampler(likelihood, widest)
        posterior = samplers[likelihood].draw(
            designs[name],
            specification.priors,
            effort,
            seeds.derive(seed, "regression", "posterior", name),
        )
        measured = gate.diagnostics(posterior)
        gate.check(measured, limits, name)
        passed[name] = posterior, measured
    return passed
