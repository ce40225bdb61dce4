"""Fit in and out of sample, coefficients and predictive checks of one model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import files, regression_fit, seeds
from saturation.regression_design import Design
from saturation.regression_priors import Priors


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
    built = Design.from_table(files.read_table(design))
    draws = regression_fit.Draws.of(files.read_netcdf(posterior))
    likelihood, outcome = specification["likelihood"], specification["outcome"]
    held = regression_fit.with_refits(
        files.read_table(loo), [files.read_table(chunk) for chunk in refits], pareto_k
    )
    files.write_csv(held, outputs["held_out"])
    measured = regression_fit.out_of_sample(
        held, outcome, bootstrap, seeds.generator(seed, "bootstrap")
    )
    inside = regression_fit.in_sample(draws, built, likelihood, outcome)
    fit = pd.concat([inside.assign(held_out=False), measured.assign(held_out=True)])
    rows, columns = built.matrix.shape
    fit = fit.assign(
        rows=rows,
        columns=columns,
        exact_refits=int((held["how"] == "exact").sum()),
        unreliable=int((held["how"] == "unreliable").sum()),
    )
    files.write_csv(fit, outputs["fit"])
    priors = Priors(**specification["priors"])
    table = regression_fit.coefficients(draws, built, likelihood, priors)
    files.write_csv(table, outputs["coefficients"])
    checks = regression_fit.predictive_checks(
        draws, built, likelihood, seeds.generator(seed, "checks")
    )
    files.write_csv(checks, outputs["checks"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
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
