"""Draw the figures of the discriminability study, each as PNG, PDF and SVG."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from saturation.discriminability import figures as drawings
from saturation.drawing import style
from saturation.files.tables import logged, read_table, write_figures


def main(tables: Mapping[str, Path], bins: int, output: Sequence[str]) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    monthly = read["monthly"]
    with style.style():
        drawn = {
            "figure1_trajectories": drawings.trajectories(monthly),
            "figure2_bdi": drawings.discriminability(monthly),
            "figure3_curves": drawings.curves(monthly, read["growth"]),
            "figure4_status": drawings.status(monthly),
            "figure5_gaps": drawings.gaps(monthly),
            "kinds": drawings.kinds(monthly, read["pace"]),
            "overview": drawings.overview(monthly, read["s_index"]),
            "bin_choice": drawings.bin_choice(read["bin_choice"], read["bins_summary"], bins),
            "population": drawings.population(read["fixed"]),
            "retirement": drawings.retirement(read["retirement"]),
        }
        write_figures(drawn, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={n: Path(path) for n, path in snakemake.input.items() if n != "code"},
            bins=snakemake.params.bins,
            output=snakemake.output,
        )
