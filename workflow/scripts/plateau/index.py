"""Saturation index of every benchmark at one k and alpha."""

from typing import Any

from saturation import index
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.plateau.schemas import PREPARED_BENCHMARKS, PREPARED_SCORES


def main(inputs: Paths, output: Paths, *, k: int | str, alpha: float | str, **options: Any) -> None:
    table = index.index_table(
        stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        stages.read(inputs["top_scores"], PREPARED_SCORES),
        k=int(k),
        alpha=float(alpha),
        **options,
    )
    write_csv(table, output["files"])


stages.run(main, globals())
