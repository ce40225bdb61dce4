"""Draw all curves on one page, or the curve and the choices of one conclusion."""

from collections.abc import Sequence
from pathlib import Path

from saturation.drawing import style
from saturation.files.stages import read
from saturation.files.tables import logged, read_table, write_figure
from saturation.multiverse import figures
from saturation.multiverse.schemas import CURVE


def main(curve: Path, joint: Path, output: Sequence[Path], *, conclusion: str | None) -> None:
    table, tests = read(curve, CURVE), read_table(joint).set_index("conclusion")
    with style.style():
        if conclusion is None:
            drawn = figures.overview(table, tests)
        else:
            part = table[table["conclusion"] == conclusion]
            drawn = figures.one_curve(part, tests.loc[conclusion])
        write_figure(drawn, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.curve),
            Path(snakemake.input.joint),
            [Path(path) for path in snakemake.output],
            conclusion=snakemake.wildcards.get("conclusion"),
        )
