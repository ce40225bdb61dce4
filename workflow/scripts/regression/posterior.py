"""Sample the posterior of every model of the run.

Nothing is written unless every posterior passes the gate.
"""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read_each, run
from saturation.files.tables import write_csv, write_netcdf
from saturation.regression import gate as sampling_gate
from saturation.regression.design import Design
from saturation.regression.posterior import posteriors
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Effort, specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    seed: int,
) -> None:
    specified = specifications(models)
    tables = read_each(inputs.each("designs"), DESIGN)
    designs = {
        name: Design.from_table(table) for name, table in zip(specified, tables, strict=True)
    }
    passed = posteriors(designs, specified, Effort(**effort), sampling_gate.Gate(**gate), seed)
    for place, (posterior, measured) in enumerate(passed.values()):
        write_netcdf(posterior, output.each("posteriors")[place])
        write_csv(sampling_gate.diagnostics_table(measured), output.each("diagnostics")[place])


run(main, globals())
