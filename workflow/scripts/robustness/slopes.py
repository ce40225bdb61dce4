"""Slopes of consistency on performance; its variance shared between task and model."""

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.robustness import names, schemas, slopes


def main(
    inputs: Paths,
    output: Paths,
    *,
    confidence: float,
    resamples: int,
    outlier_alpha: float,
    seed: int,
) -> None:
    pairs = stages.read(inputs["consistency"], schemas.CONSISTENCY)
    # The word of the seed is older than the module's: other random numbers would change results.
    generator = seeds.generator(seed, "robustness", "competence")
    tables = slopes.tables(pairs, resamples, confidence, outlier_alpha, generator)
    for name, table in tables.items():
        write_csv(table, output[name])
    title = names.of_table("Slope of output consistency on performance", pairs)
    write_html(tables["slopes"].drop(columns="synthetic"), output["html"], title)


stages.run(main, globals())
