"""The joint regression (plateau paper, section 4.2) as a PyMC model."""

from typing import Any

import numpy as np
import pymc as pm

from saturation.arrays import Floats
from studies.regression.design import Design
from studies.regression.priors import Priors, Specification

# Any: PyTensor has types for its variables, but for few of the functions that make them.
Variable = Any


def model(design: Design, specification: Specification) -> pm.Model:
    """Build the model of a design; matrix and outcome are data that refits replace.

    ``spread`` is the precision of the Beta likelihood (mean and precision, Ferrari and
    Cribari-Neto 2004) or the standard deviation of the normal one.
    """
    width = len(design.columns)
    with pm.Model(coords={"column": design.columns}, check_bounds=False) as built:
        # Refits have other rows and the same columns.
        matrix = pm.Data("matrix", design.matrix, shape=(None, width))
        observed = pm.Data("observed", design.outcome, shape=(None,))
        # coefficient ~ Normal(0, scales), along the axes of the design: without this rotation NUTS
        # takes five times the steps on wide designs.
        rotated = pm.Normal("rotated", 0, 1, shape=width)
        axes = basis(design.matrix, specification.priors)
        coefficient = pm.Deterministic("coefficient", pm.math.dot(axes, rotated), dims="column")
        _likelihood(pm.math.dot(matrix, coefficient), observed, specification)
    return built


def basis(matrix: Floats, priors: Priors) -> Floats:
    """Return axes along which the posterior is nearly uncorrelated, a column each, shape (p, p).

    Right singular vectors of the prior-scaled design: a rotation leaves a standard normal as it is.
    """
    scales = priors.scales(matrix.shape[1])
    axes: Floats = scales[:, None] * np.linalg.svd(matrix * scales)[2].T
    return axes


def _likelihood(predictor: Variable, observed: Variable, specification: Specification) -> None:
    name = specification.likelihood
    if name == "bernoulli":
        pm.Bernoulli("outcome", logit_p=predictor, observed=observed)
        return
    spread = pm.HalfNormal("spread", specification.priors.spread)
    if name == "gaussian":
        pm.Normal("outcome", predictor, spread, observed=observed)
    else:
        pm.Beta("outcome", mu=pm.math.sigmoid(predictor), nu=spread, observed=observed)
