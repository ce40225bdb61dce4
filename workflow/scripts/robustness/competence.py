"""Regress consistency on performance; share its variance between task and model."""

from pathlib import Path

from saturation import seeds
from saturation.files.tables import logged, read_table, write_csv, write_html
from saturation.robustness import competence


def main(
    consistency: Path,
    outputs: dict[str, str],
    confidence: float,
    resamples: int,
    outlier_alpha: float,
    seed: int,
) -> None:
    pairs = read_table(consistency)
    generator = seeds.generator(seed, "robustness", "competence")
    tables = {
        "slopes": competence.slopes(pairs, confidence),
        "shares": competence.variance_shares(pairs, resamples, confidence, generator),
        "tests": competence.group_tests(pairs),
        "outliers": competence.outliers(pairs, outlier_alpha),
    }
    made_up = bool(pairs["synthetic"].any())
    for name, table in tables.items():
        write_csv(table.assign(synthetic=made_up), outputs[name])
    title = "Slope of output consistency on performance"
    if made_up:
        title += " (synthetic predictions)"
    write_html(tables["slopes"], outputs["html"], title)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.consistency),
            dict(snakemake.output.items()),
            confidence=snakemake.params.confidence,
            resamples=snakemake.params.resamples,
            outlier_alpha=snakemake.params.outlier_alpha,
            seed=snakemake.params.seed,
        )
