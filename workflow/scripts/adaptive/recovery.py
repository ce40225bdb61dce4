"""How well the fit of a synthetic bank recovers its truth."""

from pathlib import Path

from saturation import files, recovery


def main(tables: dict[str, Path], output: Path) -> None:
    read = {name: files.read_table(path) for name, path in tables.items()}
    table = recovery.recovery(
        read["item_table"], read["abilities"], read["true_items"], read["truth"]
    )
    files.write_csv(table.assign(synthetic=True), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            Path(snakemake.output[0]),
        )
