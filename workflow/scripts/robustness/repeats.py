"""How often repetitions of one and the same prompt agree: the floor of consistency."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.robustness import consistency, schemas


def main(inputs: Paths, output: Paths, *, confidence: float) -> None:
    table = consistency.agreement(stages.read(inputs["runs"], schemas.REPEATED_RUNS), confidence)
    write_csv(table, output["repeats"])
    write_csv(consistency.floor(table, confidence), output["floor"])


stages.run(main, globals())
