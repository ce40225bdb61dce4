"""Simulation-based calibration of the sampled model of records: ranks and their uniformity."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.statistics.intervals import rank_uniformity
from studies.forecast import full


def main(inputs: Paths, output: Paths, *, seed: int) -> None:  # noqa: ARG001
    ranks = full.calibrated(full.SIMULATIONS, seed)
    write_csv(ranks, output["ranks"])
    write_csv(rank_uniformity(ranks, full.RANKED), output["uniformity"])


stages.run(main, globals())
