"""Each conclusion with test-set size taken out of the index, and the top gap of equal models."""

from collections.abc import Mapping
from typing import Any

from saturation import index
from saturation.files.tables import write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import controls, equal_top
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    seed: int,
    permutations: int,
    same_n: list[int],
    equal: Mapping[str, Any],
    saturated_from: float,
) -> None:
    benchmarks = stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS)
    top_scores = stages.read(inputs["top_scores"], PREPARED_SCORES)
    table = stages.read(inputs["index"], INDEX)
    data = index.annotated(benchmarks, table)
    found = controls.controls(
        data,
        seed=seed,
        permutations=permutations,
        same_n=same_n,
        saturated_from=saturated_from,
    )
    write_csv(found, output["controls"])
    found = equal_top.equal_top(table, top_scores, **equal)
    write_csv(found, output["equal_top"])


stages.run(main, globals())
