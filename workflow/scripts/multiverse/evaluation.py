"""Evaluate one chunk of the specifications, as observed and under every permutation."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_array, write_csv
from saturation.multiverse.evaluation import chunk_of, evaluate, orders_of
from saturation.multiverse.specifications import SPECIFICATIONS, Data
from saturation.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    choices: Mapping[str, Any],
    epsilon: float,
    permutations: int,
    seed: int,
    size: str,
    chunk: str,
) -> None:
    data = Data.of(
        read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        read(inputs["top_scores"], PREPARED_SCORES),
        choices,
        epsilon,
    )
    table = read(inputs["specifications"], SPECIFICATIONS)
    number, chunks = map(int, chunk.split("-of-"))
    table = table[chunk_of(table, chunks) == number - 1]
    # The same permutations in every chunk: the joint test permutes all specifications together.
    effect, z = evaluate(data, table, orders_of(data, permutations, seed, size))
    write_csv(table.assign(effect=effect[:, 0], z=z[:, 0]), output["evaluated"])
    write_array(effect[:, 1:].astype("float32"), output["effect"])
    write_array(z[:, 1:].astype("float32"), output["z"])


run(main, globals())
