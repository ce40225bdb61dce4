"""Draw the specifications of every conclusion."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_csv
from saturation.multiverse.specifications import Data, all_conclusions
from saturation.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    choices: Mapping[str, Any],
    epsilon: float,
    specifications: int,
    seed: int,
    size: str,
) -> None:
    data = Data.of(
        read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        read(inputs["top_scores"], PREPARED_SCORES),
        choices,
        epsilon,
    )
    write_csv(all_conclusions(data, choices, specifications, seed, size), output["files"])


run(main, globals())
