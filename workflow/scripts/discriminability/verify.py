"""Compare the embedded summary with the one computed from the pinned sources, cell by cell."""

from saturation.discriminability.names import SUMMARY
from saturation.files.tables import write_csv
from studies.discriminability import schemas
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths) -> None:
    others = (schemas.DROPPED, schemas.FAMILIES, schemas.AUTHOR_MONTHLY, schemas.AUTHOR_FITS)
    embedded_as = [*(schemas.SUMMARY[name] for name in SUMMARY), *others]
    layouts = map(schemas.convert_to_text, embedded_as)
    files = zip(inputs.each("embedded"), inputs.each("computed"), layouts, strict=True)
    pairs = [
        Pair(
            embedded.name,
            stages.read(embedded, layout, dtype=str),
            stages.read(computed, layout, dtype=str),
        )
        for embedded, computed, layout in files
    ]
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
