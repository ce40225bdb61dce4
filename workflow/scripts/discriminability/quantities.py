"""The study's headline numbers."""

from pathlib import Path

from saturation import discriminability_quantities, files


def main(tables: dict[str, Path], output: Path) -> None:
    read = {name: files.read_table(path) for name, path in tables.items()}
    files.write_csv(discriminability_quantities.quantities(read), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            tables={n: Path(path) for n, path in snakemake.input.items() if n != "code"},
            output=Path(snakemake.output[0]),
        )
