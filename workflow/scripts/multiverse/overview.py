"""Draw how many analyses side with the paper on each conclusion."""

from saturation.files.tables import load_table
from studies import style
from studies.files.stages import Paths, run
from studies.multiverse import figures
from studies.style import write_figure


def main(inputs: Paths, output: Paths, *, size: str) -> None:  # noqa: ARG001
    joint = load_table(inputs["joint"]).set_index("conclusion")
    with style.style():
        figure = figures.overview(joint)
        write_figure(figure, output.each("files"))


run(main, globals())
