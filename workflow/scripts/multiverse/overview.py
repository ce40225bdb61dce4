"""Draw how many analyses side with the paper on each conclusion."""

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_figure
from saturation.multiverse import figures
from saturation.multiverse.specifications import JOINT
from saturation.pages import style


def main(inputs: Paths, output: Paths, *, size: str) -> None:  # noqa: ARG001
    joint = read(inputs["joint"], JOINT).set_index("conclusion")
    with style.style():
        figure = figures.overview(joint)
        write_figure(figure, output.each("files"))


run(main, globals())
