"""Sample the posterior of every model of the run, and predict every benchmark by refits in folds.

Nothing is written unless every posterior and every refit passes its gate.
"""

from collections.abc import Mapping
from typing import Any

from saturation.files.stages import Paths, read_each, run
from saturation.files.tables import write_csv, write_netcdf
from saturation.regression import gate as sampling_gate
from saturation.regression import refits as exact
from saturation.regression.design import Design
from saturation.regression.posterior import draw, posteriors
from saturation.regression.schemas import DESIGN
from saturation.regression.specification import Effort, specifications


def main(
    inputs: Paths,
    output: Paths,
    *,
    models: Mapping[str, Mapping[str, Any]],
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    refits: Mapping[str, Any],
    seed: int,
) -> None:
    specified = specifications(models)
    tables = map(Design.from_table, read_each(inputs.each("designs"), DESIGN))
    designs = dict(zip(specified, tables, strict=True))
    limits = sampling_gate.Gate(**gate)
    passed = posteriors(designs, specified, Effort(**effort), limits, seed)
    held = exact.of_models(
        designs,
        specified,
        exact.FOLDS,
        draw,
        refits=refits,
        divergences=limits.divergences,
        seed=seed,
    )
    for place, name in enumerate(specified):
        posterior, measured = passed[name]
        write_netcdf(posterior, output.each("posteriors")[place])
        write_csv(sampling_gate.diagnostics_table(measured), output.each("diagnostics")[place])
        for kind, table in vars(held[name]).items():
            write_csv(table, output.each(kind)[place])


run(main, globals())
