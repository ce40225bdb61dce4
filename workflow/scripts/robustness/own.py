"""Consistency of the user's predictions, what it follows, tests of their factors, and figures."""

from collections.abc import Mapping
from typing import Any

from saturation.files.schema import validate
from saturation.files.tables import load_table, write_csv, write_parquet
from studies import style
from studies.files import stages
from studies.files.stages import Paths
from studies.robustness import figures, names, schemas, study
from studies.style import write_figures


def main(inputs: Paths, output: Paths, *, settings: Mapping[str, Any]) -> None:
    datasets = inputs["datasets"]  # perhaps the user's, who need not end it with a line feed
    tables = study.study_predictions(
        load_table(inputs["predictions"]),
        validate(load_table(datasets), schemas.DATASETS, str(datasets)),
        study.Settings(**settings),
    )
    write_parquet(tables["examples"], output["examples"])
    for name in names.OWN_TABLES:
        write_csv(tables[name], output[name])
    written = {name: load_table(output[name], **schemas.NAMES_AS_TEXT) for name in names.OWN_TABLES}
    with style.style():
        write_figures(figures.draw_own(written), output.each("figures"))


stages.run(main, globals())
