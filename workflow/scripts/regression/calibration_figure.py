"""Figure of the calibration's ranks."""

from pathlib import Path

from saturation import figures, files, regression_figures


def main(ranks: Path, outputs: list[Path], *, ranked: int) -> None:
    with figures.style():
        figure = regression_figures.calibration(files.read_table(ranks), ranked)
        files.write_figure(figure, outputs)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.ranks),
            [Path(path) for path in snakemake.output],
            ranked=snakemake.params.ranked,
        )
