"""Collect the headline numbers of the forecasts."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.forecast import study
from saturation.forecast.schemas import BY_INPUT_NAME


def main(inputs: Paths, output: Paths) -> None:
    tables = stages.read_all(inputs, BY_INPUT_NAME)
    write_csv(study.quantities(tables), output["files"])


stages.run(main, globals())
