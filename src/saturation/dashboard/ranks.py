"""Real boards and their models: which ranks a model may hold on each, and who is tied."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from saturation.board import names
from saturation.board.verdict import REASONS
from saturation.boards.names import BANKS, EMBEDDED
from saturation.dashboard import links
from saturation.dashboard.rows import Card, card_id, letters, ranks, records
from saturation.drawing import pages


def boards(tables: Mapping[str, pd.DataFrame], listed: pd.DataFrame) -> list[dict[str, Any]]:
    """Every embedded board with its models and its course.

    Parameters
    ----------
    tables
        ``overview, models, course, remarks`` of the boards' study.
    listed
        The dashboard's benchmarks: ``id, name, own``. A board whose title has the same letters and
        digits as a published benchmark's name stands on that benchmark's page.

    Returns
    -------
    list of dict
        The columns of the overview, and ``id`` of its page, ``address``, ``explanation``, ``ranks``
        (rows of `models` with ``apart``, the number of others that cannot be told from it),
        ``course``, ``remarks``, ``newest`` (the latest release date of a model, or None),
        ``older`` (whether its models are those of the item banks) and ``sources``.
    """
    published = listed[~listed["own"].astype(bool)]
    ids = {letters(name): str(key) for name, key in zip(published["name"], published["id"])}
    by_board = {
        name: dict(list(tables[name].groupby("board"))) for name in ("models", "course", "remarks")
    }
    return [
        _board(row, {name: parts.get(row["board"]) for name, parts in by_board.items()}, ids)
        for row in records(tables["overview"])
    ]


def _board(
    row: dict[str, Any], parts: Mapping[str, pd.DataFrame | None], ids: Mapping[str, str]
) -> dict[str, Any]:
    name = row["board"]
    key = ids.get(letters(row["title"]), f"board-{name}")
    models, course, remarks = (parts[part] for part in ("models", "course", "remarks"))
    assert models is not None
    released = models["released"].dropna()
    return {
        **row,
        "id": key,
        "address": links.benchmark(key),
        "explanation": REASONS[row["reason"]],
        "ranks": [_rank(model) for model in records(models)],
        "course": [] if course is None else records(course),
        "remarks": [] if remarks is None else list(remarks["remark"]),
        "newest": None if released.empty else str(released.max()),
        "older": name in BANKS,
        "sources": [file.partition(".")[0] for file in EMBEDDED[name].sources],
    }


def _rank(model: dict[str, Any]) -> dict[str, Any]:
    """A model's place, with the ranks it may hold in words."""
    return {
        **model,
        "ranks": ranks(model["best_rank"], model["worst_rank"]),
        "alike": model["worst_rank"] - model["best_rank"],
        "label": pages.percent(model["score"]),
    }


def by_model(shown: Sequence[Mapping[str, Any]], cards: Sequence[Card]) -> list[dict[str, Any]]:
    """Every model of the boards and of the user's cards, with its place on each.

    Parameters
    ----------
    shown
        Of :func:`boards`.
    cards
        The user's cards.

    Returns
    -------
    list of dict
        ``model``, ``anchor``, ``released`` (the first date that a board has of it, or None) and
        ``places``: ``title, address, rank, ranks, of, tied, alike, label, dated``.
    """
    places: dict[str, list[dict[str, Any]]] = {}
    released: dict[str, str] = {}
    for board in shown:
        for model in board["ranks"]:
            places.setdefault(model["model"], []).append(_on_board(board, model))
            if model["released"]:
                released.setdefault(model["model"], model["released"])
    for card in cards:
        for rank, model in enumerate((card["frontier"] or {}).get("models") or [], start=1):
            places.setdefault(model["model"], []).append(_on_card(card, model, rank))
    ordered = sorted(places, key=lambda name: (name.lower(), name))
    anchors = links.slugs(ordered)
    return [
        {
            "model": name,
            "anchor": anchors[name],
            "released": released.get(name),
            "places": places[name],
        }
        for name in ordered
    ]


def _on_board(board: Mapping[str, Any], model: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": board["title"],
        "address": board["address"],
        "rank": model["place"],
        "of": board["n_models"],
        "tied": model["tied_with_leader"],
        "dated": board["newest"],
        **{name: model[name] for name in ("ranks", "alike", "label")},
    }


def _on_card(card: Card, model: Mapping[str, Any], rank: int) -> dict[str, Any]:
    bounded = names.bounded(card["data"]["family"])
    return {
        "title": card["benchmark"],
        "address": links.benchmark(card_id(card)),
        "rank": rank,
        "of": card["data"]["n_ranked"],
        "tied": model["tied_with_leader"],
        "dated": card["observed_on"],
        "ranks": ranks(model["best_rank"], model["worst_rank"]),
        "alike": model["worst_rank"] - model["best_rank"],
        "label": pages.percent(model["score"]) if bounded else pages.number(model["score"], 1),
    }
