"""Draw fitted against true item parameters of a synthetic bank."""

from pathlib import Path

from saturation import adaptive_figures, figures, files


def main(items: Path, true_items: Path, output: list[Path], *, bank: str) -> None:
    with figures.style():
        drawn = adaptive_figures.recovered(
            files.read_table(true_items), files.read_table(items), f"{bank} (synthetic responses)"
        )
        files.write_figure(drawn, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.item_table),
            Path(snakemake.input.true_items),
            [Path(path) for path in snakemake.output],
            bank=snakemake.wildcards.synthetic_bank,
        )
