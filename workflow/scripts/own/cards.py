"""Every card with its pages, in one job, and all cards in one table, one row a benchmark."""

import itertools
from typing import Any

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.own import outlook
from saturation.own.cards import make
from saturation.own.folder import PAGES
from saturation.own.settings import from_config


def main(
    inputs: Paths,
    output: Paths,
    *,
    benchmarks: dict[str, Any],
    entries: dict[str, list[dict[str, Any]]],
    cards: dict[str, Any],
    plateau: dict[str, Any],
    discriminability: dict[str, Any],
    seed: int,
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
    folder = output["csv"].with_name("benchmarks")
    settings = from_config(cards, plateau, discriminability)
    lessons = outlook.lessons(inputs["shared"], inputs["accuracy"])
    table = make(benchmarks, files, folder, settings, templates, lessons, seed)
    write_csv(table, output["csv"])
    write_html(table, output["html"], "Saturation cards")


stages.run(main, globals())
