"""Draw the curve and the choices of one conclusion."""

from saturation.files.stages import Paths, read, run
from saturation.files.tables import write_figure
from saturation.multiverse import figures
from saturation.multiverse.specifications import CURVE, JOINT
from saturation.pages import style


def main(inputs: Paths, output: Paths, *, conclusion: str, size: str) -> None:  # noqa: ARG001
    joint = read(inputs["joint"], JOINT).set_index("conclusion")
    with style.style():
        figure = figures.one_curve(read(inputs["curve"], CURVE), joint, conclusion)
        write_figure(figure, output.each("files"))


run(main, globals())
