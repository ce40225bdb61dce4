"""End with an error if a check does not hold and the committed table does not say so."""

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_text
from saturation.simulation import table
from saturation.simulation.schemas import TABLE


def main(inputs: Paths, output: Paths) -> None:
    found, known = (stages.read(inputs[name], TABLE) for name in ("table", "known"))
    if sentences := table.refused(found, known):
        raise InputError(sentences)
    write_text(f"{len(found)} checks: none fails that is not known to\n", output["files"])


stages.run(main, globals())
