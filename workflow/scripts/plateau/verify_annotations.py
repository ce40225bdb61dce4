"""Compare the embedded tables of the plateau study with the published sheet, cell by cell."""

from pathlib import Path

import pandas as pd

from saturation import annotations, files
from saturation.errors import InputError

KEYS = (["source_id"], ["source_id", "rank"])


def main(sheet: Path, benchmarks: Path, top_scores: Path, output: Path) -> None:
    paths = (benchmarks, top_scores)
    embedded = annotations.stated(*map(files.read_table, paths))
    recomputed = annotations.from_source(files.read_table(sheet, dtype=str))
    counts, violations = [], []
    for path, ours, theirs, key in zip(paths, embedded, recomputed, KEYS):
        found = annotations.differences(ours, theirs, key)
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
    files.write_csv(pd.DataFrame(counts), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            sheet=Path(snakemake.input.sheet),
            benchmarks=Path(snakemake.input.benchmarks),
            top_scores=Path(snakemake.input.top_scores),
            output=Path(snakemake.output[0]),
        )
