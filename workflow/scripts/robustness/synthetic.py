"""The synthetic study: predictions with the paper's design and performances, and their truth."""

from collections.abc import Mapping
from typing import Any

from saturation import seeds
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_parquet
from studies.robustness import names, schemas, synthetic


def main(inputs: Paths, output: Paths, *, seed: int, truth: Mapping[str, Any]) -> None:
    predictions, true = synthetic.study(
        stages.read(inputs["performance"], schemas.FACTS["performance"]),
        names.levels(stages.read(inputs["design"], schemas.FACTS["design"], dtype=str)),
        stages.read(inputs["datasets"], schemas.DATASETS),
        truth,
        seeds.generator(seed, "robustness", "synthetic"),
    )
    write_csv(true, output["truth"])
    write_parquet(predictions, output["predictions"])


stages.run(main, globals())
