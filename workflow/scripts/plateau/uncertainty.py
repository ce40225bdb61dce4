"""Interval of every benchmark's index, and the correlation with permuted n."""

from typing import Any

from saturation.files.tables import write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import uncertainty
from studies.plateau.schemas import schema_of


def main(inputs: Paths, output: Paths, **options: Any) -> None:
    names = ("index", "top_scores")
    read = (stages.read(inputs[name], schema_of(name)) for name in names)
    for name, table in uncertainty.tables(*read, **options).items():
        write_csv(table, output[name])


stages.run(main, globals())
