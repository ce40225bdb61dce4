"""The study's headline numbers, for the ledger and the reader."""

from pathlib import Path

import pandas as pd

from saturation import files, robustness_quantities
from saturation.tables import robustness
from saturation.tables.checks import validate


def main(inputs: dict[str, str], output: Path, examples: int) -> None:
    cells = validate(
        files.read_table(inputs["performance"]), robustness.PERFORMANCE, inputs["performance"]
    )
    levels = robustness.levels(files.read_table(inputs["design"], dtype=str))
    models = files.read_table(inputs["models"])
    counts = {factor: len(names) for factor, names in levels.items()}
    slopes = files.read_table(inputs["slopes"])
    tables = [
        robustness_quantities.from_design(cells, models["family"], counts, examples),
        robustness_quantities.from_performance(cells, robustness.n_configurations(levels)),
        robustness_quantities.from_audit(
            files.read_table(
                inputs["audit"], dtype=dict.fromkeys(["p", "f", "sum_sq", "partial_eta_sq"], str)
            ),
            files.read_table(inputs["audit_datasets"]),
            files.read_table(inputs["external"]),
        ),
        robustness_quantities.from_measurement(
            slopes,
            files.read_table(inputs["shares"]),
            files.read_table(inputs["datasets"]),
            files.read_table(inputs["correlations"]),
            synthetic=bool(slopes["synthetic"].any()),
        ),
    ]
    files.write_csv(pd.concat(tables, ignore_index=True), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            {name: path for name, path in snakemake.input.items() if name != "code"},
            Path(snakemake.output[0]),
            examples=snakemake.params.examples,
        )
