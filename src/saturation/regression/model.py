"""The joint regression as PyMC models: how they are written down and what the sampler is held to.

Sampling itself uses :mod:`saturation.regression.kernel`, the same densities by hand.
"""

from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor
from numpy.typing import NDArray

from saturation.regression import kernel

Array = NDArray[np.float64]
# Any: PyTensor has types for its variables, but for few of the functions that make them.
Variable = Any
pt: Any = pytensor.tensor


def model(
    matrix: Array,
    outcome: Array,
    likelihood: str,
    *,
    shrinks: Array,
    spread: float,
    horseshoe: tuple[float, float, float] | None = None,
) -> pm.Model:
    """Regression as a PyMC model, its coefficients in the directions of the matrix's columns.

    ``spread`` is the precision of the Beta likelihoods (mean and precision parametrisation, Ferrari
    and Cribari-Neto 2004) or the standard deviation of the Gaussian ones (of the logit, under the
    logit-normal). The ordered Beta puts the ends at cut points on the predictor's scale (Kubinec
    2022). The link is the logit unless the likelihood names another.
    """
    with pm.Model(check_bounds=False) as built:
        factors = pm.Flat("rotated", shape=matrix.shape[1])
        pm.Potential("prior", -0.5 * pm.math.dot(shrinks, factors**2))
        width = None if likelihood == "bernoulli" else pm.HalfNormal("spread", spread)
        cuts = _cuts() if likelihood == "ordered_beta" else None
        coefficient = _horseshoe(factors, *horseshoe) if horseshoe else factors
        predictor = pm.math.dot(matrix, coefficient)
        if likelihood == "bernoulli":
            pm.Bernoulli("outcome", logit_p=predictor, observed=outcome)
        elif likelihood == "gaussian":
            pm.Normal("outcome", predictor, width, observed=outcome)
        elif likelihood == "logit_normal":
            pm.LogitNormal("outcome", predictor, width, observed=outcome)
        elif cuts is not None:
            pm.Potential("outcome", _ordered(predictor, width, cuts, outcome))
        else:
            mean, rest = _mean(predictor, likelihood)
            pm.Beta("outcome", mean * width, rest * width, observed=outcome)
    return built


def _mean(predictor: Variable, likelihood: str) -> tuple[Variable, Variable]:
    if likelihood == "beta_probit":
        return pt.erfc(-predictor / np.sqrt(2)) / 2, pt.erfc(predictor / np.sqrt(2)) / 2
    if likelihood == "beta_cloglog":
        return -pt.expm1(-pt.exp(predictor)), pt.exp(-pt.exp(predictor))
    return pm.math.sigmoid(predictor), pm.math.sigmoid(-predictor)


def _cuts() -> tuple[Variable, Variable]:
    lower = pm.Normal("lower", *kernel.LOWER_CUT)
    return lower, lower + pt.exp(pm.Normal("log_gap", *kernel.LOG_GAP))


def _ordered(
    predictor: Variable,
    width: Variable,
    cuts: tuple[Variable, Variable],
    outcome: Array,
) -> Variable:
    mean, rest = _mean(predictor, "ordered_beta")
    within = (outcome > 0) & (outcome < 1)
    held = np.where(within, outcome, 0.5)
    middle = pm.math.sigmoid(predictor - cuts[0]) - pm.math.sigmoid(predictor - cuts[1])
    density = pt.log(middle) + pm.logp(pm.Beta.dist(mean * width, rest * width), held)
    ends = pt.where(
        outcome <= 0,
        pt.log(pm.math.sigmoid(cuts[0] - predictor)),
        pt.log(pm.math.sigmoid(predictor - cuts[1])),
    )
    return pt.where(within, density, ends)


def _horseshoe(factors: Variable, intercept: float, overall: float, slab: float) -> Variable:
    tau = pm.HalfCauchy("tau", overall)
    half = kernel.SLAB_FREEDOM / 2
    squared = pm.InverseGamma("slab", half, half * slab**2)
    local = pm.HalfCauchy("local", 1.0, shape=factors.type.shape[0] - 1)
    scale = tau * local * pt.sqrt(squared / (squared + (tau * local) ** 2))
    return pt.concatenate([[intercept * factors[0]], factors[1:] * scale])
