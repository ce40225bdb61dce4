"""The dashboard: one page that holds its data, its charts and the code that draws them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from saturation.dashboard import charts, forecasts, rows
from saturation.drawing import pages
from saturation.drawing.style import BIN_COLOURS
from saturation.index import BINS

COLUMNS = [
    {"key": "name", "title": "benchmark", "numeric": False},
    {"key": "s_index", "title": "S", "numeric": True},
    {"key": "s_lower", "title": "interval", "numeric": True},
    {"key": "bin", "title": "bin", "numeric": False},
    {"key": "p_saturated", "title": "P(saturated)", "numeric": True},
    {"key": "age", "title": "age (months)", "numeric": True},
    {"key": "n", "title": "n", "numeric": True},
    {"key": "s_1", "title": "best score", "numeric": True},
]


def page(
    tables: Mapping[str, pd.DataFrame],
    cards: Sequence[rows.Card],
    templates: Mapping[str, str],
    bundle: str,
    settings: Mapping[str, Any],
) -> str:
    """The whole page as HTML; every value but the assets is escaped.

    Parameters
    ----------
    tables
        ``benchmarks``, ``top_scores``, ``index`` and ``intervals`` of the plateau study, and where
        they exist ``monthly`` of the discriminability study, ``reach`` of the forecasts, the
        ``ledger`` and its ``evidence``; columns in :mod:`saturation.dashboard.schemas`.
    cards
        The user's cards.
    templates
        Text of the page's ``html``, ``css`` and ``js``.
    bundle
        JavaScript of the plotting library.
    settings
        ``k``, ``alpha`` and ``saturated_from`` of the index, and ``observed_on``, the date of the
        published scores.
    """
    listed = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    if cards:
        listed = pd.concat([listed, rows.from_cards(cards)], ignore_index=True)
    months = rows.all_months(tables.get("monthly"), cards, listed)
    content = {
        "css": templates["css"],
        "js": templates["js"],
        "bundle": bundle.replace("</script", "<\\/script"),
        "specs": embedded(charts.specifications(listed, months)),
        "settings": settings,
        "counts": rows.counts(listed, settings["saturated_from"]),
        "columns": COLUMNS,
        "bins": BINS,
        "colours": BIN_COLOURS,
        "rows": rows.records(listed),
        "own": rows.own(cards),
        "cards": {rows.card_id(card): card for card in cards},
        "tops": rows.tops(tables["top_scores"], cards),
        "facts": forecasts.added(
            rows.facts(tables["benchmarks"], settings["observed_on"]), tables.get("reach")
        ),
        "boards": {name: len(table) for name, table in months.items()},
        **rows.ledger_content(tables.get("ledger"), tables.get("evidence")),
    }
    return pages.page(templates["html"], content)


def embedded(content: Any) -> str:
    """JSON that can stand inside a script element whatever its strings hold."""
    text = json.dumps(content, sort_keys=True, allow_nan=False, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
