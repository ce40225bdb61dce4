"""Compare what the synthetic study measures with the truth that it was made from."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from saturation.robustness import schemas, synthetic


def main(inputs: Paths, output: Paths, *, slope: float, noise_effect: float) -> None:
    table = synthetic.compare(
        stages.read(inputs["truth"], schemas.TRUTH),
        stages.read(inputs["consistency"], schemas.CONSISTENCY),
        stages.read(inputs["slopes"], schemas.SLOPES),
        stages.read(inputs["anova"], schemas.ANOVA),
        slope,
        noise_effect,
    )
    write_csv(table, output["files"])


stages.run(main, globals())
