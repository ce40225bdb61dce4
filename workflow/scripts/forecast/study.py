"""Forecast every benchmark, score past forecasts, and archive this run's with their origin."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import load_table, write_csv
from studies.discriminability.schemas import RESULTS, TOP
from studies.files import stages
from studies.files.stages import Paths
from studies.forecast import sources
from studies.forecast.schemas import ARCHIVE
from studies.forecast.study import Settings, study

SCHEMAS = {
    "boards": TOP,
    "kept": ARCHIVE,
    "monthly": RESULTS["monthly"],
    "index": RESULTS["index_over_time"],
}


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any], version: str) -> None:
    tables_read = {
        name: stages.read(path, SCHEMAS[name]) if name in SCHEMAS else load_table(path)
        for name, path in inputs.items()
    }
    tables = study(tables_read, Settings(**settings), str(inputs["scores"]))
    for name, table in tables.items():
        write_csv(table, output[name])
    content = [inputs[name].read_bytes() for name in ("series", "scores", "boards")]
    write_csv(sources.archived(tables["chances"], content, version), output["archive"])


stages.run(main, globals())
