"""The three-criteria retirement test in every window."""

from pathlib import Path

from saturation.discriminability import retirement
from saturation.files.tables import logged, read_table, write_csv, write_html


def main(
    monthly: Path, thresholds: retirement.Thresholds, table: Path, first: Path, first_html: Path
) -> None:
    judged = retirement.retirement_table(read_table(monthly), thresholds)
    write_csv(judged, table)
    due = retirement.first_due(judged)
    write_csv(due, first)
    write_html(due, first_html, "First window in which each retirement criterion is met")


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            monthly=Path(snakemake.input.monthly),
            thresholds=retirement.Thresholds(**snakemake.params.thresholds),
            table=Path(snakemake.output.table),
            first=Path(snakemake.output.first),
            first_html=Path(snakemake.output.first_html),
        )
