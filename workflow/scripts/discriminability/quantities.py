"""The study's headline numbers."""

from saturation.discriminability import quantities, schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv


def main(inputs: Paths, output: Paths) -> None:
    tables = {name: stages.read(inputs[name], schemas.BEHIND_QUANTITIES[name]) for name in inputs}
    write_csv(quantities.quantities(tables), output["files"])


stages.run(main, globals())
