"""The status of benchmarks in words: for the terminal, and as the table of the documentation."""

import difflib
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import json_line, records, shipped, without_gaps
from saturation.pages.templates import percent
from saturation.status.study import (
    EXHAUSTED,
    FACTS,
    LISTED,
    SEPARATING,
    STALE,
    STATUS,
    STATUSES,
    TIED,
    plain,
)

SHIPPED = "resources/status/status.csv"
FACTS_FILE = "resources/status/benchmarks.csv"
WIDE = 34  # letters of a name in a list
_ITEMS = {TIED: "the top is tied", SEPARATING: "the top is separated"}


def run(options: Namespace) -> str:
    """What the command prints: of a run if there is one, else of the table in the package."""
    made = options.results / "status" / "status.csv"
    path = made if made.is_file() else shipped(SHIPPED)
    rows = [without_gaps(row) for row in records(stages.read(path, STATUS))]
    if options.name:
        rows = [_found(rows, " ".join(options.name))]
    if options.json:
        return json_line(rows)
    origin = f"data of {day(rows[0]['as_of'])}, {_whence(path, made)}"
    return "\n".join([*(_one(rows[0]) if options.name else _all(rows)), "", origin])


def today(name: str) -> str:
    """What the table in the package says of a benchmark, in a sentence, and how to read more."""
    rows = [without_gaps(row) for row in records(stages.read(shipped(SHIPPED), STATUS))]
    row = _found(rows, name)
    return (
        f"By scores up to {month(row['date'])} the benchmark is {row['status']} "
        f"(saturation status {name})."
    )


def due(row: dict[str, Any]) -> str:
    """The forecast of exhaustion in words."""
    if row["status"] == EXHAUSTED:
        return "reached"
    if row["not_in_two_years"] is None:
        return "no forecast"
    earliest, median, latest = (row[f"due_{end}"] for end in ("earliest", "median", "latest"))
    if median is None:
        first = f", {month(earliest)} at the earliest" if earliest else ""
        return f"not within two years ({percent(row['not_in_two_years'], 0)}{first})"
    end = month(latest) if latest else "after two years"
    return f"{month(median)} ({month(earliest)} to {end})"


def items(row: dict[str, Any]) -> str:
    """What item answers say, with date and number of models."""
    if row["items"] is None:
        return "none"
    date = month(row["items_date"]) if row["items_date"] else "no date"
    says = _ITEMS.get(row["items"], row["items"])
    return f"{says} ({date}, {row['items_models']:.0f} models)"


def markdown(status: pd.DataFrame) -> str:
    """The table of the documentation: every benchmark with data of the last months."""
    rows = [without_gaps(row) for row in records(status) if row["status"] != STALE]
    table = pd.DataFrame(
        {
            "benchmark": [row["benchmark"] + _marks(row) for row in rows],
            "status": [row["status"] for row in rows],
            "newest score": [month(row["date"]) for row in rows],
            "best": [percent(row["best_score"]) for row in rows],
            "of range": [percent(row["best_share"]) for row in rows],
            "best model": [row["best_model"].replace("_", " ") for row in rows],
            "90 % of range": [due(row) for row in rows],
            "items": [items(row) for row in rows],
            "S": ["" if row["s_index"] is None else f"{row['s_index']:.2f}" for row in rows],
        }
    )
    lines = [list(table.columns), ["---"] * table.shape[1], *table.to_numpy().tolist()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def month(date: str) -> str:
    """``2026-07`` or ``2026-07-31`` as ``Jul 2026``."""
    return f"{pd.Timestamp(date):%b %Y}"


def day(date: str) -> str:
    """``2026-07-31`` as ``31 July 2026``."""
    return f"{pd.Timestamp(date):%-d %B %Y}"


def _whence(path: Path, made: Path) -> str:
    return f"from {path}" if path == made else "the table that comes with the package"


def _found(rows: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The benchmark of a name, however it is spelled, or as a source calls it."""
    own = {row["benchmark"]: row for row in rows}
    facts = stages.read(shipped(FACTS_FILE), FACTS)
    listed = facts[["series", "index"]].fillna("").agg(";".join, axis=1)
    called = dict(zip(facts["benchmark"], listed, strict=True))
    known = {
        plain(word): row
        for benchmark, row in own.items()
        for word in (*called.get(benchmark, "").split(";"), benchmark)
    }
    if row := known.get(plain(name)):
        return row
    words = {plain(word): row for benchmark, row in own.items() for word in benchmark.split()}
    near = [key for key in known if plain(name) in key]
    near += difflib.get_close_matches(plain(name), {**words, **known}, n=3)
    names = list(dict.fromkeys({**words, **known}[key]["benchmark"] for key in near))[:5]
    there = f"did you mean {' or '.join(names)}?" if names else "`saturation status` lists all"
    raise InputError(f"no benchmark '{name}' is known; {there}")


def _all(rows: list[dict[str, Any]]) -> Iterator[str]:
    """A line a benchmark under each status; of old ones the number alone."""
    for status in STATUSES:
        own = [row for row in rows if row["status"] == status]
        yield f"{status} ({len(own)})"
        for row in own if status != STALE else []:
            name = (row["benchmark"] + _marks(row)).ljust(WIDE)
            best = f"{percent(row['best_share'], 0):>5} of range, {month(row['date'])}"
            yield f"  {name} {best}; {due(row)}"
    yield ""
    yield "* rests on the best model alone; + listed scores of several protocols"


def _one(row: dict[str, Any]) -> Iterator[str]:
    """A benchmark in full."""
    old = ", a model of more than two years ago" if row["old_models"] else ""
    released = f", {month(row['best_date'])}" if row["best_date"] else ""
    yield f"{row['benchmark']}: {row['status']}, by scores up to {month(row['date'])}"
    for label, text in {
        "why": row["why"],
        "newest score": f"{day(row['date'])} ({row['scores_from']}, {row['n_models']} models)",
        "best": f"{percent(row['best_score'])} ({row['best_model']}{released}{old})",
        "headroom": f"{percent(row['headroom'])} of the usable range is left",
        "forecast": due(row),
        "items": items(row),
        "known issues": row["issues"] or "none on record",
        "source": row["issues_source"],
        "remark": row["remark"],
        "successor": row["superseded_by"],
        "paper's S": None if row["s_index"] is None else f"{row['s_index']:.2f} ({row['s_date']})",
        "without best": None if row["without_best"] == row["status"] else row["without_best"],
    }.items():
        if text:
            yield f"  {label:<13} {text}"


def _marks(row: dict[str, Any]) -> str:
    fragile, listed = row["without_best"] != row["status"], row["scores_from"] == LISTED
    return ("*" if fragile else "") + ("+" if listed else "")
