"""Compare what the synthetic study measures with the truth that it was made from."""

from pathlib import Path

from saturation.files.tables import logged, read_table, write_csv
from saturation.robustness import recovery


def main(
    truth: Path,
    consistency: Path,
    slopes: Path,
    anova: Path,
    output: Path,
    slope: float,
    noise_effect: float,
) -> None:
    table = recovery.compare(
        read_table(truth),
        read_table(consistency),
        read_table(slopes),
        read_table(anova),
        slope,
        noise_effect,
    )
    write_csv(table.assign(synthetic=True), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.truth),
            Path(snakemake.input.consistency),
            Path(snakemake.input.slopes),
            Path(snakemake.input.anova),
            Path(snakemake.output[0]),
            slope=snakemake.params.slope,
            noise_effect=snakemake.params.noise_effect,
        )
