"""Figure of the calibration's ranks."""

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_figure
from saturation.pages import style
from saturation.regression import figures
from saturation.regression.schemas import RANKS


def main(inputs: Paths, output: Paths, *, ranked: int) -> None:
    with style.style():
        figure = figures.calibration(read(inputs["ranks"], RANKS), ranked)
        write_figure(figure, output.each("files"))


run(main, globals())
