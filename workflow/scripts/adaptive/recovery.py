"""How well the fit of a synthetic bank recovers its truth."""

from pathlib import Path

import numpy as np
import pandas as pd

from saturation import files, irt, recovery


def main(tables: dict[str, Path], output: Path) -> None:
    items, abilities = files.read_table(tables["item_table"]), files.read_table(tables["abilities"])
    true_items, truth = files.read_table(tables["true_items"]), files.read_table(tables["truth"])
    fit = irt.Fit(
        discrimination=items["discrimination"].to_numpy(),
        discrimination_se=items["discrimination_se"].to_numpy(),
        difficulty=items["difficulty"].to_numpy(),
        difficulty_se=items["difficulty_se"].to_numpy(),
        ability=abilities["ability"].to_numpy(),
        ability_se=abilities["ability_se"].to_numpy(),
        prior={},
        rounds=0,
        converged=True,
    )
    table: pd.DataFrame = recovery.recovery(
        fit,
        truth["ability"].to_numpy(),
        true_items["discrimination"].to_numpy(),
        np.asarray(true_items["difficulty"]),
    )
    files.write_csv(table.assign(synthetic=True), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            Path(snakemake.output[0]),
        )
