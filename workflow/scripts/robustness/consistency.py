"""Consistency, baselines and their relatives of every example, pair and dataset."""

from collections.abc import Sequence
from pathlib import Path

from saturation import seeds
from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv, write_html, write_parquet
from saturation.robustness import consistency, schemas


def main(
    predictions: Path,
    datasets: Path,
    outputs: dict[str, str],
    factors: Sequence[str],
    confidence: float,
    resamples: int,
    std_bins: int,
    seed: int,
) -> None:
    rows = read_table(predictions)
    known = validate(read_table(datasets), schemas.DATASETS, str(datasets))
    answers = dict(known[["dataset", "n_answers"]].dropna().itertuples(index=False))
    examples = consistency.example_measures(rows)
    configurations = consistency.configuration_measures(rows, factors)
    pairs = consistency.pair_measures(
        examples,
        configurations,
        answers,
        confidence,
        resamples,
        seeds.generator(seed, "robustness", "consistency"),
    )
    made_up = bool(rows["synthetic"].any())
    by_dataset = consistency.dataset_measures(pairs, confidence)
    write_parquet(examples, outputs["examples"])
    write_csv(pairs.assign(synthetic=made_up), outputs["consistency"])
    title = "Output consistency by model and dataset"
    if made_up:
        title += " (synthetic predictions)"
    write_html(pairs, outputs["html"], title)
    write_csv(configurations.assign(synthetic=made_up), outputs["configurations"])
    write_csv(by_dataset.assign(synthetic=made_up), outputs["datasets"])
    distribution = consistency.std_distribution(examples, std_bins)
    write_csv(distribution.assign(synthetic=made_up), outputs["std"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.predictions),
            Path(snakemake.input.datasets),
            dict(snakemake.output.items()),
            factors=snakemake.params.factors,
            confidence=snakemake.params.confidence,
            resamples=snakemake.params.resamples,
            std_bins=snakemake.params.std_bins,
            seed=snakemake.params.seed,
        )
