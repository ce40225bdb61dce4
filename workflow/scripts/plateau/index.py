"""Saturation index of every benchmark, at the run's k and alpha and at those of Table 1."""

from typing import Any

from saturation import index
from saturation.files.tables import write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    k: int,
    alpha: float,
    settings: list[tuple[int, float]],
    **options: Any,
) -> None:
    benchmarks = stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS)
    top_scores = stages.read(inputs["top_scores"], PREPARED_SCORES)
    paths = (output["default"], *output.each("settings"))
    for (models, exponent), path in zip([(k, alpha), *settings], paths, strict=True):
        table = index.index_table(benchmarks, top_scores, k=models, alpha=exponent, **options)
        write_csv(table, path)


stages.run(main, globals())
