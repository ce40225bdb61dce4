"""All cards in one table, one row a benchmark."""

import json
from pathlib import Path

import pandas as pd

from saturation.board import schemas
from saturation.errors import InputError
from saturation.files import checks
from saturation.files.tables import logged, write_csv, write_html


def main(summaries: list[Path], output: dict[str, Path]) -> None:
    if not summaries:
        raise InputError(
            "config: own.benchmarks is empty, so there is no card to make; "
            "try the worked example: snakemake --cores 2 card --configfile config/own.yaml"
        )
    rows = [json.loads(path.read_text(encoding="utf-8")) for path in summaries]
    table = pd.DataFrame(rows)[list(schemas.CARDS.columns)]
    table = checks.validate(table, schemas.CARDS, "cards")
    write_csv(table, output["csv"])
    write_html(table, output["html"], "Saturation cards")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.summaries],
            {name: Path(path) for name, path in snakemake.output.items()},
        )
