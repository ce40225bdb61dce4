"""Consistency over paraphrases of public answers, of every model and data set."""

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.robustness import consistency, schemas


def main(
    inputs: Paths, output: Paths, *, confidence: float, resamples: int, std_bins: int, seed: int
) -> None:
    counts = stages.read(inputs["counts"], schemas.VERDICT_COUNTS)
    generator = seeds.generator(seed, "robustness", "variants")
    table = consistency.measures(counts, confidence, resamples, generator)
    spread = consistency.std_distribution(consistency.spread(counts), std_bins)
    write_csv(table, output["variants"])
    write_html(table, output["html"], "Consistency over paraphrases")
    write_csv(spread, output["spread"])
    write_csv(consistency.alike(spread), output["alike"])


stages.run(main, globals())
