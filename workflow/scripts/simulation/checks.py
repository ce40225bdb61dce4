"""Simulate the checks of one subject."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.simulation import checks


def main(inputs: Paths, output: Paths, *, subject: str, seed: int) -> None:  # noqa: ARG001
    write_csv(checks.table(checks.of_subject(subject), seed), output["files"])


stages.run(main, globals())
