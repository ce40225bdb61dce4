"""Figures of the joint regression over all models of the default run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import xarray as xr

from saturation.drawing import style
from saturation.files.tables import logged, read_netcdf, read_table, write_figure
from saturation.regression import figures, validation
from saturation.regression.design import Design

SUFFIXES = ("png", "pdf", "svg")
KINDS = ("coefficients", "checks", "diagnostics")

Specifications = Mapping[str, Mapping[str, Any]]


def main(folder: Path, models: Sequence[str], specifications: Specifications, output: Path) -> None:
    fit = read_table(folder / "fit.csv")
    tables = {
        kind: {model: read_table(folder / model / f"{kind}.csv") for model in models}
        for kind in KINDS
    }
    posteriors = {model: read_netcdf(folder / model / "posterior.nc") for model in models}
    beta = [model for model in models if specifications[model]["likelihood"] == "beta"]
    curve = beta or list(models)
    forest = "interaction" if "interaction" in models else models[0]
    gaps = [model for model in models if specifications[model]["outcome"] == "log_gap"]
    worst = {
        model: str(table.loc[table["rhat"].idxmax(), "parameter"])
        for model, table in tables["diagnostics"].items()
    }
    with style.style():
        drawn = {
            "overfitting": figures.overfitting(fit[fit["model"].isin(curve)]),
            "forest": figures.forest(tables["coefficients"][forest], _rows(fit, forest), forest),
            "auroc": figures.auroc_posterior(
                {
                    model: _auroc(folder / model, posteriors[model], specifications[model])
                    for model in curve
                },
                fit[fit["model"].isin(curve)],
            ),
            "artefact": figures.artefact(
                read_table(folder / "permutations.csv"),
                read_table(folder / "located.csv"),
                tables["coefficients"][gaps[0]] if gaps else None,
                int(fit["rows"].min()),
            ),
            "sampling": figures.diagnostics(posteriors, worst),
            "checks": figures.checks(
                tables["checks"], {model: _rows(fit, model) for model in models}
            ),
        }
        for name, figure in drawn.items():
            write_figure(figure, [output / f"{name}.{suffix}" for suffix in SUFFIXES])


def _auroc(
    folder: Path, posterior: xr.Dataset, specification: Mapping[str, Any]
) -> validation.Array:
    design = Design.from_table(read_table(folder / "design.csv"))
    draws = validation.Draws.of(posterior)
    expected = validation.expected(draws, design.matrix, specification["likelihood"])
    score = validation.saturation_score(expected, specification["outcome"])
    return validation.auroc(score, design.saturated)


def _rows(fit: pd.DataFrame, model: str) -> int:
    return int(fit.loc[fit["model"] == model, "rows"].iloc[0])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.fit).parent,
            snakemake.params.models,
            snakemake.params.specifications,
            Path(snakemake.output[0]).parent,
        )
