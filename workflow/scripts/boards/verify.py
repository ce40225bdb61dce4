"""Compare the embedded boards with those made from the pinned sources, cell by cell."""

from saturation.files import formats
from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    table = inputs["evaluations"]
    remade = load_table(inputs["remade"])
    boards = zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    pairs = [
        Pair(table.name, load_table(table), remade),
        *(Pair(kept.name, formats.read(kept), formats.read(computed)) for kept, computed in boards),
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
