"""All cards in one table, one row a benchmark."""

import json
from pathlib import Path

import pandas as pd

from saturation import files
from saturation.errors import InputError
from saturation.tables import checks, own


def main(summaries: list[Path], output: dict[str, Path]) -> None:
    if not summaries:
        raise InputError(
            "config: own.benchmarks is empty, so there is no card to make; "
            "try the worked example: snakemake --cores 2 card --configfile config/own.yaml"
        )
    rows = [json.loads(path.read_text(encoding="utf-8")) for path in summaries]
    table = pd.DataFrame(rows)[list(own.CARDS.columns)]
    table = checks.validate(table, own.CARDS, "cards")
    files.write_csv(table, output["csv"])
    files.write_html(table, output["html"], "Saturation cards")


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            [Path(path) for path in snakemake.input.summaries],
            {name: Path(path) for name, path in snakemake.output.items()},
        )
