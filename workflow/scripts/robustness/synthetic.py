"""The synthetic study: predictions with the paper's design and performances, and their truth."""

from pathlib import Path
from typing import Any

from saturation import files, robustness_synthetic, seeds
from saturation.tables import robustness
from saturation.tables.checks import validate


def main(
    performance: Path,
    design: Path,
    datasets: Path,
    predictions: Path,
    truth: Path,
    seed: int,
    examples: int,
    noise_effect: float,
    **parameters: Any,
) -> None:
    table = validate(files.read_table(performance), robustness.PERFORMANCE, str(performance))
    known = validate(files.read_table(datasets), robustness.DATASETS, str(datasets))
    levels = robustness.levels(files.read_table(design, dtype=str))
    generator = seeds.generator(seed, "robustness", "synthetic")
    true = robustness_synthetic.draw_truth(
        table, examples, robustness.n_configurations(levels), parameters, generator
    )
    answers = dict(zip(known["dataset"], known["n_answers"]))
    drawn = robustness_synthetic.draw_predictions(
        true, levels, answers, examples, noise_effect, generator
    )
    files.write_csv(true.assign(synthetic=True), truth)
    files.write_parquet(drawn, predictions)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.performance),
            Path(snakemake.input.design),
            Path(snakemake.input.datasets),
            Path(snakemake.output.predictions),
            Path(snakemake.output.truth),
            seed=snakemake.params.seed,
            **snakemake.params.truth,
        )
