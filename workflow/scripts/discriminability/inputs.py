"""Validate the monthly summary and form the configured windows from it."""

from saturation.discriminability import names, schemas
from saturation.discriminability import study as study_inputs
from saturation.files import schema, stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv


def main(
    inputs: Paths,
    output: Paths,
    *,
    window: study_inputs.WindowKind,
    rolling_months: int,
    min_models: int,
) -> None:
    file = inputs["benchmarks"]  # perhaps the user's, who need not end it with a line feed
    formed = study_inputs.inputs(
        {name: stages.read(inputs[name], schemas.SUMMARY[name]) for name in names.SUMMARY},
        schema.validate(read_table(file), schemas.BENCHMARKS, str(file)),
        stages.read(inputs["dropped"], schemas.DROPPED),
        study_inputs.InputsSettings(window, rolling_months, min_models),
        str(file),
    )
    for name, table in formed.items():
        write_csv(table, output[name])


stages.run(main, globals())
