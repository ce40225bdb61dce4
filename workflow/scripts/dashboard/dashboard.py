"""Write the dashboard: one page that holds its data, its plots and the code that draws them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import vl_convert

from saturation.dashboard import page
from saturation.drawing.style import BIN_COLOURS
from saturation.files.tables import logged, read_table, write_text
from saturation.index import BINS

COLUMNS = [
    {"key": "name", "title": "benchmark", "numeric": False},
    {"key": "s_index", "title": "S index", "numeric": True},
    {"key": "s_lower", "title": "interval", "numeric": True},
    {"key": "bin", "title": "bin", "numeric": False},
    {"key": "p_saturated", "title": "P(saturated)", "numeric": True},
    {"key": "age", "title": "age (months)", "numeric": True},
    {"key": "n", "title": "n", "numeric": True},
    {"key": "s_1", "title": "best score", "numeric": True},
]


def main(
    tables: Mapping[str, Path],
    cards: list[Path],
    templates: Mapping[str, Path],
    output: Path,
    *,
    settings: Mapping[str, Any],
) -> None:
    read = {name: read_table(path) for name, path in tables.items()}
    own = [json.loads(path.read_text(encoding="utf-8")) for path in cards]
    published = page.published(read["benchmarks"], read["index"], read["intervals"])
    mine = page.from_cards(own)
    rows = pd.concat([published, mine], ignore_index=True) if own else published
    months = page.all_months(read.get("monthly"), own, rows)
    text = {name: path.read_text(encoding="utf-8") for name, path in templates.items()}
    content = {
        "css": text["css"],
        "js": text["js"],
        "bundle": vl_convert.javascript_bundle().replace("</script", "<\\/script"),
        "specs": page.embedded(page.specifications(rows, months)),
        "settings": settings,
        "counts": page.counts(rows, settings["saturated_from"]),
        "columns": COLUMNS,
        "bins": BINS,
        "colours": BIN_COLOURS,
        "rows": page.records(rows),
        "cards": {f"own-{card['benchmark']}": card for card in own},
        "tops": page.tops(read["top_scores"], own),
        "facts": page.facts(read["benchmarks"]),
        "boards": {name: len(table) for name, table in months.items()},
        **page.ledger_content(read.get("ledger")),
    }
    write_text(page.page(text["html"], content), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        names = ("benchmarks", "top_scores", "index", "intervals", "monthly", "ledger")
        main(
            {n: Path(snakemake.input[n]) for n in names if snakemake.input.get(n)},
            [Path(path) for path in snakemake.input.cards],
            {name: Path(snakemake.input[name]) for name in ("html", "css", "js")},
            Path(snakemake.output[0]),
            settings=snakemake.params.settings,
        )
