"""A model's held-out predictions, one benchmark left out at a time."""

from collections.abc import Mapping
from typing import Any

from saturation.files.tables import write_csv
from studies.files.stages import Paths, read, run
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS
from studies.regression import posterior, validation
from studies.regression.study import Settings, designs


def main(
    inputs: Paths,
    output: Paths,
    *,
    settings: Mapping[str, Any],
    refits: Mapping[str, Any],
    divergences: int,
    model: str,
) -> None:
    settled = Settings.parse(settings)
    tables = read(inputs["benchmarks"], PREPARED_BENCHMARKS), read(inputs["index"], INDEX)
    design = designs(*tables, settled)[model]
    specification = settled.specifications[model]
    held = validation.refitted(
        posterior.sampler(design, specification),
        design,
        specification,
        validation.SINGLY,
        refits=refits,
        divergences=divergences,
        seed=settled.seed,
        name=model,
    )
    for kind, table in vars(held).items():
        write_csv(table, output[kind])


run(main, globals())
