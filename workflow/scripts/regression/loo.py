"""Held-out predictions of one model by importance sampling, with Pareto k."""

from pathlib import Path

from saturation import files, regression_fit
from saturation.regression_design import Design


def main(design: Path, posterior: Path, output: Path, *, likelihood: str) -> None:
    built = Design.from_table(files.read_table(design))
    draws = regression_fit.Draws.of(files.read_netcdf(posterior))
    files.write_csv(regression_fit.leave_one_out(draws, built, likelihood), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.design),
            Path(snakemake.input.posterior),
            Path(snakemake.output[0]),
            likelihood=snakemake.params.likelihood,
        )
