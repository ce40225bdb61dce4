"""All models side by side: fit, comparison by elpd, effects that hold up, headline numbers."""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read, read_each, run
from saturation.files.tables import write_csv, write_html
from saturation.regression import summary
from saturation.regression.schemas import COEFFICIENTS, LOCATED, PREDICTIONS, VALIDATION
from saturation.regression.specification import specifications

TITLES = {
    "fit": "Fit of the joint regression, in and out of sample",
    "comparison": "Models compared on held-out data",
    "effects": "Effects over all models of saturation",
}


def main(
    inputs: Paths, output: Paths, *, models: Mapping[str, Mapping[str, Any]], folds: int
) -> None:
    validations, coefficients, held_out = (
        dict(zip(models, read_each(inputs.each(name), schema), strict=True))
        for name, schema in (
            ("validations", VALIDATION),
            ("coefficients", COEFFICIENTS),
            ("held_out", PREDICTIONS),
        )
    )
    tables = summary.tables(
        specifications(models),
        validations,
        coefficients,
        held_out,
        read(inputs["located"], LOCATED),
        folds,
    )
    for name, table in tables.items():
        write_csv(table, output[name])
    for name, title in TITLES.items():
        write_html(tables[name], output[f"{name}_html"], title)


run(main, globals())
