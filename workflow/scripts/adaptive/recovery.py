"""How well the fit of a synthetic bank recovers its truth: a table and a figure."""

from pathlib import Path

from saturation.adaptive import figures, recovery
from saturation.drawing import style
from saturation.files.tables import logged, read_table, write_csv, write_figure


def main(tables: dict[str, Path], output: Path, drawn: list[Path], *, bank: str) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    table = recovery.recovery(
        read["item_table"], read["abilities"], read["true_items"], read["truth"]
    )
    write_csv(table.assign(synthetic=True), output)
    with style.style():
        figure = figures.recovered(
            read["true_items"], read["item_table"], f"{bank} (synthetic responses)"
        )
        write_figure(figure, drawn)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            Path(snakemake.output.table),
            [Path(snakemake.output[kind]) for kind in ("png", "pdf", "svg")],
            bank=snakemake.wildcards.synthetic_bank,
        )
