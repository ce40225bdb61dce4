"""Check the two input tables and write them in one unit."""

from typing import Any

from saturation.errors import collect
from saturation.files.tables import load_table, write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import inputs as plateau_inputs


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    names = ("benchmarks", "top_scores")
    # Read without a schema: `prepare` checks both tables at once, to report all that is wrong.
    prepared = plateau_inputs.prepare(
        *collect(
            [lambda: load_table(inputs["benchmarks"]), lambda: load_table(inputs["top_scores"])]
        ),
        files=(str(inputs["benchmarks"]), str(inputs["top_scores"])),
        **options,
    )
    for name, table in zip(names, prepared, strict=True):
        write_csv(table, output[name])


stages.run(main, globals())
