"""Draw a collection's figures: the three measures, and fluid against random model by model."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from saturation.adaptive import figures
from saturation.drawing import style
from saturation.files.tables import logged, read_table, write_figures


def main(
    summary: Path,
    models: dict[str, Path],
    output: Sequence[str],
    *,
    collection: str,
    synthetic: bool,
) -> None:
    everything = pd.concat(
        [read_table(path).assign(bank=bank) for bank, path in models.items()],
        ignore_index=True,
    )
    title = f"{collection}, {len(models)} benchmarks"
    title += " (synthetic responses)" if synthetic else " (real responses)"
    with style.style():
        drawn = {
            "quality": figures.quality(read_table(summary), title),
            "pairs": figures.pairs(everything, title),
        }
        write_figures(drawn, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.summary),
            dict(zip(snakemake.params.banks, map(Path, snakemake.input.models))),
            snakemake.output,
            collection=snakemake.wildcards.collection,
            synthetic=snakemake.params.synthetic,
        )
