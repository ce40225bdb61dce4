"""Alpha of every board, its top and items, and the published benchmarks at that alpha."""

from collections.abc import Mapping
from typing import Any

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies.boards import study
from studies.boards.ranked import Settings, all_ranked
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau.schemas import INDEX


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    chosen = Settings(**settings)
    responses = {path.stem: formats.read(path) for path in inputs.each("responses")}
    evaluations = load_table(inputs["evaluations"])
    boards = all_ranked(responses, evaluations, chosen.least_coverage)
    benchmarks = stages.read(inputs["index"], INDEX)
    tables = study.study(boards, benchmarks, chosen)
    for name, table in tables.items():
        write_csv(table, output[name])


stages.run(main, globals())
