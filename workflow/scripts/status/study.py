"""Judge every benchmark, and draw those with a forecast."""

from collections.abc import Mapping
from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_figures
from saturation.forecast.schemas import DESCRIBED, REACH, SCORES
from saturation.pages import style
from saturation.status.study import FACTS, ISSUES, Inputs, Settings, study
from studies.boards import schemas as boards
from studies.boards.names import BANKS
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES
from studies.status import figures

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
    tables_read = stages.read_all(inputs, SCHEMAS)
    # The item banks of small encoder models are no leaderboards.
    overview = tables_read["overview"]
    tables_read["overview"] = overview[~overview["board"].isin(list(BANKS))]
    tables = study(Inputs(**tables_read), chosen)
    for name, table in vars(tables).items():
        write_csv(table, output[name])
    with style.style():
        figure = figures.overview(tables.status, chosen.exhausted_from)
        write_figures({"overview": figure}, output.each("figures"))


stages.run(main, globals())
