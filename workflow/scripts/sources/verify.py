"""Compare embedded tables with those made from the pinned sources, cell by cell."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences
from studies.files.differences import Pair
from studies.files.stages import Paths, run


def main(inputs: Paths, output: Paths) -> None:
    # What the sources hold is fixed by their hashes, and every embedded cell is compared.
    files = zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    pairs = [Pair(kept.name, load_table(kept), load_table(made)) for kept, made in files]
    write_csv(differences.verified(pairs), output["files"])


run(main, globals())
