"""Alpha of every board, task and pair as the items show it, and pooled over boards."""

from typing import Any

from saturation.boards import alpha
from saturation.boards.ranked import all_ranked
from saturation.boards.schemas import EVALUATIONS
from saturation.files import formats, stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv


def main(inputs: Paths, output: Paths, *, least_coverage: float, **options: Any) -> None:
    responses = {path.stem: formats.read(path) for path in inputs.each("responses")}
    evaluations = stages.read(inputs["evaluations"], EVALUATIONS)
    boards = all_ranked(responses, evaluations, least_coverage)
    settings = alpha.Settings(**options)
    measured = alpha.measured(boards, settings)
    write_csv(measured, output["alpha"])
    write_csv(alpha.pairs(boards, settings), output["pairs"])
    write_csv(alpha.pooled(measured, settings.level), output["pooled"])


stages.run(main, globals())
