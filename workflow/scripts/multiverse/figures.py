"""Draw all curves on one page, or the curve and the choices of one conclusion."""

from collections.abc import Sequence
from pathlib import Path

from saturation import figures, files, multiverse_figures
from saturation.tables.multiverse import CURVE
from saturation.tables.reading import read


def main(curve: Path, joint: Path, output: Sequence[Path], *, conclusion: str | None) -> None:
    table, tests = read(curve, CURVE), files.read_table(joint).set_index("conclusion")
    with figures.style():
        if conclusion is None:
            drawn = multiverse_figures.overview(table, tests)
        else:
            part = table[table["conclusion"] == conclusion]
            drawn = multiverse_figures.one_curve(part, tests.loc[conclusion])
        files.write_figure(drawn, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.curve),
            Path(snakemake.input.joint),
            [Path(path) for path in snakemake.output],
            conclusion=snakemake.wildcards.get("conclusion"),
        )
