"""Compare the embedded public answers with those made from the pinned sources, cell by cell."""

from saturation.files.tables import write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths
from studies.robustness import schemas


def main(inputs: Paths, output: Paths) -> None:
    files = zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    pairs = [
        Pair(
            embedded.name,
            stages.read(embedded, schemas.PUBLIC[embedded.stem]),
            stages.read(computed, schemas.PUBLIC[computed.stem]),
        )
        for embedded, computed in files
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
