"""The dashboard: light pages that hold their data, need no network and link each other."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from saturation.dashboard import behind, charts, claims, forecasts, links, origins, ranks, rows
from saturation.dashboard.behind import Behind
from saturation.drawing import pages as drawn
from saturation.drawing.style import BIN_COLOURS
from saturation.index import BINS

# Templates by the names under which they know each other.
TEMPLATES = (
    *("layout", "parts", "index", "time", "ledger", "paper", "benchmark", "models"),
    *("sources", "table", "code"),
)
STYLE, SCRIPT, BUNDLE = "assets/dashboard.css", "assets/dashboard.js", "assets/vega.js"
NO_LEDGER: dict[str, Any] = {"claims": [], "verdicts": {}, "papers": []}


def pages(
    tables: Mapping[str, pd.DataFrame],
    cards: Sequence[rows.Card],
    known: Behind,
    templates: Mapping[str, str],
    settings: Mapping[str, Any],
) -> Iterator[tuple[str, str]]:
    """Every page of the dashboard; every value in them is escaped.

    Parameters
    ----------
    tables
        ``benchmarks``, ``top_scores``, ``index`` and ``intervals`` of the plateau study;
        ``overview``, ``models``, ``course`` and ``remarks`` of the boards; where they exist
        ``monthly`` of the discriminability study, ``reach`` of the forecasts, the ``ledger`` and
        its ``evidence``; columns in :mod:`saturation.dashboard.schemas`.
    cards
        The user's cards.
    known
        What stands behind the numbers.
    templates
        Texts of `TEMPLATES`, and of ``style`` and ``script``.
    settings
        ``k``, ``alpha`` and ``saturated_from`` of the index, and ``observed_on``, the date of the
        published scores.

    Yields
    ------
    tuple
        Path in the dashboard's folder, and text.
    """
    content = _content(tables, cards, known, settings)
    render = drawn.together(templates)
    yield STYLE, render("style", {"colours": BIN_COLOURS})
    yield SCRIPT, templates["script"]
    for path, name, more in _listed(content, known):
        root = "../" * path.count("/")
        specs = embedded(more.get("specs", {}))
        yield path, render(name, {**content, **more, "specs": specs, "root": root, "path": path})


def _content(
    tables: Mapping[str, pd.DataFrame],
    cards: Sequence[rows.Card],
    known: Behind,
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """What pages share."""
    listed = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    if cards:
        listed = pd.concat([listed, rows.from_cards(cards)], ignore_index=True)
    listed = listed.sort_values("s_index", ascending=False, kind="stable", ignore_index=True)
    months = rows.all_months(tables.get("monthly"), cards, listed)
    boards = ranks.boards(tables, listed)
    models = ranks.by_model(boards, cards)
    judged = (
        claims.content(tables["ledger"], tables["evidence"], set(known.sources["name"]))
        if "ledger" in tables and "evidence" in tables
        else NO_LEDGER
    )
    return {
        "settings": settings,
        "counts": rows.counts(listed, settings["saturated_from"]),
        "bins": BINS,
        "listed": listed,
        "rows": [row | {"address": links.benchmark(row["id"])} for row in rows.records(listed)],
        "own": [row | {"address": links.benchmark(row["id"])} for row in rows.own(cards)],
        "cards": {rows.card_id(card): card for card in cards},
        "tops": rows.tops(tables["top_scores"], cards),
        "facts": forecasts.added(
            rows.facts(tables["benchmarks"], settings["observed_on"]), tables.get("reach")
        ),
        "months": months,
        "boards": boards,
        "models": models,
        "anchors": {model["model"]: model["anchor"] for model in models},
        "sources": rows.records(known.sources),
        "origins": origins.origins(tables, settings["observed_on"], cards),
        **judged,
    }


def _listed(content: Mapping[str, Any], known: Behind) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Path, template and own content of every page."""
    listed, months = content["listed"], content["months"]
    yield "index.html", "index", {"specs": charts.of_all(listed)}
    yield "time.html", "time", {"specs": charts.of_months(months)}
    yield "ledger.html", "ledger", {}
    yield "models.html", "models", {}
    yield "sources.html", "sources", {}
    for paper in content["papers"]:
        own = [claim for claim in content["claims"] if claim["paper"] == paper["name"]]
        yield f"papers/{paper['name']}.html", "paper", {"paper": paper, "claims": own}
    by_id = {board["id"]: board for board in content["boards"]}
    for row in content["rows"]:
        yield _benchmark(row, by_id.pop(row["id"], None), months)
    for board in by_id.values():
        yield _benchmark({"id": board["id"], "name": board["title"]}, board, {})
    for name, table in behind.tables(known).items():
        yield f"data/{name}.html", "table", {"table": table, "copy": f"{name}.csv"}
    for name, module in behind.modules(known).items():
        yield f"code/{name}.html", "code", {"module": module}


def _benchmark(
    row: Mapping[str, Any], board: Mapping[str, Any] | None, months: Mapping[str, pd.DataFrame]
) -> tuple[str, str, dict[str, Any]]:
    """The page of a published benchmark, of one of the user's, or of a board alone."""
    courses = {
        name: own for name, table in months.items() if len(own := table[table["id"] == row["id"]])
    }
    content = {
        "row": row,
        "board": board,
        "courses": {name: rows.records(table) for name, table in courses.items()},
        "specs": {
            **charts.of_months(courses),
            **({"course": charts.of_course(board["course"])} if board and board["course"] else {}),
        },
    }
    return f"benchmarks/{row['id']}.html", "benchmark", content


def embedded(content: Any) -> str:
    """JSON that can stand inside a script element whatever its strings hold; empty for nothing."""
    if not content:
        return ""
    text = json.dumps(
        content, sort_keys=True, allow_nan=False, ensure_ascii=True, separators=(",", ":")
    )
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
