"""The folder of one benchmark: its card as pages and data, and what it was made from."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saturation.files.tables import write_csv, write_json, write_json_line, write_text
from saturation.own import card_pages
from saturation.own.card import summary_line
from saturation.own.imports import Imports

PAGES = {"html": "card.html", "markdown": "card.md", "badge": "badge.svg"}


def write_card(card: dict[str, Any], folder: Path, templates: Mapping[str, str]) -> None:
    """Write the card's pages, the card itself and its one-line summary.

    Parameters
    ----------
    card
        :func:`saturation.own.content.content`.
    folder
        Where; it is made.
    templates
        Text of the Jinja templates ``html``, ``markdown`` and ``badge``.
    """
    for name, text in card_pages.card_pages(card, templates).items():
        write_text(text, folder / PAGES[name])
    write_json(card, folder / "card.json")
    write_json_line(summary_line(card), folder / "summary.json")


def write_imports(imports: Imports, folder: Path) -> None:
    """Write the tidy tables and the record of what was read.

    Parameters
    ----------
    imports
        :func:`saturation.own.imports.read`.
    folder
        Where; it is made.
    """
    write_csv(imports.scores, folder / "scores.csv")
    write_csv(imports.responses, folder / "responses.csv")
    write_json(imports.record, folder / "imports.json")
