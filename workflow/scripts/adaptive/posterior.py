"""Full posterior of a small bank by NUTS, its diagnostics, and its agreement with the MAP fit."""

from pathlib import Path

import numpy as np
import pandas as pd

from saturation import seeds
from saturation.adaptive import posterior, recovery, responses
from saturation.errors import InputError
from saturation.files.tables import logged, read_table, write_csv, write_json


def main(
    tables: dict[str, Path],
    output: dict[str, Path],
    *,
    bank: str,
    seed: int,
    settings: dict[str, float],
) -> None:
    loaded = responses.from_wide(
        read_table(tables["responses"]), str(tables["responses"]), fewest=1
    )
    if loaded.responses.size > settings["largest_cells"]:
        raise InputError(
            f"{tables['responses']}: {loaded.responses.size} cells; the full posterior is for at "
            f"most {settings['largest_cells']} (config key adaptive.posterior.largest_cells)"
        )
    draws, divergences = posterior.sample(
        loaded.responses,
        draws=int(settings["draws"]),
        tune=int(settings["tune"]),
        chains=int(settings["chains"]),
        seed=seeds.derive(seed, "adaptive", "posterior", bank),
    )
    summary = posterior.summary(draws)
    items, people = read_table(tables["item_table"]), read_table(tables["abilities"])
    fitted = {
        "ability": people["ability"],
        "log_discrimination": np.log(items["discrimination"]),
        "difficulty": items["difficulty"],
    }
    write_csv(summary, output["posterior"])
    write_csv(recovery.agreement(summary, fitted), output["agreement"])
    gates(summary, divergences, settings)
    write_json(
        {
            "divergences": divergences,
            "largest_r_hat": float(summary["r_hat"].max()),
            "smallest_ess_bulk": float(summary["ess_bulk"].min()),
        },
        output["diagnostics"],
    )


def gates(summary: pd.DataFrame, divergences: int, settings: dict[str, float]) -> None:
    found = []
    if divergences > settings["most_divergences"]:
        found.append(f"{divergences} divergent transitions; allowed {settings['most_divergences']}")
    if summary["r_hat"].max() > settings["largest_r_hat"]:
        found.append(f"R-hat {summary['r_hat'].max():.3f}; allowed {settings['largest_r_hat']}")
    if summary["ess_bulk"].min() < settings["least_ess"]:
        found.append(f"bulk ESS {summary['ess_bulk'].min():.0f}; needed {settings['least_ess']}")
    if found:
        raise InputError([f"posterior: {one}; raise adaptive.posterior.draws" for one in found])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        names = ("responses", "item_table", "abilities")
        main(
            {name: Path(snakemake.input[name]) for name in names},
            {name: Path(path) for name, path in snakemake.output.items()},
            bank=snakemake.wildcards.bank,
            seed=snakemake.params.seed,
            settings=snakemake.params.settings,
        )
