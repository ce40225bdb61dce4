"""Compare the embedded summary with the one computed from the pinned sources, cell by cell."""

from saturation.files import differences, stages
from saturation.files.differences import Pair
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv


def main(inputs: Paths, output: Paths) -> None:
    pairs = [
        Pair(embedded.name, read_table(embedded, dtype=str), read_table(computed, dtype=str))
        for embedded, computed in zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
