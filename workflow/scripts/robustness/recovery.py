"""Compare what the synthetic study measures with the truth that it was made from."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv
from saturation.robustness import synthetic


def main(inputs: Paths, output: Paths, *, slope: float, noise_effect: float) -> None:
    tables = [read_table(inputs[name]) for name in ("truth", "consistency", "slopes", "anova")]
    write_csv(synthetic.compare(*tables, slope, noise_effect), output["files"])


stages.run(main, globals())
