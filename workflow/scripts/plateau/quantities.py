"""Collect the plateau study's headline numbers."""

from collections.abc import Mapping
from pathlib import Path

from saturation import files, plateau_quantities, seeds
from saturation.tables import reading
from saturation.tables.plateau import BY_INPUT_NAME


def main(
    tables: Mapping[str, Path],
    output: Path,
    *,
    seed: int,
    permutations: int,
    saturated_from: float,
    ceiling: float,
) -> None:
    read = {name: reading.read(path, BY_INPUT_NAME[name]) for name, path in tables.items()}
    rng = seeds.generator(seed, "plateau", "quantities")
    found = plateau_quantities.quantities(read, saturated_from, ceiling, permutations, rng)
    files.write_csv(found, output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        tables = {
            name: Path(path)
            for name, path in snakemake.input.items()
            if name not in ("code", "lock")
        }
        main(tables, Path(snakemake.output[0]), **snakemake.params)
