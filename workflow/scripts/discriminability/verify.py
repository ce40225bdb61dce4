"""Compare the embedded summary with the one computed from the pinned sources, cell by cell."""

from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files import differences
from saturation.files.tables import logged, read_table, write_csv


def main(computed: list[Path], embedded: list[Path], output: Path) -> None:
    found: list[str] = []
    counts = []
    for ours, theirs in zip(embedded, computed, strict=True):
        table = read_table(ours, dtype=str)
        violations = differences.sentences(table, read_table(theirs, dtype=str), ours.name)
        found += violations
        counts.append(
            {
                "table": ours.name,
                "rows": len(table),
                "columns": table.shape[1],
                "cells_compared": table.size,
                "cells_different": len(violations),
            }
        )
    if found:
        raise InputError(found[:20])
    write_csv(pd.DataFrame(counts), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            computed=[Path(path) for path in snakemake.input.computed],
            embedded=[Path(path) for path in snakemake.input.embedded],
            output=Path(snakemake.output[0]),
        )
