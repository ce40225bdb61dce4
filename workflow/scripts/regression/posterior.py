"""Sample one model's posterior; it is written only if it passes the gate."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saturation import files, regression, regression_gate, seeds
from saturation.regression_design import Design
from saturation.regression_priors import Priors


def main(
    design: Path,
    posterior: Path,
    diagnostics: Path,
    *,
    name: str,
    specification: Mapping[str, Any],
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    seed: int,
    cores: int,
) -> None:
    built = Design.from_table(files.read_table(design))
    priors = Priors(**specification["priors"])
    sampler = regression.Sampler(built, specification["likelihood"], priors, cores)
    draws = sampler.draw(built.matrix, built.outcome, regression.Effort(**effort), seed)
    found = regression_gate.diagnostics(draws)
    regression_gate.check(found, regression_gate.Gate(**gate), name)
    files.write_netcdf(draws, posterior)
    table = found.to_dataframe().reset_index().assign(divergences=found.attrs["divergences"])
    files.write_csv(table, diagnostics)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.design),
            Path(snakemake.output.posterior),
            Path(snakemake.output.diagnostics),
            name=snakemake.wildcards.model,
            specification=snakemake.params.specification,
            effort=snakemake.params.effort,
            gate=snakemake.params.gate,
            seed=seeds.derive(
                snakemake.params.seed, "regression", "posterior", snakemake.wildcards.model
            ),
            cores=snakemake.threads,
        )
