"""The study's headline numbers, for the ledger and the reader."""

from pathlib import Path

import pandas as pd

from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv
from saturation.robustness import quantities, schemas


def main(inputs: dict[str, str], output: Path, examples: int) -> None:
    cells = validate(read_table(inputs["performance"]), schemas.PERFORMANCE, inputs["performance"])
    levels = schemas.levels(read_table(inputs["design"], dtype=str))
    models = read_table(inputs["models"])
    counts = {factor: len(names) for factor, names in levels.items()}
    slopes = read_table(inputs["slopes"])
    tables = [
        quantities.from_design(cells, models["family"], counts, examples),
        quantities.from_performance(cells, schemas.n_configurations(levels)),
        quantities.from_audit(
            read_table(
                inputs["audit"], dtype=dict.fromkeys(["p", "f", "sum_sq", "partial_eta_sq"], str)
            ),
            read_table(inputs["audit_datasets"]),
            read_table(inputs["external"]),
        ),
        quantities.from_measurement(
            slopes,
            read_table(inputs["shares"]),
            read_table(inputs["datasets"]),
            read_table(inputs["correlations"]),
            synthetic=bool(slopes["synthetic"].any()),
        ),
    ]
    write_csv(pd.concat(tables, ignore_index=True), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            {name: path for name, path in snakemake.input.items() if name != "code"},
            Path(snakemake.output[0]),
            examples=snakemake.params.examples,
        )
