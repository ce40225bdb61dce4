"""Designs of the models, their posteriors, and every benchmark predicted by refits in folds.

The designs are checked before anything is sampled. Nothing is written unless every posterior and
every refit passes its gate.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from saturation import seeds
from saturation.files.tables import write_csv
from studies.files.stages import Paths, read, run
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS
from studies.regression import posterior, validation
from studies.regression.posterior import write_netcdf
from studies.regression.priors import Effort, Gate
from studies.regression.study import Settings, designs


def main(
    inputs: Paths,
    output: Paths,
    *,
    settings: Mapping[str, Any],
    sampled: Sequence[str],
    effort: Mapping[str, int],
    gate: Mapping[str, Any],
    refits: Mapping[str, Any],
) -> None:
    settled = Settings.parse(settings)
    tables = read(inputs["benchmarks"], PREPARED_BENCHMARKS), read(inputs["index"], INDEX)
    built = designs(*tables, settled)
    made = []
    for name in sampled:
        sample = posterior.sampler(built[name], settled.specifications[name])
        draw = partial(
            sample, built[name], seeds.derive(settled.seed, "regression", "posterior", name)
        )
        fitted = posterior.passed(draw, Effort(**effort), Gate(**gate), name)
        held = validation.refitted(
            sample,
            built[name],
            settled.specifications[name],
            validation.FOLDS,
            refits=refits,
            divergences=gate["divergences"],
            seed=settled.seed,
            name=name,
        )
        made.append((fitted, held))
    for design, path in zip(built.values(), output.each("designs"), strict=True):
        write_csv(design.make_table(), path)
    for place, ((drawn, measured), held) in enumerate(made):
        write_netcdf(drawn, output.each("posteriors")[place])
        write_csv(measured, output.each("diagnostics")[place])
        for kind, table in vars(held).items():
            write_csv(table, output.each(kind)[place])


run(main, globals())
