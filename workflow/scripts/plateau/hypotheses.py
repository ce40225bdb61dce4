"""Groups, tests and trends of H1-H6 and quality issues, with the family's corrected p-values."""

from saturation import index
from saturation.files.tables import write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import hypotheses
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS


def main(
    inputs: Paths, output: Paths, *, seed: int, permutations: int, saturated_from: float
) -> None:
    data = index.annotated(
        stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        stages.read(inputs["index"], INDEX),
    )
    tables = hypotheses.tables(
        data, seed=seed, permutations=permutations, saturated_from=saturated_from
    )
    for name, table in tables.items():
        write_csv(table, output[name])


stages.run(main, globals())
