"""The study's headline numbers."""

from pathlib import Path

from saturation.discriminability import quantities
from saturation.files.tables import logged, read_table, write_csv


def main(tables: dict[str, Path], output: Path) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    write_csv(quantities.quantities(read), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={n: Path(path) for n, path in snakemake.input.items() if n != "code"},
            output=Path(snakemake.output[0]),
        )
