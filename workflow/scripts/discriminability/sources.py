"""Summarise the two pinned Open LLM Leaderboard exports; the embedded tables are this result."""

from pathlib import Path

import pandas as pd

from saturation.discriminability import leaderboards, summaries
from saturation.files.tables import logged, read_table, write_csv

V1 = {n: n for n in ["ARC", "HellaSwag", "MMLU", "TruthfulQA", "Winogrande", "GSM8K"]}
V2 = {n: f"{n} Raw" for n in ["IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO"]}
PERCENT = (0, 100)


def main(v1: Path, v2: Path, tables: dict[str, Path], dropped: Path) -> None:
    exports = {
        "v1": (v1, V1, {"model": "Model", "date": "date"}),
        "v2": (v2, V2, {"model": "fullname", "date": "Submission Date"}),
    }
    parts, left_out = [], []
    for name, (path, columns, labels) in exports.items():
        rows = leaderboards.open_llm(read_table(path), columns, labels)
        kept, bad = leaderboards.screen(rows, PERCENT, str(path))
        parts.append(summaries.summarise(kept, name))
        left_out.append(bad.assign(leaderboard=name))
    for name, table in summaries.combine(parts).items():
        write_csv(table, tables[name])
    write_csv(pd.concat(left_out).reindex(columns=leaderboards.DROPPED), dropped)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            v1=Path(snakemake.input.v1),
            v2=Path(snakemake.input.v2),
            tables={name: Path(snakemake.output[name]) for name in summaries.TABLES},
            dropped=Path(snakemake.output.dropped),
        )
