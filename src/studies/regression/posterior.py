"""Posteriors of the joint regression, drawn by nutpie, and the gate that they have to pass."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import prepare_folder
from studies.regression.design import Design
from studies.regression.priors import Effort, Gate, Specification

if TYPE_CHECKING:
    import xarray as xr

# Sampler statistics that do not depend on the clock.
STATISTICS = ["depth", "diverging", "energy", "logp", "n_steps", "step_size"]
# Factors of the configured draws that are tried in turn.
LONGER = (1, 2, 4)

Draw = Callable[[Design, int, Effort], "xr.DataTree"]
"""Posterior of a design, drawn with a seed and an effort."""


def sampler(design: Design, specification: Specification) -> Draw:
    """Compile a model; return what samples its posterior, given any rows of the design.

    A posterior has the groups ``posterior``, ``sample_stats`` and ``observed_data``. The parameters
    are ``coefficient`` (chain, draw, column) and ``spread`` where the likelihood has one.
    Nothing in the posterior tells the time.
    """
    import nutpie
    import xarray as xr

    from studies.regression.model import model

    built = model(design, specification)
    program = nutpie.compile_pymc_model(built)
    names = {variable.name for variable in (*built.free_RVs, *built.deterministics)}
    # Coefficients along the axes repeat the coefficients.
    parameters = sorted(names - {"rotated"})

    def draw(rows: Design, seed: int, effort: Effort) -> "xr.DataTree":
        trace = nutpie.sample(
            program.with_data(matrix=rows.matrix, observed=rows.outcome),
            draws=effort.draws,
            tune=effort.tune,
            chains=effort.chains,
            cores=1,
            seed=seed,
            save_warmup=False,
            progress_bar=False,
        )
        benchmark = {"benchmark": ("row", rows.benchmark.astype(object))}
        groups = {
            "posterior": trace.posterior[parameters],
            "sample_stats": trace.sample_stats[STATISTICS],
            "observed_data": xr.Dataset({"outcome": ("row", rows.outcome)}, benchmark),
        }
        return xr.DataTree.from_dict({name: group.drop_attrs() for name, group in groups.items()})

    return draw


def diagnostics(posterior: "xr.DataTree") -> pd.DataFrame:
    """Compute R-hat and effective sample sizes by ArviZ, a row a parameter, and divergences.

    A coefficient has the name of its column.
    """
    import arviz_stats

    table = arviz_stats.summary(posterior, kind="diagnostics", round_to="none")
    names = table.index.str.replace(r"^coefficient\[(.*)\]$", r"\1", regex=True)
    return pd.DataFrame(
        {
            "parameter": names,
            "rhat": table["r_hat"].to_numpy(float),
            "ess_bulk": table["ess_bulk"].to_numpy(float),
            "ess_tail": table["ess_tail"].to_numpy(float),
            "divergences": int(posterior["sample_stats"]["diverging"].sum()),
        }
    )


def passed(
    drawn: Callable[[Effort], "xr.DataTree"], effort: Effort, gate: Gate, name: str
) -> "tuple[xr.DataTree, pd.DataFrame]":
    """Return the first posterior that passes the gate, with its diagnostics.

    One that fails is drawn again with twice and four times the draws; the failures of the longest
    are an :class:`~saturation.errors.InputError`.
    """
    failed = []
    for factor in LONGER:
        posterior = drawn(replace(effort, draws=factor * effort.draws))
        measured = diagnostics(posterior)
        failed = failures(measured, gate, name)
        if not failed:
            logging.info(
                "fitted %s: %d chains of %d draws, R-hat at most %.4f, %.0f effective draws",
                name,
                effort.chains,
                factor * effort.draws,
                measured["rhat"].max(),
                measured[["ess_bulk", "ess_tail"]].min(axis=None),
            )
            return posterior, measured
    raise InputError(failed)


def failures(measured: pd.DataFrame, gate: Gate, name: str) -> list[str]:
    """List the criteria that a posterior fails, with the worst parameter and its value."""
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
                f"model '{name}': {criterion} of '{measured['parameter'].iloc[place]}' is "
                f"{values[place]:.4g}; allowed: {limit}; {advice}"
            )
    divergences = measured["divergences"].iloc[0]
    if divergences > gate.divergences:
        violations.append(
            f"model '{name}': {divergences} divergent transitions; allowed: at most "
            f"{gate.divergences}; {advice}"
        )
    return violations


def write_netcdf(tree: "xr.DataTree", path: str | Path) -> None:
    """Write a tree of datasets as NetCDF (HDF5), readable by ArviZ.

    The caller leaves out attributes that tell the time.
    """
    tree.to_netcdf(prepare_folder(path), engine="h5netcdf")


def load_netcdf(path: str | Path) -> "xr.DataTree":
    """Read a whole NetCDF tree into memory."""
    import xarray as xr

    try:
        return xr.load_datatree(path, engine="h5netcdf")
    except OSError as error:
        raise InputError(f"{path}: not readable as NetCDF: {error}") from None
