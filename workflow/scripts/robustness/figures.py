"""Draw the figures of the robustness study, each as PNG, PDF and SVG."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from saturation.drawing import style
from saturation.files.tables import logged, read_table, write_figures
from saturation.robustness import figures as drawings


def main(tables: Mapping[str, Path], output: Sequence[str]) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    pairs, slopes = read["consistency"], read["slopes"]
    with style.style():
        drawn = {
            "regression": drawings.regression(pairs, slopes, read["outliers"]),
            "consistency": drawings.consistency(pairs),
            "pdr": drawings.performance_drop(pairs),
            "std": drawings.score_spread(read["std_distribution"]),
            "shares": drawings.shares(slopes, read["variance_shares"]),
            "saturation": drawings.saturation(read["saturation"], read["correlations"]),
            "audit": drawings.audit(read["audit_datasets"]),
            "anova": drawings.factors(read["anova"]),
        }
        write_figures(drawn, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            {n: Path(path) for n, path in snakemake.input.items() if n != "code"}, snakemake.output
        )
