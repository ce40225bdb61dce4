"""Agreement of the index over k and alpha: Table 1, the fine grid and the bin transitions."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv
from studies.plateau import uncertainty
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    names: list[str],
    ks: list[int],
    alphas: list[float],
    edges: list[float],
    saturated_from: float,
    epsilon: float,
) -> None:
    others = stages.load_several(inputs.each("settings"), INDEX)
    cells = uncertainty.grid(
        stages.read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        stages.read(inputs["top_scores"], PREPARED_SCORES),
        ks,
        alphas,
        edges,
        epsilon,
    )
    reference = stages.read(inputs["reference"], INDEX)
    tables = uncertainty.sensitivity(
        reference, dict(zip(names, others, strict=True)), cells, saturated_from
    )
    for name, table in tables.items():
        write_csv(table, output[name])


stages.run(main, globals())
