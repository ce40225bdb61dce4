"""Draw how past chances did."""

from saturation.files.stages import Paths, read, run
from saturation.files.tables import load_table, write_figures
from saturation.forecast.schemas import RECORD
from saturation.pages import style
from studies.forecast import figures


def main(inputs: Paths, output: Paths) -> None:
    table, reliability = read(inputs["record"], RECORD), load_table(inputs["reliability"])
    with style.style():
        write_figures({"record": figures.record(table, reliability)}, output.each("files"))


run(main, globals())
