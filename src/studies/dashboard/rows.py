"""The dashboard's tables: rows of benchmarks, months of leaderboards, top models, facts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

from saturation.compare.suite import ANSWERS, BETTER, UNTESTED, WORSE
from saturation.files import schema
from saturation.files.tables import NamedTables, Row, list_rows
from saturation.leaderboard import names
from saturation.leaderboard.names import letters
from saturation.leaderboard.top import RankedModel
from saturation.leaderboard.verdict import REASONS
from saturation.ledger.schemas import AS_TEXT, JUDGED, LEDGER, VERDICTS, paper
from saturation.own.card import Card, History
from saturation.own.imports import UNDATED
from saturation.pages import templates
from saturation.status.names import RATED, STALE
from saturation.status.names import current as current_benchmarks
from saturation.status.schemas import STATUS
from saturation.status.terminal import month, next_year
from studies.boards.names import BOARDS as NAMED_BOARDS
from studies.boards.names import OLDER
from studies.boards.schemas import BY_INPUT_NAME as BOARDS
from studies.discriminability.schemas import RESULTS
from studies.forecast.schemas import FRONTIER
from studies.ledger import judge
from studies.plateau.inputs import DAYS_A_MONTH
from studies.plateau.schemas import TABLE, schema_of
from studies.releases.names import DOCUMENTS

COLUMNS = [
    *("id", "name", "s_index", "s_lower", "s_upper", "bin", "first_and_kth"),
    *("age", "n", "s_1", "s_k", "gap", "own", "verdict", "synthetic"),
]
# Verdicts of a card by which a benchmark of the user's counts as no longer telling its top apart.
ALIKE = ("saturated", "stagnated")
MOST_MODELS = 10
# What the annotation's marks mean.
FLAGS = {
    "n_not_test_set": "n is not the size of the test set",
    "metric_not_accuracy": "the metric is no accuracy",
    "duplicate_model": "a model stands twice in the top",
    "fifth_score_repeated": "the fourth score stands for the fifth",
    "scores_not_in_order": "the scores were not in order",
}


def published(
    benchmarks: pd.DataFrame, index: pd.DataFrame, intervals: pd.DataFrame
) -> pd.DataFrame:
    """Return the plateau study's benchmarks as rows of the dashboard; ages are months."""
    table = benchmarks[["benchmark_id", "name", "months_at_observation"]].merge(
        index[["benchmark_id", "n_test", "s_1", "s_k", "s_index", "bin"]], on="benchmark_id"
    )
    table = table.merge(
        intervals[["benchmark_id", "s_lower", "s_upper", "first_and_kth"]], on="benchmark_id"
    )
    return table.rename(
        columns={"benchmark_id": "id", "months_at_observation": "age", "n_test": "n"}
    ).assign(gap=lambda rows: rows["s_1"] - rows["s_k"], own=False, verdict=None, synthetic=False)[
        COLUMNS
    ]


def list_cards(cards: Sequence[Card]) -> pd.DataFrame:
    """Return the user's benchmarks as rows of the table, with the verdicts of their cards.

    The interval means the same in all rows: by the error that the data tell, which is that of n
    items where only scores are known. A benchmark whose metric has no range has no score columns.
    """
    return pd.DataFrame([_row(card) for card in cards], columns=COLUMNS)


def _row(card: Card) -> Row:
    row = {
        "id": card_id(card),
        "name": card.benchmark,
        "age": months_between(card.released, card.observed_on),
        "n": card.data.n_items,
        "own": True,
        "verdict": card.verdict,
        "synthetic": card.synthetic,
    }
    if card.frontier is None:
        return row
    index = card.frontier.index
    row |= {name: getattr(index, name) for name in ("s_index", "bin", "first_and_kth")}
    row |= {"s_lower": index.lower, "s_upper": index.upper}
    if _bounded(card):
        row |= {"s_1": index.s_1, "s_k": index.s_k, "gap": index.s_1 - index.s_k}
    return row


def card_id(card: Card) -> str:
    """Return the identifier of a card's row, which no published benchmark has."""
    return f"own-{card.benchmark}"


def months_between(start: str | None, end: str) -> float | None:
    """Age in the plateau paper's months; None without a start."""
    if start is None or end == UNDATED:
        return None
    return (pd.Timestamp(end) - pd.Timestamp(start)).days / DAYS_A_MONTH


def all_months(
    monthly: pd.DataFrame | None, cards: Sequence[Card], rows: pd.DataFrame
) -> NamedTables:
    """Monthly discriminability of each leaderboard, the user's own last, with the rows' ids.

    A published line belongs to the row whose name has the same letters and digits.
    """
    ids = {letters(name): key for name, key in zip(rows["name"], rows["id"]) if name}
    boards = {} if monthly is None else dict(list(monthly.groupby("leaderboard")))
    courses = [
        pd.DataFrame(card.history.months).assign(benchmark=card.benchmark)
        for card in cards
        if isinstance(card.history, History)
    ]
    if courses:
        boards["your own"] = pd.concat(courses, ignore_index=True)
    return {
        str(board): table.assign(id=table["benchmark"].map(letters).map(ids))
        for board, table in boards.items()
    }


def counts(rows: pd.DataFrame, saturated_from: float) -> dict[str, int]:
    """Count the benchmarks of each kind, for headings and captions.

    ``above`` and ``below`` count published benchmarks whose whole interval lies on one side of the
    threshold, ``open`` the others; ``published_saturated`` counts by the index alone.
    """
    from_user = rows["own"].astype(bool)
    value, lower, upper = (
        rows.loc[~from_user, name].astype(float) for name in ("s_index", "s_lower", "s_upper")
    )
    above, below = int((lower >= saturated_from).sum()), int((upper < saturated_from).sum())
    return {
        "published": len(value),
        "published_saturated": int((value >= saturated_from).sum()),
        "above": above,
        "below": below,
        "open": len(value) - above - below,
        "own": int(from_user.sum()),
        "own_alike": int(rows["verdict"].isin(ALIKE).sum()),
        "aged": int(rows[["age", "s_index"]].notna().all(axis=1).sum()),
        "scored": int(rows[["s_1", "gap"]].notna().all(axis=1).sum()),
    }


def tops(top_scores: pd.DataFrame, cards: Sequence[Card]) -> dict[str, list[Row]]:
    """Return each benchmark's top models with a label, and a bar's length for bounded scores.

    Those of cards have the ``ranks`` that they may hold and whether they are ``tied`` with the
    leader; the plateau study's have neither.
    """
    listed: dict[str, list[Row]] = {}
    ordered = top_scores.sort_values(["benchmark_id", "score"], ascending=[True, False])
    for name, model, score in zip(ordered["benchmark_id"], ordered["model"], ordered["score"]):
        label = None if pd.isna(model) else model
        listed.setdefault(name, []).append(_top(label, float(score), True))
    for card in cards:
        listed[card_id(card)] = [
            _top(model.model, model.score, _bounded(card)) | _standing(vars(model), _bounded(card))
            for model in ranked_models(card)[:MOST_MODELS]
        ]
    return listed


def facts(benchmarks: pd.DataFrame, observed_on: str) -> dict[str, dict[str, str]]:
    """Describe each benchmark's annotation in words; leave out missing fields."""
    titles = {
        "released": "released",
        "citations": "citations",
        "availability": "test set",
        "languages": "languages",
        "output_format": "answers",
        "input_format": "task",
        "metrics": "metrics",
        "flags": "to note",
        "score_sources": "scores read at",
    }
    table = benchmarks.set_index("benchmark_id")[list(titles)].rename(columns=titles)
    return {
        str(name): {
            **{str(title): _describe(value) for title, value in row.items() if not pd.isna(value)},
            "scores as of": observed_on,
        }
        for name, row in table.iterrows()
    }


def records(table: pd.DataFrame) -> list[Row]:
    """Return rows as plain values, missing values as None, floats short."""
    return [
        {key: round(value, 6) if isinstance(value, float) else value for key, value in row.items()}
        for row in list_rows(table)
    ]


def ranked_models(card: Card) -> list[RankedModel]:
    """List a card's models; none where nothing could be tested."""
    return card.frontier.models if card.frontier else []


def _bounded(card: Card) -> bool:
    return names.bounded(card.data.family)


def _top(model: str | None, score: float, bounded: bool) -> Row:
    share = round(score, 4) if bounded else None
    return {"model": model, "label": _label(score, bounded), "share": share}


def _label(score: float, bounded: bool) -> str:
    return templates.percent(score) if bounded else templates.number(score, 1)


def _standing(model: Row, bounded: bool = True) -> Row:
    """Return a model's range of ranks, the number of ties, and whether the leader is tied."""
    best, worst = model["best_rank"], model["worst_rank"]
    return {
        "ranks": f"{best}" if best == worst else f"{best} to {worst}",
        "alike": worst - best,
        "tied": model["tied_with_leader"],
        "label": _label(model["score"], bounded),
    }


def _describe(value: Any) -> str:
    if isinstance(value, int | float) and value == int(value):
        return f"{int(value):,}"
    parts = str(value).split(";")
    return ", ".join(FLAGS.get(part, part.replace("_", " ")) for part in parts)


# Pixels of the drawing of a benchmark's best score.
CURVE = (480, 150)


def statuses(status: pd.DataFrame, frontier: pd.DataFrame, boards: Sequence[Row]) -> list[Row]:
    """List the benchmarks with data of the last months, current benchmarks first, with pages.

    The page is that of the annotated benchmark or of the leaderboard, where there is one.
    """
    pages = {board["board"]: board["id"] for board in boards}
    now = current_benchmarks(status)
    retired = status[~status["current"] & (status["status"] != STALE)]
    listed = []
    for row in records(pd.concat([now, retired])):
        course = frontier[frontier["series"] == row["history"]]
        page = row["benchmark_id"] or pages.get(row["items_board"]) or f"now-{row['anchor']}"
        listed.append(
            {
                **row,
                "id": page,
                "address": benchmark(page),
                "newest": month(row["date"]),
                "next": next_year(row),
                "curve": _curve(course, row["as_of"]),
                "first": month(course["date"].min()) if len(course) else None,
                "last": month(row["as_of"]),
            }
        )
    return listed


def count_statuses(listed: Sequence[Row]) -> dict[str, int]:
    """Count the current benchmarks by status."""
    now = [row for row in listed if row["current"]]
    by_report = sum(row["why"].startswith("a reported score") for row in now)
    return {
        "current": len(now),
        "by_report": by_report,
        **{name: sum(row["status"] == name for row in now) for name in RATED},
    }


NEW_MONTHS = 3  # age up to which the model of a best score is new


def news(listed: Sequence[Row]) -> dict[str, Any]:
    """List the benchmarks whose status the last refresh changed, and those with new best models."""
    since = pd.Timestamp(listed[0]["as_of"]) - pd.DateOffset(months=NEW_MONTHS)
    fresh = [row for row in listed if row["current"] and (row["best_date"] or "") > f"{since:%F}"]
    return {
        "changed": [row for row in listed if row["changed"]],
        "bests": sorted(fresh, key=lambda row: str(row["best_date"]), reverse=True),
        "months": NEW_MONTHS,
    }


def _curve(course: pd.DataFrame, as_of: str) -> str | None:
    """Draw the best score by date as the points of an SVG polyline; None without a history."""
    if course.empty:
        return None
    width, height = CURVE
    first, last = course["date"].min(), pd.Timestamp(as_of)
    days = max((last - first).days, 1)
    course = course[course["best"].diff().fillna(1.0) > 0]
    steps, before = [], float(course["best"].iloc[0])
    for date, best in [*zip(course["date"], course["best"]), (last, course["best"].iloc[-1])]:
        x = round(width * (date - first).days / days, 1)
        steps += [f"{x},{height * (1 - before):.1f}", f"{x},{height * (1 - best):.1f}"]
        before = float(best)
    return " ".join(steps)


def list_releases(table: pd.DataFrame | None) -> dict[str, Any] | None:
    """List the differences that release notes print, and count their answers by note."""
    if table is None:
        return None
    counts = pd.crosstab(table["document"], table["answer_like_these"])
    counts = counts.reindex(index=list(DOCUMENTS), columns=ANSWERS, fill_value=0)
    return {
        "claims": [_describe_claim(place, row) for place, row in enumerate(records(table), 1)],
        "notes": [
            {"title": document.title, "date": document.date, "answers": counts.loc[name].to_dict()}
            for name, document in DOCUMENTS.items()
        ],
        "answers": ANSWERS,
        "tested": int((table["answer_like_these"] != UNTESTED).sum()),
        "significant": int(table["answer_like_these"].isin([BETTER, WORSE]).sum()),
    }


def _describe_claim(number: int, row: Row) -> Row:
    """Describe a difference, in points; an untested one has neither difference nor error."""
    error = row["error_like_these"]
    return {
        **row,
        "anchor": f"{row['document'].replace('_', '-')}-{number}",
        "note": DOCUMENTS[row["document"]].title,
        "difference": None if error is None else row["score"] - row["rival_score"],
        "error": None if error is None else 100 * error,
    }


def list_suites(table: pd.DataFrame | None, column: str) -> list[Row]:
    """List rankings or tasks of suites, each with an address; tasks in the order to keep them."""
    if table is None:
        return []
    if "kept_as" in table:
        table = table.sort_values(["suite", "kept_as"], ascending=[False, True])
    names = [f"{suite} {name}" for suite, name in zip(table["suite"], table[column])]
    anchors = slugs(names)
    return [{**row, "anchor": anchors[name]} for row, name in zip(records(table), names)]


LIBRARY = "src/"


class Link(NamedTuple):
    """A link, or words that lead nowhere."""

    text: str
    address: str | None = None  # from the dashboard's folder, or in full


def near(path: str) -> str:
    """Return a path without the folder of the project."""
    match = re.search(r"(?:^|/)((?:results|resources)/(?!.*/(?:results|resources)/).*)", path)
    return match[1] if match else path


def table(path: str) -> str:
    """Return the name of a table's page and of its copy, from its path."""
    return near(path).partition("/")[2].removesuffix(".csv").replace("/", "_")


def module(path: str) -> str:
    """Return the name of the page of a module's code, from its path."""
    return path.rpartition(LIBRARY)[2].removesuffix(".py").replace("/", ".")


def benchmark(key: str) -> str:
    """Return the address of a benchmark's page."""
    return f"benchmarks/{quote(key)}.html"


def slugs(names: list[str]) -> dict[str, str]:
    """Return a unique anchor for each name: small letters and digits with hyphens."""
    slug_of = {}
    used = set()
    for name in names:
        anchor = plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "model"
        count = 1
        while anchor in used:
            count += 1
            anchor = f"{plain}-{count}"
        used.add(anchor)
        slug_of[name] = anchor
    return slug_of


def code(places: Any) -> list[Link]:
    """Link lines of code in a cell, for example ``src/saturation/index.py:12; ...``."""
    links = []
    for place in _parts(places):
        path, _, line = place.rpartition(":")
        links.append(Link(place, f"code/{module(path)}.html#L{line}"))
    return links


def cells(file: Any, cell: Any) -> list[Link]:
    """Link table rows in cells, as ``column value, row 5, 12``; else link the table."""
    if pd.isna(file):
        return []
    address = f"data/{table(file)}.html"
    rows = [] if pd.isna(cell) else re.findall(r"\d+", str(cell).rpartition("row")[2])
    if not rows:
        return [Link(str(file), address)]
    return [
        Link(f"{file}, row {row}" if place == 0 else f"row {row}", f"{address}#row-{row}")
        for place, row in enumerate(rows)
    ]


def sources(cell: Any, known: set[str]) -> list[Link]:
    """Link pinned sources in a cell, as ``open_llm_v1; open_llm_v2``; else keep its words."""
    return [Link(name, f"sources.html#{name}" if name in known else None) for name in _parts(cell)]


def _parts(cell: Any) -> Iterator[str]:
    if not pd.isna(cell):
        yield from (part for part in (text.strip() for text in str(cell).split(";")) if part)


FIRST_ROW = 2  # the ledger counts a table's lines, of which its header is the first


@dataclass(frozen=True)
class Behind:
    """Sources of the numbers: quantities, claims, and the modules of makers, by path."""

    tables: NamedTables
    code: Mapping[str, str]
    sources: pd.DataFrame


def tables(behind: Behind) -> dict[str, Row]:
    """Return the content of each table's page by the page's name.

    Rows have their number as the ledger counts it, and a link to the function that made them where
    the table says which.
    """
    places = judge.places(behind.code)
    return {
        table(path): {
            "path": near(path),
            "columns": [str(name) for name in content.columns],
            "rows": [
                {
                    "number": number,
                    "cells": {name: _cell(value) for name, value in row.items()},
                    "code": code(places.get(str(row.get("made_by")))),
                }
                for number, row in enumerate(content.to_dict("records"), start=FIRST_ROW)
            ],
        }
        for path, content in behind.tables.items()
    }


def _cell(value: Any) -> str:
    """Write a cell in words: numbers with six digits, nothing if missing."""
    if pd.isna(value):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def modules(behind: Behind) -> dict[str, Row]:
    """Return the content of each module's page by the page's name: its path and its lines."""
    return {
        module(path): {"path": LIBRARY + path.rpartition(LIBRARY)[2], "lines": text.splitlines()}
        for path, text in behind.code.items()
    }


# What the ledger's keys are called where they are read.
STUDIES = {
    "plateau": "the plateau study",
    "regression": "the plateau study's regressions",
    "multiverse": "the multiverse",
    "discriminability": "the discriminability study",
    "author": "the author's own tables",
    "adaptive": "the adaptive study",
    "robustness": "the robustness study",
    "boards": "the study of real boards",
    "forecast": "the forecasts",
    "printed": "the paper's printed numbers",
}
ROLES = {
    "natural": "the natural reading",
    "reading": "another reading",
    "replication": "a replication on other data",
}
METHODS = {
    "released code": "the authors' released code",
    "stated in the paper": "as the paper states it",
    "usual practice": "usual practice",
    "ours": "ours",
}


def content(ledger: pd.DataFrame, evidence: pd.DataFrame, known: set[str]) -> dict[str, Any]:
    """Return the claims with their evidence, and counts of verdicts, also by paper."""
    filled = ledger.fillna(dict.fromkeys(AS_TEXT, ""))
    pieces: dict[str, list[Row]] = {}
    for row in records(evidence):
        pieces.setdefault(row["claim_id"], []).append(_piece(row, known))
    claims = [
        {
            **row,
            "pieces": pieces.get(row["claim_id"], []),
            "address": f"papers/{row['paper']}.html#{row['claim_id']}",
        }
        for row in records(filled)
    ]
    return {
        "claims": claims,
        "verdicts": _counts(ledger),
        "papers": [
            {
                "name": name,
                **paper(str(name))._asdict(),
                "verdicts": _counts(rows),
                "claims": len(rows),
            }
            for name, rows in ledger.groupby("paper", sort=False)
        ],
    }


def _counts(ledger: pd.DataFrame) -> dict[str, int]:
    """Count the claims of each verdict that occurs."""
    return {name: n for name in VERDICTS if (n := int((ledger["verdict"] == name).sum()))}


def _piece(row: Row, known: set[str]) -> Row:
    """Describe a piece of evidence in words, with its cells, lines of code and sources."""
    return {
        **{name: row[name] for name in ("outcome", "computed", "remark", "note", "data")},
        "study": STUDIES.get(row["study"], row["study"]),
        "role": ROLES.get(row["role"], row["role"]),
        "method": METHODS.get(row["method"]),
        "cells": cells(row["file"], row["cell"]),
        "code": code(row["code"]),
        "sources": sources(row["source"], known),
    }


class Origin(NamedTuple):
    """Origin of a kind of number."""

    what: str
    dated: str
    tables: list[Link]  # copies, beside the pages
    sources: list[Link]  # pinned ones, or words


# What is shown: the kind of number, the tables with their columns of dates, the sources.
_KINDS = (
    (
        "Published scores, S and its interval",
        ("benchmarks", "top_scores", "index", "intervals"),
        None,
        "plateau_annotations",
    ),
    ("BDI month by month", ("monthly",), ("monthly", "month"), "open_llm_v1; open_llm_v2"),
    (
        "Ranks, ties and verdicts of real boards",
        ("overview", "models", "remarks"),
        ("models", "released"),
        "board_livebench; board_epoch_runs; board_epoch_models; "
        "the files nlu_* and board_mmlu_pro_*",
    ),
    (
        "Status and chances",
        ("status",),
        ("status", "as_of"),
        "history_epoch_eci and others of Epoch AI's hub; plateau_2026_llm_stats",
    ),
    (
        "Differences that release notes print",
        ("releases",),
        None,
        "the files release_*; lookup_llama4_model_card",
    ),
    (
        "Rankings of suites and their tasks",
        ("rankings", "tasks"),
        None,
        "board_livebench; MTEB (eng, v2)",
    ),
    (
        "Claims, evidence and verdicts",
        ("ledger", "evidence"),
        None,
        "each piece of evidence names its own",
    ),
)


def origins(tables: NamedTables, observed_on: str, cards: Sequence[Card]) -> list[Origin]:
    """One row a kind of number that the dashboard shows."""
    rows = []
    for kind, label, dates, sources in _KINDS:
        there = [name for name in label if name in tables]
        if not there:
            continue
        dates_given = {"benchmarks": observed_on, "ledger": "the papers' texts"}
        dated = _dated(tables, dates) or dates_given.get(label[0], "not known")
        copies = [Link(f"{name}.csv", f"data/{copy(name)}.csv") for name in there]
        listed = [
            Link(name, f"sources.html#{name}" if " " not in name else None)
            for name in sources.split("; ")
        ]
        rows.append(Origin(kind, dated, copies, listed))
    own_files = Link("your own files, named on its card")
    return rows + [
        Origin(f"Your own benchmark {card.benchmark}", card.observed_on, [], [own_files])
        for card in cards
    ]


def copy(name: str) -> str:
    """Return the name of the copy of a dashboard's table, apart from the studies' tables."""
    return f"shown_{name}"


def _dated(tables: NamedTables, dates: tuple[str, str] | None) -> str:
    """From the first to the last date of a column, or nothing."""
    if dates is None:
        return ""
    name, column = dates
    dates_text = tables[name][column].dropna().astype(str)
    if dates_text.empty:
        return ""
    first, last = dates_text.min(), dates_text.max()
    kind = "models released " if column == "released" else ""
    return f"{kind}{first}" if first == last else f"{kind}{first} to {last}"


def boards(tables: NamedTables, listed: pd.DataFrame) -> list[Row]:
    """Every embedded board with its row of the overview, its models.

    ``newest`` is the latest release date of a model; ``older`` says whether all its models are
    older than two years.
    """
    published = listed[~listed["own"].astype(bool)]
    ids = {letters(name): key for name, key in zip(published["name"], published["id"])}
    by_board = {name: dict(list(tables[name].groupby("board"))) for name in ("models", "remarks")}
    return [
        _board(row, {name: parts.get(row["board"]) for name, parts in by_board.items()}, ids)
        for row in records(tables["overview"])
    ]


def _board(row: Row, parts: Mapping[str, pd.DataFrame | None], ids: Mapping[str, str]) -> Row:
    name = row["board"]
    key = ids.get(letters(row["title"]), f"board-{name}")
    models, remarks = parts["models"], parts["remarks"]
    assert models is not None
    released = models["released"].dropna()
    return {
        **row,
        "id": key,
        "address": benchmark(key),
        "explanation": REASONS[row["reason"]],
        "ranks": [{**model, **_standing(model)} for model in records(models)],
        "remarks": [] if remarks is None else list(remarks["remark"]),
        "newest": None if released.empty else str(released.max()),
        "older": name in OLDER,
        "sources": [file.partition(".")[0] for file in NAMED_BOARDS[name].sources],
    }


def list_models(shown: Sequence[Row], cards: Sequence[Card]) -> list[Row]:
    """Every model of the boards and of the user's cards, with its place on each.

    ``released`` is the first date that a board has of it.
    """
    models: dict[str, Row] = {}
    for name, released, place in _list_places(shown, cards):
        model = models.setdefault(name, {"model": name, "released": None, "places": []})
        model["released"] = model["released"] or released
        model["places"].append(place)
    ordered = sorted(models, key=lambda name: (name.lower(), name))
    return [models[name] | {"anchor": anchor} for name, anchor in slugs(ordered).items()]


def _list_places(
    shown: Sequence[Row], cards: Sequence[Card]
) -> Iterator[tuple[str, str | None, Row]]:
    """Yield the name, the release date and the place of every model of a board or card."""
    for board in shown:
        about = {name: board[name] for name in ("title", "address")}
        about |= {"of": board["n_models"], "dated": board["newest"]}
        for model in board["ranks"]:
            standing = {name: model[name] for name in ("ranks", "alike", "tied", "label")}
            yield model["model"], model["released"], about | {"rank": model["place"]} | standing
    for card in cards:
        about = {"title": card.benchmark, "address": benchmark(card_id(card))}
        about |= {"of": card.data.n_ranked, "dated": card.observed_on}
        for rank, ranked in enumerate(ranked_models(card), start=1):
            standing = _standing(vars(ranked), _bounded(card))
            yield ranked.model, None, about | {"rank": rank} | standing


SOURCES = schema.Schema(
    {name: schema.text(optional=True) for name in ("name", "url", "licence", "sha256", "what")}
)
# Each table is read by the schema of the study that writes it, if it has one.
BY_INPUT_NAME = {
    **{name: schema_of(name) for name in ("benchmarks", "top_scores", "index", "intervals")},
    "monthly": RESULTS["monthly"],
    "status": STATUS,
    "frontier": FRONTIER,
    **BOARDS,
    "ledger": LEDGER,
    "evidence": JUDGED,
    **dict.fromkeys(("releases", "rankings", "tasks"), TABLE),
}
# Printed numbers keep their digits.
READ_AS = {"ledger": {"dtype": AS_TEXT}, "claims": {"dtype": {"published": str}}}
