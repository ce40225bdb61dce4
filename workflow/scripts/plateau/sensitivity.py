"""Agreement of the index over k and alpha: Table 1, the fine grid and the bin transitions."""

from pathlib import Path

import pandas as pd

from saturation import files, sensitivity
from saturation.tables.plateau import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES
from saturation.tables.reading import read


def main(
    benchmarks: Path,
    top_scores: Path,
    reference: Path,
    settings: list[Path],
    output: dict[str, Path],
    *,
    ks: list[int],
    alphas: list[float],
    edges: list[float],
    saturated_from: float,
    epsilon: float,
) -> None:
    default = read(reference, INDEX)
    others = [read(path, INDEX) for path in settings]
    cells = sensitivity.grid(
        read(benchmarks, PREPARED_BENCHMARKS),
        read(top_scores, PREPARED_SCORES),
        ks,
        alphas,
        edges,
        epsilon,
    )

    def labelled(measure: dict | pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
        frame = pd.DataFrame([measure]) if isinstance(measure, dict) else measure
        frame.insert(0, "k", table["k"].iloc[0])
        frame.insert(1, "alpha", table["alpha"].iloc[0])
        return frame

    comparisons = [labelled(sensitivity.compare(default, other), other) for other in others]
    transitions = [labelled(sensitivity.transitions(default, other), other) for other in others]
    files.write_csv(pd.concat(comparisons), output["comparisons"])
    files.write_csv(pd.concat(transitions), output["transitions"])
    files.write_csv(sensitivity.grid_summary(cells, default, saturated_from), output["grid"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.input.reference),
            [Path(path) for path in snakemake.input.settings],
            output={name: Path(path) for name, path in snakemake.output.items()},
            **snakemake.params,
        )
