"""Joint Bayesian regression of saturation on benchmark properties (plateau paper, section 4.2).

PyMC writes the model down, nutpie samples it with NUTS on a program that numba compiles. Compiling
takes longer than sampling, so one compiled program serves every refit of a model: `Sampler` swaps
the data.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import nutpie
import numpy as np
import pymc as pm
import xarray as xr
from arviz_stats.base import array_stats
from numpy.typing import NDArray

from saturation.errors import InputError
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


@dataclass(frozen=True)
class Gate:
    """What a posterior must show before anything is computed from it (Vehtari et al. 2021)."""

    rhat: float
    ess: float
    divergences: int


def model(design: Design, likelihood: str, priors: Priors) -> pm.Model:
    """Regression as a PyMC model with exchangeable data ``x`` and ``y``.

    ``coefficient`` has one entry a column of the design; ``spread`` is the precision of the Beta
    likelihood (mean and precision parametrisation, Ferrari and Cribari-Neto 2004) or the standard
    deviation of the Gaussian one. Bernoulli and Beta use the logit link.

    Parameters
    ----------
    design
        Design matrix and outcome.
    likelihood
        ``beta``, ``gaussian`` or ``bernoulli``.
    priors
        Scales of the priors.
    """
    with pm.Model(coords={"column": design.columns}, check_bounds=False) as built:
        x = pm.Data("x", design.matrix)
        y = pm.Data("y", design.outcome)
        if priors.coefficient is None:
            coefficient = pm.Flat("coefficient", dims="column")
        else:
            coefficient = pm.Normal(
                "coefficient", 0.0, priors.scales(len(design.columns)), dims="column"
            )
        predictor = pm.math.dot(x, coefficient)
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
    design, likelihood, priors
        See :func:`model`.
    cores
        Chains that run at once; the draws do not depend on it.
    """

    def __init__(self, design: Design, likelihood: str, priors: Priors, cores: int = 1) -> None:
        self._compiled = nutpie.compile_pymc_model(model(design, likelihood, priors))
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
            self._compiled.with_data(x=matrix, y=outcome),
            draws=effort.draws,
            tune=effort.tune,
            chains=effort.chains,
            cores=self._cores,
            seed=seed,
            save_warmup=False,
            progress_bar=False,
        )
        names = [name for name in ("coefficient", "spread") if name in trace.posterior]
        variables = {name: trace.posterior[name] for name in names}
        variables |= {name: trace.sample_stats[name] for name in STATISTICS}
        plain = {n: (v.dims, _stored(v)) for n, v in sorted(variables.items())}
        coordinates = {
            "chain": np.arange(effort.chains),
            "draw": np.arange(effort.draws),
            "column": trace.posterior["column"].values.astype(object),
        }
        return xr.Dataset(plain, coordinates)


def diagnostics(posterior: xr.Dataset) -> xr.Dataset:
    """R-hat and effective sample sizes of every parameter, rank-normalised (Vehtari et al. 2021).

    Returns
    -------
    xarray.Dataset
        ``rhat``, ``ess_bulk``, ``ess_tail`` over ``parameter``; attribute ``divergences``.
    """
    draws, names = parameters(posterior)
    return xr.Dataset(
        {
            "rhat": ("parameter", array_stats.rhat(draws, chain_axis=1, draw_axis=2)),
            "ess_bulk": ("parameter", _ess(draws, "bulk")),
            "ess_tail": ("parameter", _ess(draws, "tail")),
        },
        {"parameter": names},
        {"divergences": int(posterior["diverging"].sum())},
    )


def parameters(posterior: xr.Dataset) -> tuple[Array, list[str]]:
    """Draws of every parameter, shape (parameter, chain, draw), and their names."""
    draws = posterior["coefficient"].transpose("column", "chain", "draw").to_numpy()
    names = [str(name) for name in posterior["column"].to_numpy()]
    if "spread" in posterior:
        draws = np.concatenate([draws, posterior["spread"].to_numpy()[None]])
        names.append("spread")
    return draws, names


def check(found: xr.Dataset, gate: Gate, name: str) -> None:
    """Stop a posterior that cannot be trusted.

    Raises
    ------
    InputError
        Naming, for each failed criterion, the worst parameter and its value.
    """
    violations = []
    advice = "raise regression.sampling.draws or .tune, or tighten the priors"
    for criterion, fails, worst in (
        ("rhat", lambda v: v > gate.rhat, "max"),
        ("ess_bulk", lambda v: v < gate.ess, "min"),
        ("ess_tail", lambda v: v < gate.ess, "min"),
    ):
        values = found[criterion].to_numpy()
        place = int(values.argmax() if worst == "max" else values.argmin())
        if fails(values[place]):
            limit = f"at most {gate.rhat}" if worst == "max" else f"at least {gate.ess:g}"
            violations.append(
                f"model '{name}': {criterion} of '{found['parameter'].to_numpy()[place]}' is "
                f"{values[place]:.4g}; allowed: {limit}; {advice}"
            )
    if found.attrs["divergences"] > gate.divergences:
        violations.append(
            f"model '{name}': {found.attrs['divergences']} divergent transitions; allowed: at "
            f"most {gate.divergences}; {advice}"
        )
    if violations:
        raise InputError(violations)


def _ess(draws: Array, method: str) -> Array:
    tails = {"prob": (0.05, 0.95)} if method == "tail" else {}
    return array_stats.ess(draws, chain_axis=1, draw_axis=2, method=method, **tails)


def _stored(variable: xr.DataArray) -> NDArray:
    values = variable.to_numpy()
    return values.astype(np.int8) if values.dtype == bool else values


def without(rows: NDArray[np.bool_], arrays: Sequence[NDArray]) -> list[NDArray]:
    """Each array without the marked rows."""
    return [np.ascontiguousarray(array[~rows]) for array in arrays]
