"""Show the committed table of checks as a page and as a figure."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_figures, write_html
from saturation.pages import style
from saturation.simulation import figures
from saturation.simulation.schemas import TABLE
from saturation.simulation.table import compact


def main(inputs: Paths, output: Paths) -> None:
    known = stages.read(inputs["known"], TABLE)
    write_html(compact(known), output["page"], "Do intervals, tests and numbers of items hold?")
    with style.style():
        write_figures({"levels": figures.levels(known)}, output.each("figures"))


stages.run(main, globals())
