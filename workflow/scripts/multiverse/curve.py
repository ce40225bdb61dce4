"""Draw the curve and the choices of one conclusion."""

from saturation.files.tables import load_table
from studies import style
from studies.files.stages import Paths, run
from studies.multiverse import figures
from studies.style import write_figure


def main(inputs: Paths, output: Paths, *, conclusion: str, size: str) -> None:  # noqa: ARG001
    joint = load_table(inputs["joint"]).set_index("conclusion")
    with style.style():
        figure = figures.draw_curve(load_table(inputs["curve"]), joint, conclusion)
        write_figure(figure, output.each("files"))


run(main, globals())
