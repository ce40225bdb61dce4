"""Compare the embedded tables of dated scores with those made from the pinned sources."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    pairs = [
        Pair(kept.name, load_table(kept), load_table(made))
        for kept, made in zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
