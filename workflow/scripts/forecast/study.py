"""Forecast every benchmark, score past forecasts, and keep this run's with where they come from."""

from collections.abc import Mapping
from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast.schemas import ARCHIVE, SCORES, SERIES
from studies.discriminability.schemas import RESULTS, TOP
from studies.forecast import sources
from studies.forecast.study import Inputs, Settings, study
from studies.plateau.schemas import PREPARED_BENCHMARKS

SCHEMAS = {
    "series": SERIES,
    "scores": SCORES,
    "boards": TOP,
    "benchmarks": PREPARED_BENCHMARKS,
    "kept": ARCHIVE,
    "monthly": RESULTS["monthly"],
    "index": RESULTS["index_over_time"],
}


def main(
    inputs: Paths,
    output: Paths,
    *,
    settings: Mapping[str, Any],
    observed_on: str,
    seed: int,
    version: str,
) -> None:
    given = stages.read_all(inputs, SCHEMAS)
    chosen = Settings.of(settings, observed_on, seed)
    tables = study(Inputs(**given), chosen, str(inputs["scores"]))
    for name, table in vars(tables).items():
        write_csv(table, output[name])
    content = [inputs[name].read_bytes() for name in ("series", "scores", "boards")]
    write_csv(sources.archived(tables.bands, content, version), output["archive"])


stages.run(main, globals())
