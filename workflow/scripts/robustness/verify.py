"""Compare the embedded public answers with those made from the pinned sources, cell by cell."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    files = zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    pairs = [
        Pair(embedded.name, load_table(embedded), load_table(computed))
        for embedded, computed in files
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
