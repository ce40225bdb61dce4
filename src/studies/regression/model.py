"""The joint regression (plateau paper, section 4.2) as a PyMC model."""

import math
from typing import Any

import numpy as np
import pymc as pm
import pytensor.tensor
from numpy.typing import NDArray

from studies.regression.design import Design
from studies.regression.priors import Priors, Specification

Array = NDArray[np.float64]
# Any: PyTensor has types for its variables, but for few of the functions that make them.
Variable = Any
pt: Any = pytensor.tensor

# Priors of the ordered Beta's cut points on the predictor's scale: the lower one is normal, its
# distance to the upper one log-normal. Both ends then have a probability of about 0.1 at 0.
LOWER_CUT = (-2.0, 2.0)
CUT_DISTANCE = (math.log(4.0), 1.0)
SLAB_FREEDOM = 4.0


def model(design: Design, specification: Specification) -> pm.Model:
    """Build the model of a design; matrix and outcome are data that refits replace.

    ``spread`` is the precision of the Beta likelihoods (mean and precision, Ferrari and
    Cribari-Neto 2004) or the standard deviation of the normal ones (of the logit, under the
    logit-normal). The ordered Beta has cut points on the predictor's scale (Kubinec 2022).
    """
    priors, width = specification.priors, len(design.columns)
    coordinates = {"column": design.columns, "predictor": design.columns[1:]}
    with pm.Model(coords=coordinates, check_bounds=False) as built:
        # Refits have other rows and the same columns.
        matrix = pm.Data("matrix", design.matrix, shape=(None, width))
        observed = pm.Data("observed", design.outcome, shape=(None,))
        if priors.nonzero is not None:
            coefficient = _horseshoe(design, priors)
        else:
            coefficient = _normal_or_flat(design, priors)
        _likelihood(pm.math.dot(matrix, coefficient), observed, specification)
    return built


def basis(matrix: Array, priors: Priors) -> Array:
    """Return axes along which the posterior is nearly uncorrelated, a column each, shape (p, p).

    Right singular vectors of the prior-scaled design: a rotation leaves a standard normal as it is.
    """
    width = matrix.shape[1]
    scales = np.ones(width) if priors.coefficient is None else priors.scales(width)
    axes: Array = scales[:, None] * np.linalg.svd(matrix * scales)[2].T
    return axes


def _normal_or_flat(design: Design, priors: Priors) -> Variable:
    # coefficient ~ Normal(0, scales), along the axes of the design: without this rotation NUTS
    # takes five times the steps on wide designs.
    if priors.coefficient is None:
        rotated = pm.Flat("rotated", shape=len(design.columns))
    else:
        rotated = pm.Normal("rotated", 0, 1, shape=len(design.columns))
    axes = basis(design.matrix, priors)
    return pm.Deterministic("coefficient", pm.math.dot(axes, rotated), dims="column")


def _horseshoe(design: Design, priors: Priors) -> Variable:
    """Build a regularised horseshoe (Piironen, Vehtari 2017), not centred; a normal intercept."""
    overall = pm.HalfCauchy("global_scale", priors.global_scale(*design.matrix.shape))
    half, width = SLAB_FREEDOM / 2, priors.coefficient
    slab = pm.InverseGamma("slab", half, half * width**2 if width else math.nan)
    local = pm.HalfCauchy("local_scale", 1.0, dims="predictor")
    scale = overall * local * pt.sqrt(slab / (slab + (overall * local) ** 2))
    intercept = pm.Normal("intercept", 0, priors.intercept)
    factor = pm.Normal("factor", 0, 1, dims="predictor")
    joined = pt.concatenate([[intercept], factor * scale])
    return pm.Deterministic("coefficient", joined, dims="column")


def _likelihood(predictor: Variable, observed: Variable, specification: Specification) -> None:
    name = specification.likelihood
    if name == "bernoulli":
        pm.Bernoulli("outcome", logit_p=predictor, observed=observed)
        return
    spread = pm.HalfNormal("spread", specification.priors.spread)
    if name == "gaussian":
        pm.Normal("outcome", predictor, spread, observed=observed)
    elif name == "logit_normal":
        pm.LogitNormal("outcome", predictor, spread, observed=observed)
    elif name == "beta":
        pm.Beta("outcome", mu=pm.math.sigmoid(predictor), nu=spread, observed=observed)
    elif name == "beta_probit":
        pm.Beta("outcome", mu=pm.math.invprobit(predictor), nu=spread, observed=observed)
    elif name == "beta_cloglog":
        complement = pm.math.exp(-pm.math.exp(predictor))
        pm.Beta(
            "outcome", alpha=(1 - complement) * spread, beta=complement * spread, observed=observed
        )
    else:
        lower = pm.Normal("lower_cut", *LOWER_CUT)
        distance = pm.LogNormal("cut_distance", *CUT_DISTANCE)
        pm.CustomDist(
            "outcome", predictor, spread, lower, distance, logp=ordered_beta, observed=observed
        )


def ordered_beta(
    value: Variable, predictor: Variable, spread: Variable, lower: Variable, distance: Variable
) -> Variable:
    """Return the log density of the ordered Beta: 0 below the lower cut, 1 above the upper."""
    upper = lower + distance
    inside = (value > 0) & (value < 1)
    between = pm.math.sigmoid(predictor - lower) - pm.math.sigmoid(predictor - upper)
    inner = pm.Beta.dist(mu=pm.math.sigmoid(predictor), nu=spread)
    density = pt.log(between) + pm.logp(inner, pt.where(inside, value, 0.5))
    zero = pt.log(pm.math.sigmoid(lower - predictor))
    log_one = pt.log(pm.math.sigmoid(predictor - upper))
    return pt.where(inside, density, pt.where(value <= 0, zero, log_one))
