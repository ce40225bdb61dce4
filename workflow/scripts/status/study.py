"""Judge every benchmark, and draw the current benchmarks."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import load_table, write_csv
from studies import style
from studies.boards import schemas as boards
from studies.boards.names import BANKS
from studies.files import stages
from studies.files.stages import Paths
from studies.forecast.schemas import CHANCES, FRONTIER
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES
from studies.status import figures
from studies.status.study import (
    FACTS,
    ISSUES,
    Settings,
    study,
)
from studies.style import write_figures

SCHEMAS = {
    "facts": FACTS,
    "issues": ISSUES,
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
    # The other tables are kept by the study itself.
    tables_read = {
        name: stages.read(path, SCHEMAS[name]) if name in SCHEMAS else load_table(path)
        for name, path in inputs.items()
    }
    frontier = tables_read.pop("frontier")
    # The item banks of small encoder models are no leaderboards.
    overview = tables_read["overview"]
    tables_read["overview"] = overview[~overview["board"].isin(list(BANKS))]
    tables = study(tables_read, chosen)
    for name, table in tables.items():
        write_csv(table, output[name])
    with style.style():
        drawn = {
            "overview": figures.overview(tables["status"], chosen.exhausted_from),
            "outlook": figures.outlook(tables["status"], frontier, tables_read["chances"]),
        }
        write_figures(drawn, output.each("figures"))


stages.run(main, globals())
