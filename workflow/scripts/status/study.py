"""Judge every benchmark, and draw the current benchmarks."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import write_csv
from studies import style
from studies.boards import schemas as boards
from studies.boards.names import BANKS
from studies.files import stages
from studies.files.stages import Paths
from studies.forecast.schemas import CHANCES, FRONTIER, SCORES, SERIES
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES
from studies.status import figures
from studies.status.study import (
    FACTS,
    ISSUES,
    LISTED_MODELS,
    REPORTS,
    SAID,
    Inputs,
    Settings,
    study,
)
from studies.style import write_figures

SCHEMAS = {
    "facts": FACTS,
    "issues": ISSUES,
    "series": SERIES,
    "scores": SCORES,
    "reports": REPORTS,
    "listed": LISTED_MODELS,
    "said": SAID,
    "chances": CHANCES,
    "frontier": FRONTIER,
    "overview": boards.OVERVIEW,
    "models": boards.MODELS,
    "benchmarks": PREPARED_BENCHMARKS,
    "top_scores": PREPARED_SCORES,
    "index": INDEX,
}


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    chosen = Settings(**settings)
    tables_read = stages.load_all(inputs, SCHEMAS)
    frontier = tables_read.pop("frontier")
    # The item banks of small encoder models are no leaderboards.
    overview = tables_read["overview"]
    tables_read["overview"] = overview[~overview["board"].isin(list(BANKS))]
    tables = study(Inputs(**tables_read), chosen)
    for name, table in vars(tables).items():
        write_csv(table, output[name])
    with style.style():
        drawn = {
            "overview": figures.overview(tables.status, chosen.exhausted_from),
            "outlook": figures.outlook(tables.status, frontier, tables_read["chances"]),
        }
        write_figures(drawn, output.each("figures"))


stages.run(main, globals())
