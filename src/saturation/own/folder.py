"""The folder of one benchmark: its card as pages and data, and what it was made from."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import UndefinedError

from saturation.errors import InputError
from saturation.files.tables import (
    write_csv,
    write_json,
    write_json_line,
    write_parquet,
    write_text,
)
from saturation.own import card_pages, export
from saturation.own.card import summary_line
from saturation.own.imports import Imports

PAGES = {"html": "card.html", "markdown": "card.md", "badge": "badge.svg"}


def write_card(card: dict[str, Any], folder: Path, templates: Mapping[str, str]) -> None:
    """Write the card's pages, the card itself and its one-line summary.

    The card gets a line for each card of an earlier date that it takes the place of.

    Parameters
    ----------
    card
        :func:`saturation.own.content.content`.
    folder
        Where; it is made.
    templates
        Text of the Jinja templates ``html``, ``markdown`` and ``badge``.
    """
    card["earlier_cards"] = earlier_cards(card, folder)
    for name, text in card_pages.card_pages(card, templates).items():
        write_text(text, folder / PAGES[name])
    write_json(card, folder / "card.json")
    write_json_line(summary_line(card), folder / "summary.json")
    write_text(export.lines(card), folder / "every_eval_ever.jsonl")


def earlier_cards(card: Mapping[str, Any], folder: Path) -> list[dict[str, Any]]:
    """One line for each card of an earlier date that stood in a folder, the oldest first.

    Parameters
    ----------
    card
        The card that takes their place.
    folder
        Of the benchmark.
    """
    path = folder / "card.json"
    if not path.is_file():
        return []
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
        kept = [*before.get("earlier_cards", []), summary_line(before)]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []  # of an earlier version of the project, or cut off
    return [line for line in kept if line["observed_on"] < card["observed_on"]]


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
    write_parquet(imports.responses, folder / "responses.parquet")
    write_json(imports.record, folder / "imports.json")


def keep(error: InputError, folder: Path, templates: Mapping[str, str]) -> dict[str, Any] | None:
    """Leave an earlier card in place, marked with what keeps it from being made anew.

    Its data stay as they are; its pages say that they are of an earlier date, and why.

    Parameters
    ----------
    error
        Why the files cannot be read.
    folder
        Of the benchmark.
    templates
        As :func:`write_card` takes them.

    Returns
    -------
    dict or None
        The card with its mark ``stale``; None where there is none, or one of an earlier version of
        the project.
    """
    path = folder / "card.json"
    if not path.is_file():
        return None
    card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    card["stale"] = error.violations
    try:
        write_card(card, folder, templates)
    except (KeyError, UndefinedError):
        return None
    return card
