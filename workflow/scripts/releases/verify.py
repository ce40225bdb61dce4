"""Compare the embedded tables of the release notes with those made from the pinned sources."""

from saturation.files.tables import write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths
from studies.releases.study import AGREEMENT, CLAIMS


def main(inputs: Paths, output: Paths) -> None:
    pairs = []
    for name, schema in (("claims", CLAIMS), ("agreement", AGREEMENT)):
        embedded, source = stages.load_several(inputs.each(name), schema)
        pairs.append(Pair(f"{name}.csv", embedded, source))
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
