"""Exact refits of a model without the benchmarks whose importance sampling cannot be trusted.

One program is compiled a job, and only if there is anything to refit. A refit that fails its gate
is drawn again with more draws; only one that fails with the most stops the run.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import xarray as xr

from saturation import seeds
from saturation.errors import InputError
from saturation.files.tables import logged, read_table, write_csv
from saturation.regression import gate as sampling_gate
from saturation.regression import validation
from saturation.regression.design import Design
from saturation.regression.priors import Priors

if TYPE_CHECKING:
    from saturation.regression.sampler import Effort, Sampler

COLUMNS = ["benchmark_id", "prediction", "elpd", "draws", "rhat", "ess", "divergences"]
# Factors of the configured draws that are tried in turn.
LONGER = (1, 2, 4)


def main(
    design: Path,
    loo: Path,
    output: Path,
    *,
    specification: Mapping[str, Any],
    pareto_k: float,
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    chunk: int,
    chunks: int,
    seed: int,
    cores: int,
) -> None:
    table = read_table(loo)
    left_out = table.loc[table["pareto_k"] > pareto_k, "benchmark_id"].tolist()[chunk::chunks]
    rows = []
    if left_out:
        from saturation.regression.sampler import Effort, Sampler

        built = Design.from_table(read_table(design))
        sampler = Sampler(specification["likelihood"], len(built.columns), cores)
        for label in left_out:
            gone = built.benchmark == label
            posterior, found = _refit(
                sampler,
                built.without(gone),
                Priors(**specification["priors"]),
                Effort(**effort),
                sampling_gate.Gate(**gate),
                seeds.derive(seed, label),
                name=f"refit without {label}",
            )
            draws = validation.Draws.of(posterior)
            prediction = validation.held_out(draws, built, specification["likelihood"], gone)
            rows.append({"benchmark_id": label} | prediction | _diagnosed(posterior, found))
    write_csv(pd.DataFrame(rows, columns=COLUMNS), output)


def _refit(
    sampler: "Sampler",
    design: Design,
    priors: Priors,
    effort: "Effort",
    gate: sampling_gate.Gate,
    seed: int,
    name: str,
) -> tuple[xr.Dataset, xr.Dataset]:
    failed: list[str] = []
    for factor in LONGER:
        longer = replace(effort, draws=factor * effort.draws)
        posterior = sampler.draw(design, priors, longer, seed)
        found = sampling_gate.diagnostics(posterior)
        failed = sampling_gate.failures(found, gate, name)
        if not failed:
            return posterior, found
    raise InputError(failed)


def _diagnosed(posterior: xr.Dataset, found: xr.Dataset) -> dict[str, float]:
    return {
        "draws": posterior.sizes["draw"],
        "rhat": float(found["rhat"].max()),
        "ess": float(min(found["ess_bulk"].min(), found["ess_tail"].min())),
        "divergences": found.attrs["divergences"],
    }


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.design),
            Path(snakemake.input.loo),
            Path(snakemake.output[0]),
            specification=snakemake.params.specification,
            pareto_k=snakemake.params.pareto_k,
            effort=snakemake.params.effort,
            gate=snakemake.params.gate,
            chunk=int(snakemake.wildcards.chunk),
            chunks=snakemake.params.chunks,
            seed=seeds.derive(
                snakemake.params.seed, "regression", "refits", snakemake.wildcards.model
            ),
            cores=snakemake.threads,
        )
