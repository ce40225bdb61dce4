"""Each conclusion with test-set size taken out of the index, and the top gap of equal models."""

from collections.abc import Mapping
from typing import Any

from saturation import index
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.plateau import controls, equal_top
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    seed: int,
    permutations: int,
    same_n: list[int],
    equal: Mapping[str, Any],
    **options: float,
) -> None:
    benchmarks = stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS)
    top_scores = stages.read(inputs["top_scores"], PREPARED_SCORES)
    table = stages.read(inputs["index"], INDEX)
    data = index.annotated(benchmarks, table)
    drawn = {"seed": seed, "permutations": permutations, "same_n": same_n}
    write_csv(controls.controls(data, **drawn, **options), output["controls"])
    write_csv(equal_top.equal_top(table, top_scores, **equal, **options), output["equal_top"])


stages.run(main, globals())
