"""Draw a bank's figures."""

from collections.abc import Sequence
from pathlib import Path

from saturation.adaptive import figures
from saturation.drawing import style
from saturation.files.tables import logged, read_table, write_figures

SELECTED = 50


def main(
    tables: dict[str, Path],
    output: Sequence[str],
    *,
    bank: str,
    sizes: list[int],
    synthetic: bool,
) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    items, abilities = read["item_table"], read["abilities"]
    title = f"{bank} ({'synthetic' if synthetic else 'real'} responses)"
    shown = [size for size in (50, 500) if size in sizes and size <= len(items)]
    with style.style():
        drawn = {
            "item_curves": figures.item_curves(items, abilities["ability"], title),
            "information_map": figures.information_map(items, abilities["ability"], title),
            "information_slice": figures.information_slice(items, 0.0, title),
            "training_curves": figures.training_curves(
                read["scores"], shown or [min(sizes)], title
            ),
            "selected_items": figures.selected_items(
                read["administrations"], items, SELECTED, title
            ),
            "stopping": figures.stopping(read["stopping"], title),
            "frontier": figures.frontier(
                read["frontier"], abilities["ability"], read["top"]["ability"], title
            ),
        }
        write_figures(drawn, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        bank = snakemake.wildcards.bank
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            snakemake.output,
            bank=bank,
            sizes=snakemake.params.sizes,
            synthetic=snakemake.params.synthetic,
        )
