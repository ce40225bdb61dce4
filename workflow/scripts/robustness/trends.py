"""Slopes of consistency on performance over public answers, and what else explains it."""

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.robustness import schemas, slopes


def main(
    inputs: Paths, output: Paths, *, confidence: float, outlier_alpha: float, seed: int
) -> None:
    pairs = slopes.pairs(
        stages.read(inputs["variants"], schemas.VARIANTS),
        stages.read(inputs["runs"], schemas.SENSITIVITY),
    )
    table = slopes.table(pairs, confidence)
    generator = seeds.generator(seed, "robustness", "trends")
    write_csv(pairs, output["pairs"])
    write_csv(table, output["trends"])
    write_html(table, output["html"], "Slopes of consistency on performance, public answers")
    write_csv(slopes.components(pairs, confidence, generator), output["components"])
    write_csv(slopes.trends_outliers(pairs, outlier_alpha), output["outliers"])


stages.run(main, globals())
