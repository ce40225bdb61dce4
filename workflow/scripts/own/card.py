"""The cards of some of the user's benchmarks, with their pages."""

import itertools
from typing import Any

from saturation.own.cards import PAGES, make
from saturation.own.study import Context, parse_settings
from studies.files import stages
from studies.files.stages import Paths


def main(
    inputs: Paths,
    output: Paths,
    *,
    benchmarks: dict[str, Any],
    entries: dict[str, list[dict[str, Any]]],
    cards: dict[str, Any],
    plateau: dict[str, Any],
    discriminability: dict[str, Any],
) -> None:
    paths = iter(inputs.each("files"))
    files = {
        name: [
            {**entry, "path": path}
            for entry, path in zip(given, itertools.islice(paths, len(given)))
        ]
        for name, given in entries.items()
    }
    templates = {name: inputs[name].read_text(encoding="utf-8") for name in PAGES}
    folder = output.each("pages")[0].parent.parent
    tables = (inputs[name] for name in ("rises", "record", "annotation"))
    context = Context(parse_settings(cards, plateau, discriminability), *tables)
    make(benchmarks, files, folder, context, templates)


stages.run(main, globals())
