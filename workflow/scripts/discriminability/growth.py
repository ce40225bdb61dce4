"""Logistic growth of the best score: the paper's fits, the honest one, and its backtest."""

from pathlib import Path

from saturation.discriminability import growth
from saturation.files.tables import logged, read_table, write_csv, write_html


def main(
    monthly: Path, demands: growth.Demands, level: float, fits: Path, fits_html: Path, tests: Path
) -> None:
    fitted, backtests = growth.growth_table(read_table(monthly), demands, level)
    write_csv(fitted, fits)
    write_html(fitted, fits_html, "Logistic growth of the best score")
    write_csv(backtests, tests)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            monthly=Path(snakemake.input.monthly),
            demands=growth.Demands(**snakemake.params.demands),
            level=snakemake.params.level,
            fits=Path(snakemake.output.fits),
            fits_html=Path(snakemake.output.fits_html),
            tests=Path(snakemake.output.backtests),
        )
