"""Compare the embedded table of reported scores with the table made from the pinned source."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    embedded, computed = (load_table(inputs[name]) for name in ("embedded", "computed"))
    write_csv(differences.verified([Pair("reported.csv", embedded, computed)]), output["files"])


stages.run(main, globals())
