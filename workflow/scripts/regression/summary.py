"""All models side by side: fit, comparison by elpd, effects that hold up, headline numbers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from saturation.files.tables import logged, read_table, write_csv, write_html
from saturation.regression import summary, validation


def main(
    models: Sequence[str],
    outcomes: Mapping[str, str],
    judged: Sequence[str],
    tables: Mapping[str, Sequence[Path]],
    located: Path,
    outputs: Mapping[str, Path],
) -> None:
    read = {
        kind: {model: read_table(path) for model, path in zip(models, paths)}
        for kind, paths in tables.items()
    }
    fit = summary.stacked(read["fit"])
    coefficients = summary.stacked(read["coefficients"])
    saturation = coefficients[coefficients["model"].map(outcomes) != "log_gap"]
    effects = summary.effects(saturation)
    comparison = summary.stacked(_compared(models, outcomes, read["held_out"]), "outcome")
    quantities = summary.quantities(
        fit,
        coefficients,
        summary.effects(coefficients[coefficients["model"].isin(judged)]),
        read_table(located),
    )
    write_csv(fit, outputs["fit"])
    write_csv(effects, outputs["effects"])
    write_csv(comparison, outputs["comparison"])
    write_csv(quantities, outputs["quantities"])
    write_html(fit, outputs["fit_html"], "Fit of the joint regression, in and out of sample")
    write_html(comparison, outputs["comparison_html"], "Models compared on held-out data")
    write_html(effects, outputs["effects_html"], "Effects over all models of saturation")


def _compared(
    models: Sequence[str], outcomes: Mapping[str, str], held_out: Mapping[str, pd.DataFrame]
) -> dict[str, pd.DataFrame]:
    return {
        outcome: validation.compare(
            {model: held_out[model] for model in models if outcomes[model] == outcome}
        )
        for outcome in dict.fromkeys(outcomes[model] for model in models)
    }


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            snakemake.params.models,
            snakemake.params.outcomes,
            snakemake.params.judged,
            {
                kind: [Path(path) for path in snakemake.input[kind]]
                for kind in ("fit", "coefficients", "held_out")
            },
            Path(snakemake.input.located),
            {name: Path(path) for name, path in snakemake.output.items()},
        )
