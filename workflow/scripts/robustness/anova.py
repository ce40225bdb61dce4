"""Analysis of variance of the scores on the configuration factors, a dataset at a time."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from saturation.files.tables import logged, read_table, write_csv, write_html
from saturation.robustness import anova


def main(predictions: Path, output: Path, html: Path, factors: Sequence[str]) -> None:
    names = read_table(predictions, columns=["dataset", "synthetic"])
    columns = [*factors, "example_id", "score"]
    tables = []
    for dataset in sorted(names["dataset"].unique()):
        rows = read_table(predictions, columns=columns, filters=[("dataset", "==", dataset)])
        tables.append(anova.analyse(rows, factors).assign(dataset=dataset))
    table = pd.concat(tables, ignore_index=True).sort_values(
        ["anova_type", "dataset", "factor"], ignore_index=True
    )
    table.insert(1, "dataset", table.pop("dataset"))
    made_up = bool(names["synthetic"].any())
    write_csv(table.assign(synthetic=made_up), output)
    title = "Analysis of variance of the scores, type II and III"
    write_html(table, html, title + (" (synthetic predictions)" if made_up else ""))


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.predictions),
            Path(snakemake.output.csv),
            Path(snakemake.output.html),
            factors=snakemake.params.factors,
        )
