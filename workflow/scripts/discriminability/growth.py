"""Logistic growth of the best score: the paper's fits, the honest one, and its backtest."""

from pathlib import Path

from saturation import files, growth


def main(
    monthly: Path, demands: growth.Demands, level: float, fits: Path, fits_html: Path, tests: Path
) -> None:
    fitted, backtests = growth.growth_table(files.read_table(monthly), demands, level)
    files.write_csv(fitted, fits)
    files.write_html(fitted, fits_html, "Logistic growth of the best score")
    files.write_csv(backtests, tests)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            monthly=Path(snakemake.input.monthly),
            demands=growth.Demands(**snakemake.params.demands),
            level=snakemake.params.level,
            fits=Path(snakemake.output.fits),
            fits_html=Path(snakemake.output.fits_html),
            tests=Path(snakemake.output.backtests),
        )
