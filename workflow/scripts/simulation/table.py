"""Put the checks of all subjects into one table."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.simulation import table
from saturation.simulation.schemas import OF_SUBJECT


def main(inputs: Paths, output: Paths) -> None:
    write_csv(table.gathered(stages.read_each(inputs.each("checks"), OF_SUBJECT)), output["files"])


stages.run(main, globals())
