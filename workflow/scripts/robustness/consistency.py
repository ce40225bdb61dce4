"""Consistency, baselines and their relatives of every example, pair and dataset."""

from collections.abc import Sequence
from pathlib import Path

from saturation import consistency, files, seeds
from saturation.tables import robustness
from saturation.tables.checks import validate


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
    rows = files.read_table(predictions)
    known = validate(files.read_table(datasets), robustness.DATASETS, str(datasets))
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
    files.write_parquet(examples, outputs["examples"])
    files.write_csv(pairs.assign(synthetic=made_up), outputs["consistency"])
    title = "Output consistency by model and dataset"
    if made_up:
        title += " (synthetic predictions)"
    files.write_html(pairs, outputs["html"], title)
    files.write_csv(configurations.assign(synthetic=made_up), outputs["configurations"])
    files.write_csv(by_dataset.assign(synthetic=made_up), outputs["datasets"])
    distribution = consistency.std_distribution(examples, std_bins)
    files.write_csv(distribution.assign(synthetic=made_up), outputs["std"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
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
