"""Compare the embedded tables of the plateau study with the published sheet, cell by cell."""

from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import logged, read_table, write_csv
from saturation.plateau import sheet as annotation_sheet

KEYS = (["source_id"], ["source_id", "rank"])


def main(sheet: Path, benchmarks: Path, top_scores: Path, output: Path) -> None:
    paths = (benchmarks, top_scores)
    embedded = annotation_sheet.stated(*map(read_table, paths))
    recomputed = annotation_sheet.from_source(read_table(sheet, dtype=str))
    counts, violations = [], []
    for path, ours, theirs, key in zip(paths, embedded, recomputed, KEYS):
        found = annotation_sheet.differences(ours, theirs, key)
        violations += [
            f"{path}, row {cell.row} ({cell.key}), column '{cell.column}': the table has "
            f"{cell.embedded!r}, the published sheet {cell.recomputed!r}"
            for cell in found.itertuples()
        ]
        counts.append(
            {
                "table": path.name,
                "rows": len(theirs),
                "columns": theirs.shape[1],
                "cells_compared": theirs.size,
                "cells_different": len(found),
            }
        )
    if violations:
        raise InputError(violations)
    write_csv(pd.DataFrame(counts), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            sheet=Path(snakemake.input.sheet),
            benchmarks=Path(snakemake.input.benchmarks),
            top_scores=Path(snakemake.input.top_scores),
            output=Path(snakemake.output[0]),
        )
