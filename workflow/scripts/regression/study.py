"""Fit, coefficients, checks, permutation controls, headline numbers and figures of the models."""

from collections.abc import Mapping, Sequence
from typing import Any

from saturation.files.tables import write_csv
from studies import style
from studies.files.stages import Paths, load_several, read, run
from studies.plateau.schemas import INDEX, PREPARED_BENCHMARKS, TABLE
from studies.regression import figures
from studies.regression.posterior import load_netcdf
from studies.regression.study import Settings, study
from studies.regression.validation import HeldOut
from studies.style import write_figures


def main(
    inputs: Paths,
    output: Paths,
    *,
    settings: Mapping[str, Any],
    schemes: Mapping[str, Sequence[str]],
) -> None:
    settled = Settings.parse(settings)
    posteriors = dict(zip(schemes, map(load_netcdf, inputs.each("posteriors")), strict=True))
    # Model after model, each in all ways in which benchmarks leave it.
    refitted = zip(
        *(load_several(inputs.each(kind), TABLE) for kind in ("predictions", "measures", "refits")),
        strict=True,
    )
    held_out = {
        model: {scheme: HeldOut(*next(refitted)) for scheme in names}
        for model, names in schemes.items()
    }
    tables = study(
        read(inputs["benchmarks"], PREPARED_BENCHMARKS),
        read(inputs["index"], INDEX),
        posteriors,
        held_out,
        settled,
    )
    for place, of_model in enumerate(tables["models"].values()):
        for kind in ("validation", "coefficients", "checks"):
            write_csv(of_model[kind], output.each(kind)[place])
    for kind in ("permutations", "located", "fit", "effects", "comparison", "quantities"):
        write_csv(tables[kind], output[kind])
    with style.style():
        drawn = figures.all_figures(
            settled.specifications,
            tables,
            settled.saturated_from,
        )
        write_figures(drawn, output.each("figures"))


run(main, globals())
