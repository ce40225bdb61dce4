"""Sample the posterior of every model of the run, and hold benchmarks out by importance sampling.

One job, because models of one likelihood share a compiled program. Nothing is written unless every
posterior passes the gate.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saturation import seeds
from saturation.files.tables import logged, read_table, write_csv, write_netcdf
from saturation.regression import gate as sampling_gate
from saturation.regression import sampler, validation
from saturation.regression.design import Design
from saturation.regression.priors import Priors


def main(
    folder: Path,
    specifications: Mapping[str, Mapping[str, Any]],
    *,
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    model_seeds: Mapping[str, int],
    cores: int,
) -> None:
    designs = {
        name: Design.from_table(read_table(folder / name / "design.csv")) for name in specifications
    }
    samplers: dict[str, sampler.Sampler] = {}
    passed = {}
    for name, specification in specifications.items():
        likelihood = specification["likelihood"]
        if likelihood not in samplers:
            columns = max(
                len(design.columns)
                for other, design in designs.items()
                if specifications[other]["likelihood"] == likelihood
            )
            samplers[likelihood] = sampler.Sampler(likelihood, columns, cores)
        posterior = samplers[likelihood].draw(
            designs[name],
            Priors(**specification["priors"]),
            sampler.Effort(**effort),
            model_seeds[name],
        )
        found = sampling_gate.diagnostics(posterior)
        sampling_gate.check(found, sampling_gate.Gate(**gate), name)
        passed[name] = posterior, found
    for name, (posterior, found) in passed.items():
        write_netcdf(posterior, folder / name / "posterior.nc")
        table = found.to_dataframe().reset_index().assign(divergences=found.attrs["divergences"])
        write_csv(table, folder / name / "diagnostics.csv")
        draws = validation.Draws.of(posterior)
        likelihood = specifications[name]["likelihood"]
        held_out = validation.leave_one_out(draws, designs[name], likelihood)
        write_csv(held_out, folder / name / "loo.csv")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.output[0]).parents[1],
            snakemake.params.specifications,
            effort=snakemake.params.effort,
            gate=snakemake.params.gate,
            model_seeds={
                name: seeds.derive(snakemake.params.seed, "regression", "posterior", name)
                for name in snakemake.params.specifications
            },
            cores=snakemake.threads,
        )
