"""Join every study's claims with its quantities; write the ledger and its summary."""

from pathlib import Path

import pandas as pd

from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv, write_html, write_markdown
from saturation.ledger import judge
from saturation.ledger.schemas import CLAIMS, QUANTITIES


def main(claims: list[Path], quantities: list[Path], output: dict[str, Path]) -> None:
    judged = []
    for claim_file, quantity_file in zip(claims, quantities, strict=True):
        rows = validate(read_table(claim_file, dtype={"published": str}), CLAIMS, str(claim_file))
        values = validate(read_table(quantity_file), QUANTITIES, str(quantity_file))
        judged.append(judge.judge(rows, values, study=claim_file.stem))
    table = pd.concat(judged, ignore_index=True)
    summary = judge.summary(table)
    write_csv(table, output["ledger"])
    write_html(table, output["html"], "Ledger of published numbers and conclusions")
    write_csv(summary, output["summary"])
    write_markdown(summary, output["markdown"], "What the papers print, and what comes out")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.claims],
            [Path(path) for path in snakemake.input.quantities],
            {name: Path(path) for name, path in snakemake.output.items()},
        )
