"""Agreement of the index over k and alpha: Table 1 and the fine grid."""

from typing import Any

from saturation.files.tables import write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.plateau import uncertainty
from studies.plateau.schemas import INDEX, PREPARED_SCORES


def main(
    inputs: Paths,
    output: Paths,
    *,
    names: list[str],
    **options: Any,
) -> None:
    others = stages.load_several(inputs.each("settings"), INDEX)
    reference = stages.read(inputs["reference"], INDEX)
    cells = uncertainty.grid(
        reference, stages.read(inputs["top_scores"], PREPARED_SCORES), **options
    )
    compared = uncertainty.comparisons(reference, dict(zip(names, others, strict=True)))
    write_csv(compared, output["comparisons"])
    write_csv(cells, output["grid"])


stages.run(main, globals())
