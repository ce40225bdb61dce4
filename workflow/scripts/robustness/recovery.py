"""Compare what the synthetic study measures with the truth that it was made from."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv
from studies.robustness import synthetic


def main(inputs: Paths, output: Paths, *, slope: float, noise_effect: float) -> None:
    truth = read_table(inputs["truth"])
    consistency = read_table(inputs["consistency"])
    slopes, anova = read_table(inputs["slopes"]), read_table(inputs["anova"])
    table = synthetic.compare(truth, consistency, slopes, anova, slope, noise_effect)
    write_csv(table, output["files"])


stages.run(main, globals())
