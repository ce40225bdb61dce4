"""Draw the specifications of every conclusion."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from saturation import seeds
from saturation.files.stages import read
from saturation.files.tables import logged, write_csv
from saturation.multiverse import specifications as multiverse
from saturation.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    benchmarks: Path,
    top_scores: Path,
    output: Path,
    *,
    choices: Mapping[str, Any],
    epsilon: float,
    specifications: int,
    seed: int,
    size: str,
) -> None:
    data = multiverse.Data(
        read(benchmarks, PREPARED_BENCHMARKS), read(top_scores, PREPARED_SCORES), choices, epsilon
    )
    drawn = [
        multiverse.specifications(
            data,
            conclusion,
            choices,
            specifications,
            seeds.generator(seed, "multiverse", "specifications", size, conclusion.name),
        )
        for conclusion in multiverse.CONCLUSIONS.values()
    ]
    write_csv(pd.concat(drawn), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.output[0]),
            size=snakemake.wildcards.size,
            **snakemake.params,
        )
