"""Compare the embedded summary with the one computed from the pinned sources, cell by cell."""

import pandas as pd

from saturation.discriminability import schemas
from saturation.discriminability.names import SUMMARY
from saturation.errors import InputError, shortened
from saturation.files import differences, stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv


def main(inputs: Paths, output: Paths) -> None:
    layouts = [*(schemas.SUMMARY[name] for name in SUMMARY), schemas.DROPPED]
    pairs = zip(inputs.each("embedded"), inputs.each("computed"), strict=True)
    violations, counts = [], []
    for schema, (embedded, computed) in zip(layouts, pairs, strict=True):
        text = schemas.as_text(schema)
        table = stages.read(embedded, text, dtype=str)
        different = differences.sentences(
            table, stages.read(computed, text, dtype=str), embedded.name
        )
        violations += different
        counts.append(
            {
                "table": embedded.name,
                "rows": len(table),
                "columns": table.shape[1],
                "cells_compared": table.size,
                "cells_different": len(different),
            }
        )
    if violations:
        raise InputError(shortened(violations))
    write_csv(pd.DataFrame(counts), output["files"])


stages.run(main, globals())
