"""Compare the embedded tables of dated scores with those made from the pinned sources."""

from saturation.files.tables import write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths
from studies.forecast.schemas import EMBEDDED


def main(inputs: Paths, output: Paths) -> None:
    pairs = [
        Pair(
            kept.name,
            stages.read(kept, EMBEDDED[kept.stem]),
            stages.read(made, EMBEDDED[made.stem]),
        )
        for kept, made in zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
