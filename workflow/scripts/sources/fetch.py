"""Fetch one pinned source from the mirror or its URL; its sha256 is checked before use."""

from pathlib import Path

from saturation.errors import InputError
from saturation.files import sources
from saturation.files.tables import logged, read_table


def main(registry: Path, name: str, mirror: Path | None, output: Path) -> None:
    known = sources.registry(read_table(registry))
    if name not in known:
        raise InputError(f"{registry}: no source '{name}'; known: {', '.join(known)}")
    sources.fetch(known[name], mirror, output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        mirror = snakemake.params.mirror
        main(
            registry=Path(snakemake.input.registry),
            name=snakemake.wildcards.source,
            mirror=Path(mirror) if mirror else None,
            output=Path(snakemake.output[0]),
        )
