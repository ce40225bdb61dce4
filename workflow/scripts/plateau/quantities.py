"""Collect the plateau study's headline numbers."""

from collections.abc import Mapping
from pathlib import Path

from saturation import seeds
from saturation.files import stages
from saturation.files.tables import logged, write_csv
from saturation.plateau import quantities
from saturation.plateau.schemas import BY_INPUT_NAME


def main(
    tables: Mapping[str, Path],
    output: Path,
    *,
    seed: int,
    permutations: int,
    saturated_from: float,
    ceiling: float,
) -> None:
    read = {name: stages.read(path, BY_INPUT_NAME[name]) for name, path in tables.items()}
    rng = seeds.generator(seed, "plateau", "quantities")
    found = quantities.quantities(read, saturated_from, ceiling, permutations, rng)
    write_csv(found, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        tables = {
            name: Path(path)
            for name, path in snakemake.input.items()
            if name not in ("code", "lock")
        }
        main(tables, Path(snakemake.output[0]), **snakemake.params)
