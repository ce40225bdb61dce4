"""Collect the plateau study's headline numbers."""

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.plateau import study as plateau_study
from saturation.plateau.schemas import BY_INPUT_NAME


def main(
    inputs: Paths,
    output: Paths,
    *,
    seed: int,
    permutations: int,
    saturated_from: float,
    ceiling: float,
) -> None:
    study = stages.read_all(inputs, BY_INPUT_NAME)
    rng = seeds.generator(seed, "plateau", "quantities")
    table = plateau_study.quantities(study, saturated_from, ceiling, permutations, rng)
    write_csv(table, output["files"])


stages.run(main, globals())
