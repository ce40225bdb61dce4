"""Agreement of the index over k and alpha: Table 1, the fine grid and the bin transitions."""

from pathlib import Path

import pandas as pd

from saturation.files.stages import read
from saturation.files.tables import logged, write_csv
from saturation.plateau import sensitivity
from saturation.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    benchmarks: Path,
    top_scores: Path,
    reference: Path,
    settings: dict[str, Path],
    output: dict[str, Path],
    *,
    ks: list[int],
    alphas: list[float],
    edges: list[float],
    saturated_from: float,
    epsilon: float,
) -> None:
    default = read(reference, INDEX)
    others = {name: read(path, INDEX) for name, path in settings.items()}
    cells = sensitivity.grid(
        read(benchmarks, PREPARED_BENCHMARKS),
        read(top_scores, PREPARED_SCORES),
        ks,
        alphas,
        edges,
        epsilon,
    )

    comparisons = {n: pd.DataFrame([sensitivity.compare(default, t)]) for n, t in others.items()}
    transitions = {n: sensitivity.transitions(default, t) for n, t in others.items()}
    write_csv(labelled(comparisons, others), output["comparisons"])
    write_csv(labelled(transitions, others), output["transitions"])
    write_csv(sensitivity.grid_summary(cells, default, saturated_from), output["grid"])


def labelled(parts: dict[str, pd.DataFrame], settings: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """The settings' tables below each other, with the name, k and alpha of each setting."""
    whole = pd.concat(parts, names=["setting", None]).reset_index("setting")
    for place, column in enumerate(("k", "alpha"), start=1):
        value = {name: table[column].iloc[0] for name, table in settings.items()}
        whole.insert(place, column, whole["setting"].map(value))
    return whole


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        params = dict(snakemake.params)
        main(
            Path(snakemake.input.benchmarks),
            Path(snakemake.input.top_scores),
            Path(snakemake.input.reference),
            dict(zip(params.pop("names"), map(Path, snakemake.input.settings))),
            output={name: Path(path) for name, path in snakemake.output.items()},
            **params,
        )
