"""The gate behind the sampler: a posterior is used only if its diagnostics pass."""

from dataclasses import dataclass

import numpy as np
import xarray as xr
from arviz_stats.base import array_stats
from numpy.typing import NDArray

from saturation.errors import InputError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Gate:
    """What a posterior must show before anything is computed from it (Vehtari et al. 2021)."""

    rhat: float
    ess: float
    divergences: int


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
            "ess_bulk": ("parameter", effective_draws(draws, "bulk")),
            "ess_tail": ("parameter", effective_draws(draws, "tail")),
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
        With every failure.
    """
    if failed := failures(found, gate, name):
        raise InputError(failed)


def failures(found: xr.Dataset, gate: Gate, name: str) -> list[str]:
    """What a posterior fails: for each failed criterion the worst parameter and its value."""
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
    return violations


def effective_draws(draws: Array, method: str) -> Array:
    """Effective sample size of each parameter, ``bulk`` or ``tail`` (the 5 % and 95 % quantiles).

    Parameters
    ----------
    draws
        Shape (parameter, chain, draw).
    method
        ``bulk`` or ``tail``.
    """
    tails = {"prob": (0.05, 0.95)} if method == "tail" else {}
    return array_stats.ess(draws, chain_axis=1, draw_axis=2, method=method, **tails)
