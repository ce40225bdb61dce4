"""Compare the embedded tables of the release notes with those made from the pinned sources."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    pairs = [
        Pair(f"{name}.csv", *map(load_table, inputs.each(name))) for name in ("claims", "agreement")
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
