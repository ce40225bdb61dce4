"""Each conclusion with test-set size taken out of the index, beside the index as it is."""

from typing import Any

from saturation import index
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.plateau import controls
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    data = index.annotated(
        stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        stages.read(inputs["index"], INDEX),
    )
    write_csv(controls.controls(data, **options), output["files"])


stages.run(main, globals())
