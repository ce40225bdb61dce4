"""Draw a collection's figures: the three measures, and fluid against random model by model."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from saturation import adaptive_figures, figures, files


def main(
    summary: Path,
    models: dict[str, Path],
    output: Sequence[str],
    *,
    collection: str,
    synthetic: bool,
) -> None:
    everything = pd.concat(
        [files.read_table(path).assign(bank=bank) for bank, path in models.items()],
        ignore_index=True,
    )
    title = f"{collection}, {len(models)} benchmarks"
    title += " (synthetic responses)" if synthetic else " (real responses)"
    with figures.style():
        drawn = {
            "quality": adaptive_figures.quality(files.read_table(summary), title),
            "pairs": adaptive_figures.pairs(everything, title),
        }
        files.write_figures(drawn, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.summary),
            dict(zip(snakemake.params.banks, map(Path, snakemake.input.models))),
            snakemake.output,
            collection=snakemake.wildcards.collection,
            synthetic=snakemake.params.synthetic,
        )
