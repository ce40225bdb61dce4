"""Draw how past chances did."""

from saturation.files.tables import load_table
from saturation.forecast.schemas import RECORD
from studies import style
from studies.files.stages import Paths, read, run
from studies.forecast import figures
from studies.style import write_figures


def main(inputs: Paths, output: Paths) -> None:
    table, reliability = read(inputs["record"], RECORD), load_table(inputs["reliability"])
    with style.style():
        write_figures({"record": figures.record(table, reliability)}, output.each("files"))


run(main, globals())
