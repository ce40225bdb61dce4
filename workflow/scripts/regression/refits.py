"""Exact refits of a model without the benchmarks whose importance sampling cannot be trusted.

One program is compiled a job, and only if there is anything to refit.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import files, regression_fit, regression_gate, seeds
from saturation.regression_design import Design
from saturation.regression_priors import Priors

COLUMNS = ["benchmark_id", "prediction", "elpd", "rhat", "ess", "divergences"]


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
    table = files.read_table(loo)
    left_out = table.loc[table["pareto_k"] > pareto_k, "benchmark_id"].tolist()[chunk::chunks]
    rows = []
    if left_out:
        built = Design.from_table(files.read_table(design))
        rows = _refits(left_out, built, specification, effort, gate, seed, cores)
    files.write_csv(pd.DataFrame(rows, columns=COLUMNS), output)


def _refits(
    left_out: list[str],
    design: Design,
    specification: Mapping[str, Any],
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    seed: int,
    cores: int,
) -> list[dict[str, Any]]:
    from saturation import regression

    priors, likelihood = Priors(**specification["priors"]), specification["likelihood"]
    sampler = regression.Sampler(likelihood, len(design.columns), cores)
    rows = []
    for label in left_out:
        gone = design.benchmark == label
        posterior = sampler.draw(
            design.without(gone), priors, regression.Effort(**effort), seeds.derive(seed, label)
        )
        found = regression_gate.diagnostics(posterior)
        regression_gate.check(found, regression_gate.Gate(**gate), f"refit without {label}")
        draws = regression_fit.Draws.of(posterior)
        rows.append(
            {"benchmark_id": label}
            | regression_fit.held_out(draws, design, likelihood, gone)
            | {
                "rhat": float(found["rhat"].max()),
                "ess": float(min(found["ess_bulk"].min(), found["ess_tail"].min())),
                "divergences": found.attrs["divergences"],
            }
        )
    return rows


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
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
