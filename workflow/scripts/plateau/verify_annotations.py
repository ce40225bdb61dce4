"""Compare the embedded tables of the plateau study with the published sheet, cell by cell."""

import pandas as pd

from saturation.errors import InputError
from saturation.files import differences, stages
from saturation.files.stages import Paths
from saturation.files.tables import read_table, write_csv
from saturation.plateau import sheet
from saturation.plateau.schemas import BENCHMARKS, TOP_SCORES

KEYS = {"benchmarks": ["source_id"], "top_scores": ["source_id", "rank"]}


def main(inputs: Paths, output: Paths) -> None:
    embedded = sheet.stated(
        stages.read(inputs["benchmarks"], BENCHMARKS),
        stages.read(inputs["top_scores"], TOP_SCORES),
    )
    # The sheet has no schema: `from_source` reads its cells, and names those that it cannot read.
    recomputed = sheet.from_source(read_table(inputs["sheet"], dtype=str))
    counts, violations = [], []
    for (name, key), ours, theirs in zip(KEYS.items(), embedded, recomputed, strict=True):
        lines = differences.sentences(*sheet.paired(ours, theirs, key), str(inputs[name]))
        violations += lines
        counts.append(
            {
                "table": inputs[name].name,
                "rows": len(theirs),
                "columns": theirs.shape[1],
                "cells_compared": theirs.size,
                "cells_different": len(lines),
            }
        )
    if violations:
        raise InputError(violations)
    write_csv(pd.DataFrame(counts), output["files"])


stages.run(main, globals())
