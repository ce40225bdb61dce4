"""The gate behind the sampler: a posterior is used only if its diagnostics pass."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from saturation.errors import InputError
from saturation.regression.convergence import convergence
from saturation.regression.specification import Effort

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

# Factors of the configured draws that are tried in turn.
LONGER = (1, 2, 4)


@dataclass(frozen=True)
class Gate:
    """What a posterior must show before anything is computed from it (Vehtari et al. 2021).

    Attributes
    ----------
    ess
        Smallest bulk and tail effective sample size that passes.
    divergences
        Most divergent transitions that pass.
    """

    rhat: float
    ess: float
    divergences: int


def diagnostics(posterior: "xr.Dataset") -> "xr.Dataset":
    """R-hat and effective sample sizes of every parameter, rank-normalised (Vehtari et al. 2021).

    Returns
    -------
    xarray.Dataset
        ``rhat``, ``ess_bulk``, ``ess_tail`` over ``parameter``; attribute ``divergences``.
    """
    import xarray as xr

    draws, names = parameters(posterior)
    return xr.Dataset(
        {name: ("parameter", values) for name, values in vars(convergence(draws)).items()},
        {"parameter": names},
        {"divergences": int(posterior["diverging"].sum())},
    )


def diagnostics_table(measured: "xr.Dataset") -> pd.DataFrame:
    """Diagnostics as a table: ``parameter, rhat, ess_bulk, ess_tail, divergences``."""
    table: pd.DataFrame = measured.to_dataframe().reset_index()
    return table.assign(divergences=measured.attrs["divergences"])


def parameters(posterior: "xr.Dataset") -> tuple[Array, list[str]]:
    """Draws of every parameter, shape (parameter, chain, draw), and their names."""
    draws = posterior["coefficient"].transpose("column", "chain", "draw").to_numpy()
    names = [str(name) for name in posterior["column"].to_numpy()]
    if "spread" in posterior:
        draws = np.concatenate([draws, posterior["spread"].to_numpy()[None]])
        names.append("spread")
    if "other" in posterior:
        others = posterior["other"].transpose("parameter", "chain", "draw")
        draws = np.concatenate([draws, others.to_numpy()])
        names += [str(name) for name in others["parameter"].to_numpy()]
    return draws, names


def passed(
    draw: "Callable[[Effort], xr.Dataset]", effort: Effort, gate: Gate, name: str
) -> "tuple[xr.Dataset, xr.Dataset]":
    """The first posterior that passes the gate, with its diagnostics.

    One that fails is drawn again with twice and four times the draws.
    """
    failed: list[str] = []
    for factor in LONGER:
        posterior = draw(replace(effort, draws=factor * effort.draws))
        measured = diagnostics(posterior)
        failed = failures(measured, gate, name)
        if not failed:
            logging.info(
                "fitted %s: %d draws, R-hat at most %.4f, at least %.0f effective draws",
                name,
                posterior.sizes["chain"] * posterior.sizes["draw"],
                float(measured["rhat"].max()),
                float(min(measured["ess_bulk"].min(), measured["ess_tail"].min())),
            )
            return posterior, measured
    raise InputError(failed)


def failures(measured: "xr.Dataset", gate: Gate, name: str) -> list[str]:
    """What a posterior fails: for each failed criterion the worst parameter and its value."""
    violations = []
    advice = "raise regression.sampling.draws or .tune, or tighten the priors"
    for criterion, least, limit in (
        ("rhat", False, f"at most {gate.rhat}"),
        ("ess_bulk", True, f"at least {gate.ess:g}"),
        ("ess_tail", True, f"at least {gate.ess:g}"),
    ):
        values = measured[criterion].to_numpy()
        place = int(values.argmin() if least else values.argmax())
        # What is no number does not pass.
        if not (values[place] >= gate.ess if least else values[place] <= gate.rhat):
            violations.append(
                f"model '{name}': {criterion} of '{measured['parameter'].to_numpy()[place]}' is "
                f"{values[place]:.4g}; allowed: {limit}; {advice}"
            )
    if measured.attrs["divergences"] > gate.divergences:
        violations.append(
            f"model '{name}': {measured.attrs['divergences']} divergent transitions; allowed: at "
            f"most {gate.divergences}; {advice}"
        )
    return violations


def bfmi(energy: Array) -> Array:
    """Estimated Bayesian fraction of missing information of each chain (Betancourt 2016, eq. 4).

    Written out, since a figure needs nothing else of ArviZ's statistics.
    """
    fraction: Array = np.square(np.diff(energy, axis=1)).mean(axis=1) / energy.var(axis=1, ddof=1)
    return fraction
