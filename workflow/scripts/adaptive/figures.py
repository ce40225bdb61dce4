"""Draw the figures of some collections and of their banks."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from saturation.adaptive import schemas
from saturation.files import stages
from saturation.files.tables import write_figures
from saturation.pages import style
from studies.adaptive import figures

SCHEMAS = {
    "items": schemas.ITEMS,
    "abilities": schemas.ABILITIES,
    "misfit": schemas.MISFIT,
    "floors": schemas.FLOORS,
}


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    collections: Mapping[str, Sequence[str]],
) -> None:
    tables: dict[str, dict[str, pd.DataFrame]] = {}
    for path in inputs.each("banks"):
        tables.setdefault(path.parent.name, {})[path.stem] = stages.read(path, SCHEMAS[path.stem])
    with style.style():
        for bank, of_bank in tables.items():
            drawn = figures.draw_bank(bank, of_bank)
            write_figures(drawn, of(output, "banks", bank))
        for path in inputs.each("summaries"):
            collection = path.parent.name
            banks = collections[collection]
            title = f"{figures.called(collection)}, {len(banks)} benchmarks "
            title += "(real responses)"
            summary = stages.read(path, schemas.QUALITY)
            drawn = {"quality": figures.quality(summary, title)}
            write_figures(drawn, of(output, "collections", collection))


def of(output: stages.Paths, kind: str, name: str) -> list[Path]:
    """The figures of a bank or a collection, which may have one name."""
    return [path for path in output.each("files") if path.parts[-3:-1] == (kind, name)]


stages.run(main, globals())
