"""Posteriors of the joint regression (plateau paper, section 4.2), drawn by nutpie with NUTS.

The density is that of :mod:`saturation.regression.kernel`, compiled once for all models; how the
models are written stands in :mod:`saturation.regression.model`.
"""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from saturation import seeds
from saturation.regression import gate, kernel, nuts
from saturation.regression.design import Design
from saturation.regression.priors import Priors
from saturation.regression.specification import Effort, Specification

Array = NDArray[np.float64]

# The steps that NUTS may take: the horseshoe's narrow places need short ones.
ACCEPTED, ACCEPTED_HORSESHOE = 0.8, 0.99


def basis(matrix: Array, priors: Priors) -> Array:
    """Directions in which the posterior is nearly uncorrelated, one a column, shape (p, p).

    With ``coefficient = basis @ rotated`` and standard normal ``rotated`` the coefficients have
    exactly their independent normal priors, since a rotation leaves a standard normal as it is;
    the right singular vectors of the prior-scaled design turn the collinear directions of wide
    designs into axes, along which NUTS moves in a tenth of the steps. The horseshoe's prior has
    axes of its own, which stay.
    """
    columns = matrix.shape[1]
    if priors.nonzero is not None:
        return np.eye(columns)
    scales = np.ones(columns) if priors.coefficient is None else priors.scales(columns)
    rotation = np.linalg.svd(matrix * scales)[2].T
    directions: Array = scales[:, None] * rotation
    return directions


def arguments(design: Design, specification: Specification) -> tuple[Any, ...]:
    """What :func:`saturation.regression.kernel.packed` takes.

    Parameters
    ----------
    design
        What the model is fitted to.
    """
    priors, (rows, columns) = specification.priors, design.matrix.shape
    inside = (design.outcome > 0) & (design.outcome < 1)
    held = np.where(inside, design.outcome, 0.5)
    flat = priors.coefficient is None
    horseshoe = priors.nonzero is not None
    return (
        design.matrix @ basis(design.matrix, priors),
        np.column_stack([design.outcome, np.log(held), np.log1p(-held)]),
        *kernel.CODES[specification.likelihood],
        np.zeros(columns) if flat else np.ones(columns),
        horseshoe,
        (priors.spread, *(priors.horseshoe(rows, columns) if horseshoe else (1.0, 1.0, 1.0))),
    )


def parameters(specification: Specification, columns: int) -> list[str]:
    """What follows the coefficients in a position, in the kernel's order.

    Parameters
    ----------
    columns
        Columns p of its design.
    """
    family, _ = kernel.CODES[specification.likelihood]
    names = [] if family == kernel.BERNOULLI else ["log_spread"]
    if family == kernel.ORDERED:
        names += ["lower_cut", "log_gap"]
    if specification.priors.nonzero is not None:
        names += ["log_global", "log_slab", *(f"log_local_{j}" for j in range(1, columns))]
    return names


def draw(design: Design, specification: Specification, effort: Effort, seed: int) -> xr.Dataset:
    """Posterior of one design.

    Parameters
    ----------
    design
        What the model is fitted to.
    effort
        Draws, tuning steps and chains.

    Returns
    -------
    xarray.Dataset
        ``coefficient`` (chain, draw, column), ``spread`` (chain, draw) where the likelihood has
        one, ``other`` (chain, draw, parameter) where there are cuts or a horseshoe, and the
        sampler's statistics; variables sorted, nothing that tells the time.
    """
    columns = len(design.columns)
    names = parameters(specification, columns)
    model = kernel.packed(*arguments(design, specification))
    accepted = ACCEPTED if specification.priors.nonzero is None else ACCEPTED_HORSESHOE
    position, statistics = nuts.sampled(
        kernel.compiled(), model, columns + len(names), effort, accepted=accepted, seed=seed
    )
    by_draw = ("chain", "draw")
    variables: dict[str, Any] = {
        name: (by_draw, _stored(values)) for name, values in statistics.items()
    }
    variables["coefficient"] = (
        (*by_draw, "column"),
        _coefficients(position, design, specification),
    )
    variables |= _others(position[..., columns:], names)
    coordinates = {
        "chain": np.arange(effort.chains),
        "draw": np.arange(effort.draws),
        "column": np.array(design.columns, dtype=object),
        "parameter": np.array([name for name in names if name != "log_spread"], dtype=object),
    }
    return xr.Dataset(
        dict(sorted(variables.items())),
        {name: values for name, values in coordinates.items() if len(values)},
    )


def _coefficients(position: Array, design: Design, specification: Specification) -> Array:
    """Coefficients on the scale of the design, shape (chain, draw, p)."""
    columns = len(design.columns)
    priors = specification.priors
    if priors.nonzero is None:
        coefficient: Array = position[..., :columns] @ basis(design.matrix, priors).T
        return coefficient
    intercept = priors.horseshoe(len(design.matrix), columns)[0]
    overall, slab = np.moveaxis(np.exp(position[..., -columns - 1 : -columns + 1]), -1, 0)
    squared = (overall[..., None] * np.exp(position[..., 1 - columns :])) ** 2
    scale = np.sqrt(squared * slab[..., None] / (slab[..., None] + squared))
    return np.concatenate(
        [intercept * position[..., :1], position[..., 1:columns] * scale], axis=-1
    )


def _others(position: Array, names: list[str]) -> dict[str, Any]:
    """The spread, and the parameters after it as they are sampled."""
    by_draw, spread = ("chain", "draw"), "log_spread" in names
    variables: dict[str, Any] = {}
    if spread:
        variables["spread"] = (by_draw, np.exp(position[..., 0]))
    if len(names) > spread:
        variables["other"] = ((*by_draw, "parameter"), position[..., int(spread) :])
    return variables


def _stored(values: NDArray[Any]) -> NDArray[Any]:
    """The values as NetCDF keeps them, which has no truth values."""
    return values.astype(np.int8) if values.dtype == bool else values


def posteriors(
    designs: Mapping[str, Design],
    specifications: Mapping[str, Specification],
    effort: Effort,
    limits: gate.Gate,
    seed: int,
) -> dict[str, tuple[xr.Dataset, xr.Dataset]]:
    """Posterior and diagnostics of every model.

    Parameters
    ----------
    effort
        Draws, tuning steps and chains.
    limits
        What every posterior must show.

    Raises
    ------
    InputError
        For the first posterior that fails the gate.
    """
    passed = {}
    for name, specification in specifications.items():
        drawn = functools.partial(
            draw,
            designs[name],
            specification,
            seed=seeds.derive(seed, "regression", "posterior", name),
        )
        passed[name] = gate.passed(drawn, effort, limits, name)
    return passed
