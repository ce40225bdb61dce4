"""Figures of the joint regression over all models of the default run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

from saturation import figures, files, regression_figures, regression_fit
from saturation.regression_design import Design

SUFFIXES = ("png", "pdf", "svg")
KINDS = ("coefficients", "checks", "diagnostics")

Specifications = Mapping[str, Mapping[str, Any]]


def main(folder: Path, models: Sequence[str], specifications: Specifications, output: Path) -> None:
    fit = files.read_table(folder / "fit.csv")
    tables = {
        kind: {model: files.read_table(folder / model / f"{kind}.csv") for model in models}
        for kind in KINDS
    }
    posteriors = {model: files.read_netcdf(folder / model / "posterior.nc") for model in models}
    beta = [model for model in models if specifications[model]["likelihood"] == "beta"]
    curve = beta or list(models)
    forest = "interaction" if "interaction" in models else models[0]
    gaps = [model for model in models if specifications[model]["outcome"] == "log_gap"]
    worst = {
        model: str(table.loc[table["rhat"].idxmax(), "parameter"])
        for model, table in tables["diagnostics"].items()
    }
    with figures.style():
        drawn = {
            "overfitting": regression_figures.overfitting(fit[fit["model"].isin(curve)]),
            "forest": regression_figures.forest(
                tables["coefficients"][forest], _rows(fit, forest), forest
            ),
            "auroc": regression_figures.auroc_posterior(
                {
                    model: _auroc(folder / model, posteriors[model], specifications[model])
                    for model in curve
                },
                fit[fit["model"].isin(curve)],
            ),
            "artefact": regression_figures.artefact(
                files.read_table(folder / "permutations.csv"),
                files.read_table(folder / "located.csv"),
                tables["coefficients"][gaps[0]] if gaps else None,
                int(fit["rows"].min()),
            ),
            "sampling": regression_figures.diagnostics(posteriors, worst),
            "checks": regression_figures.checks(
                tables["checks"], {model: _rows(fit, model) for model in models}
            ),
        }
        for name, figure in drawn.items():
            files.write_figure(figure, [output / f"{name}.{suffix}" for suffix in SUFFIXES])


def _auroc(
    folder: Path, posterior: xr.Dataset, specification: Mapping[str, Any]
) -> regression_fit.Array:
    design = Design.from_table(files.read_table(folder / "design.csv"))
    draws = regression_fit.Draws.of(posterior)
    expected = regression_fit.expected(draws, design.matrix, specification["likelihood"])
    score = regression_fit.saturation_score(expected, specification["outcome"])
    return regression_fit.auroc(score, design.saturated)


def _rows(fit: pd.DataFrame, model: str) -> int:
    return int(fit.loc[fit["model"] == model, "rows"].iloc[0])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.fit).parent,
            snakemake.params.models,
            snakemake.params.specifications,
            Path(snakemake.output[0]).parent,
        )
