"""Judge every benchmark, and draw those with a forecast."""

from collections.abc import Mapping
from typing import Any

from saturation.boards import schemas as boards
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_figures
from saturation.forecast.schemas import DESCRIBED, REACH, SCORES
from saturation.pages import style
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES
from saturation.status import figures
from saturation.status.study import FACTS, ISSUES, Inputs, Settings, study

SCHEMAS = {
    "facts": FACTS,
    "issues": ISSUES,
    "series": DESCRIBED,
    "scores": SCORES,
    "reach": REACH,
    "overview": boards.OVERVIEW,
    "models": boards.MODELS,
    "benchmarks": PREPARED_BENCHMARKS,
    "top_scores": PREPARED_SCORES,
    "index": INDEX,
}


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    chosen = Settings(**settings)
    tables = study(Inputs(**stages.read_all(inputs, SCHEMAS)), chosen)
    for name, table in vars(tables).items():
        write_csv(table, output[name])
    with style.style():
        figure = figures.overview(tables.status, chosen.exhausted_from)
        write_figures({"overview": figure}, output.each("figures"))


stages.run(main, globals())
