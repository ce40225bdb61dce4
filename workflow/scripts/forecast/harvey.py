"""Fit another project's model to the same series, and score it on the same forecasts."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv
from saturation.forecast.schemas import DESCRIBED, FRONTIER
from studies.forecast import harvey


def main(inputs: Paths, output: Paths, *, cutoff: str, level: float, seed: int) -> None:
    series = stages.read(inputs["series"], DESCRIBED)
    frontier = stages.read(inputs["frontier"], FRONTIER)
    frontier = frontier.merge(series[["series", "released"]].dropna(), on="series")
    others = harvey.asked(read_table(inputs["backtest"]), read_table(inputs["after"]), cutoff)
    own = harvey.predicted(frontier, others, harvey.Effort(), seed)
    write_csv(harvey.compared(others, own, level), output["files"])


stages.run(main, globals())
