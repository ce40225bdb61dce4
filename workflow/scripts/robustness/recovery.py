"""Compare what the synthetic study measures with the truth that it was made from."""

from pathlib import Path

from saturation import files, robustness_recovery


def main(
    truth: Path,
    consistency: Path,
    slopes: Path,
    anova: Path,
    output: Path,
    slope: float,
    noise_effect: float,
) -> None:
    table = robustness_recovery.compare(
        files.read_table(truth),
        files.read_table(consistency),
        files.read_table(slopes),
        files.read_table(anova),
        slope,
        noise_effect,
    )
    files.write_csv(table.assign(synthetic=True), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.truth),
            Path(snakemake.input.consistency),
            Path(snakemake.input.slopes),
            Path(snakemake.input.anova),
            Path(snakemake.output[0]),
            slope=snakemake.params.slope,
            noise_effect=snakemake.params.noise_effect,
        )
