"""The synthetic study: predictions with the paper's design and performances, and their truth."""

from pathlib import Path
from typing import Any

from saturation import seeds
from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv, write_parquet
from saturation.robustness import schemas, synthetic


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
    table = validate(read_table(performance), schemas.PERFORMANCE, str(performance))
    known = validate(read_table(datasets), schemas.DATASETS, str(datasets))
    levels = schemas.levels(read_table(design, dtype=str))
    generator = seeds.generator(seed, "robustness", "synthetic")
    true = synthetic.draw_truth(
        table, examples, schemas.n_configurations(levels), parameters, generator
    )
    answers = dict(zip(known["dataset"], known["n_answers"]))
    drawn = synthetic.draw_predictions(true, levels, answers, examples, noise_effect, generator)
    write_csv(true.assign(synthetic=True), truth)
    write_parquet(drawn, predictions)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.performance),
            Path(snakemake.input.design),
            Path(snakemake.input.datasets),
            Path(snakemake.output.predictions),
            Path(snakemake.output.truth),
            seed=snakemake.params.seed,
            **snakemake.params.truth,
        )
