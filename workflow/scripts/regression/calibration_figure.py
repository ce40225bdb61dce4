"""Figure of the calibration's ranks."""

from pathlib import Path

from saturation.drawing import style
from saturation.files.tables import logged, read_table, write_figure
from saturation.regression import figures


def main(ranks: Path, outputs: list[Path], *, ranked: int) -> None:
    with style.style():
        figure = figures.calibration(read_table(ranks), ranked)
        write_figure(figure, outputs)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.ranks),
            [Path(path) for path in snakemake.output],
            ranked=snakemake.params.ranked,
        )
