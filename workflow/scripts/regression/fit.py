"""Fit in and out of sample, coefficients and predictive checks of one model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.files.tables import logged, read_netcdf, read_table, write_csv
from saturation.regression import validation
from saturation.regression.design import Design
from saturation.regression.priors import Priors


def main(
    design: Path,
    posterior: Path,
    loo: Path,
    refits: Sequence[Path],
    outputs: Mapping[str, Path],
    *,
    specification: Mapping[str, Any],
    bootstrap: int,
    pareto_k: float,
    seed: int,
) -> None:
    built = Design.from_table(read_table(design))
    draws = validation.Draws.of(read_netcdf(posterior))
    likelihood, outcome = specification["likelihood"], specification["outcome"]
    held = validation.with_refits(
        read_table(loo), [read_table(chunk) for chunk in refits], pareto_k
    )
    write_csv(held, outputs["held_out"])
    measured = validation.out_of_sample(
        held, outcome, bootstrap, seeds.generator(seed, "bootstrap")
    )
    inside = validation.in_sample(draws, built, likelihood, outcome)
    fit = pd.concat([inside.assign(held_out=False), measured.assign(held_out=True)])
    rows, columns = built.matrix.shape
    fit = fit.assign(
        rows=rows,
        columns=columns,
        exact_refits=int((held["how"] == "exact").sum()),
        unreliable=int((held["how"] == "unreliable").sum()),
    )
    write_csv(fit, outputs["fit"])
    priors = Priors(**specification["priors"])
    table = validation.coefficients(draws, built, likelihood, priors)
    write_csv(table, outputs["coefficients"])
    checks = validation.predictive_checks(draws, built, likelihood, seeds.generator(seed, "checks"))
    write_csv(checks, outputs["checks"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.design),
            Path(snakemake.input.posterior),
            Path(snakemake.input.loo),
            [Path(path) for path in snakemake.input.refits],
            {name: Path(path) for name, path in snakemake.output.items()},
            specification=snakemake.params.specification,
            bootstrap=snakemake.params.bootstrap,
            pareto_k=snakemake.params.pareto_k,
            seed=seeds.derive(
                snakemake.params.seed, "regression", "fit", snakemake.wildcards.model
            ),
        )
