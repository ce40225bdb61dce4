"""Compare the embedded summary with the one computed from the pinned sources, cell by cell."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    pairs = [
        Pair(embedded.name, load_table(embedded, dtype=str), load_table(computed, dtype=str))
        for embedded, computed in zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
