"""Learn the weights of a review, and try its lists on MMLU-Redux."""

from saturation.files.tables import load_table, write_csv
from studies.files.stages import Paths, run
from studies.review import study


def main(inputs: Paths, output: Paths, *, seed: int) -> None:
    tables = study.study(load_table(inputs["questions"]), seed)
    for name, table in tables.items():
        write_csv(table, output[name])


run(main, globals())
