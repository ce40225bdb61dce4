"""Evaluate one chunk of the specifications, as observed and under every permutation."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saturation import seeds
from saturation.files.stages import read
from saturation.files.tables import logged, write_array, write_csv
from saturation.multiverse import specifications as multiverse
from saturation.multiverse.schemas import SPECIFICATIONS
from saturation.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    benchmarks: Path,
    top_scores: Path,
    specifications: Path,
    output: Mapping[str, Path],
    *,
    choices: Mapping[str, Any],
    epsilon: float,
    permutations: int,
    seed: int,
    size: str,
    chunk: int,
    chunks: int,
) -> None:
    data = multiverse.Data(
        read(benchmarks, PREPARED_BENCHMARKS), read(top_scores, PREPARED_SCORES), choices, epsilon
    )
    table = read(specifications, SPECIFICATIONS)
    own = table[multiverse.chunk_of(table, chunks) == chunk - 1]
    # The same permutations in every chunk: the joint test permutes all specifications together.
    rng = seeds.generator(seed, "multiverse", "permutations", size)
    orders = multiverse.permuted_orders(len(data), permutations, rng)
    effect, z = multiverse.evaluate(data, own, orders)
    write_csv(own.assign(effect=effect[:, 0], z=z[:, 0]), output["evaluated"])
    write_array(effect[:, 1:].astype("float32"), output["effect"])
    write_array(z[:, 1:].astype("float32"), output["z"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.input.specifications),
            output={name: Path(path) for name, path in snakemake.output.items()},
            size=snakemake.wildcards.size,
            chunk=int(snakemake.wildcards.chunk),
            chunks=int(snakemake.wildcards.chunks),
            **snakemake.params,
        )
