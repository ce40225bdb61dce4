"""Every board's top, items, course over time and smallest subsets."""

from typing import Any

from saturation.boards import overview
from saturation.boards.ranked import all_ranked
from saturation.boards.schemas import ALPHA, EVALUATIONS
from saturation.files import formats, stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html


def main(
    inputs: Paths,
    output: Paths,
    *,
    frontier: dict[str, Any],
    **options: Any,
) -> None:
    settings = overview.settings(frontier, **options)
    responses = {path.stem: formats.read(path) for path in inputs.each("responses")}
    evaluations = stages.read(inputs["evaluations"], EVALUATIONS)
    boards = all_ranked(responses, evaluations, settings.frontier.least_coverage)
    tables = overview.overview(boards, stages.read(inputs["alpha"], ALPHA), settings)
    for name, table in tables.items():
        write_csv(table, output[name])
    write_html(overview.shown(tables), output["page"], "Real leaderboards, item by item")


stages.run(main, globals())
