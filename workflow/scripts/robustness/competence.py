"""Regress consistency on performance; share its variance between task and model."""

from pathlib import Path

from saturation import competence, files, seeds


def main(
    consistency: Path,
    outputs: dict[str, str],
    confidence: float,
    resamples: int,
    outlier_alpha: float,
    seed: int,
) -> None:
    pairs = files.read_table(consistency)
    generator = seeds.generator(seed, "robustness", "competence")
    tables = {
        "slopes": competence.slopes(pairs, confidence),
        "shares": competence.variance_shares(pairs, resamples, confidence, generator),
        "tests": competence.group_tests(pairs),
        "outliers": competence.outliers(pairs, outlier_alpha),
    }
    made_up = bool(pairs["synthetic"].any())
    for name, table in tables.items():
        files.write_csv(table.assign(synthetic=made_up), outputs[name])
    title = "Slope of output consistency on performance"
    if made_up:
        title += " (synthetic predictions)"
    files.write_html(tables["slopes"], outputs["html"], title)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.consistency),
            dict(snakemake.output.items()),
            confidence=snakemake.params.confidence,
            resamples=snakemake.params.resamples,
            outlier_alpha=snakemake.params.outlier_alpha,
            seed=snakemake.params.seed,
        )
