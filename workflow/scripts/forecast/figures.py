"""Draw the next two years of benchmarks, and how past forecasts did."""

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_figures
from saturation.forecast.schemas import BANDS, FRONTIER, PEER, SUMMARY
from saturation.pages import style
from studies.forecast import figures


def main(inputs: Paths, output: Paths) -> None:
    bands, frontier = read(inputs["bands"], BANDS), read(inputs["frontier"], FRONTIER)
    summary, peer = read(inputs["summary"], SUMMARY), read(inputs["peer"], PEER)
    with style.style():
        drawn = {
            "outlook": figures.outlook(bands, frontier),
            "scores": figures.scores(summary, peer),
        }
        write_figures(drawn, output.each("files"))


run(main, globals())
