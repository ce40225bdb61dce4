"""The index on a fixed population and on all models so far, beside the plain one."""

from saturation.discriminability import population, schemas
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html


def main(inputs: Paths, output: Paths, *, bins: int, level: float) -> None:
    fixed = population.fixed_population(
        stages.read(inputs["population"], schemas.INPUTS["population"]),
        stages.read(inputs["changes"], schemas.RESULTS["changes"]),
        bins,
        level,
    )
    write_csv(fixed, output["fixed"])
    write_html(fixed, output["fixed_html"], "Change of the index on a fixed population")
    bins_table = stages.read(inputs["bins"], schemas.INPUTS["bins"])
    write_csv(population.dynamic_bdi(bins_table, bins), output["dynamic"])


stages.run(main, globals())
