"""The index under other numbers of bins: level, order and trends."""

from collections.abc import Sequence
from pathlib import Path

from saturation.discriminability import bin_choice, summaries
from saturation.files.tables import logged, read_table, write_csv


def main(bins: Path, sweep: Sequence[int], reference: int, table: Path, summary: Path) -> None:
    counts = summaries.histograms(read_table(bins))
    swept = bin_choice.bins_table(counts, sorted({*sweep, reference}))
    write_csv(swept, table)
    write_csv(bin_choice.bins_summary(swept, reference), summary)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            bins=Path(snakemake.input.bins),
            sweep=snakemake.params.sweep,
            reference=snakemake.params.reference,
            table=Path(snakemake.output.table),
            summary=Path(snakemake.output.summary),
        )
