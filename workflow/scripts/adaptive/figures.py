"""Draw a bank's figures."""

from collections.abc import Sequence
from pathlib import Path

from saturation import adaptive_figures, figures, files

SELECTED = 50


def main(
    tables: dict[str, Path],
    output: Sequence[str],
    *,
    bank: str,
    sizes: list[int],
    synthetic: bool,
) -> None:
    read = {name: files.read_table(path) for name, path in tables.items()}
    items, abilities = read["item_table"], read["abilities"]
    title = f"{bank} ({'synthetic' if synthetic else 'real'} responses)"
    shown = [size for size in (50, 500) if size in sizes and size <= len(items)]
    with figures.style():
        drawn = {
            "item_curves": adaptive_figures.item_curves(items, abilities["ability"], title),
            "information_map": adaptive_figures.information_map(items, abilities["ability"], title),
            "information_slice": adaptive_figures.information_slice(items, 0.0, title),
            "training_curves": adaptive_figures.training_curves(
                read["scores"], shown or [min(sizes)], title
            ),
            "selected_items": adaptive_figures.selected_items(
                read["administrations"], items, SELECTED, title
            ),
            "stopping": adaptive_figures.stopping(read["stopping"], title),
            "frontier": adaptive_figures.frontier(
                read["frontier"], abilities["ability"], read["top"]["ability"], title
            ),
        }
        files.write_figures(drawn, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        bank = snakemake.wildcards.bank
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            snakemake.output,
            bank=bank,
            sizes=snakemake.params.sizes,
            synthetic=snakemake.params.synthetic,
        )
