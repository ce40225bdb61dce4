"""Print the status of benchmarks in a terminal."""

import difflib
import hashlib
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import Row, json_line, list_rows, load_table, shipped
from saturation.forecast.names import ALL_ORIGINS, print_chance
from saturation.leaderboard.names import EXHAUSTED, NEAR
from saturation.pages.style import short
from saturation.pages.templates import percent, wrap
from saturation.status.names import RATED, STALE, STATUSES, current, plain

SHIPPED = "resources/status/status.csv"
FACTS_FILE = "resources/status/benchmarks.csv"
RECORD_FILE = "resources/forecast/record.csv"
SOURCES_FILE = "resources/status/sources.csv"
CITED_DIGITS = 12
WIDE = 26  # letters of a name in a list
COLUMNS = ("benchmark", "status", "best", "reported", "newest", "next year")
LINE = "{:<26} {:<16} {:>7} {:>8} {:<8} {:>9}"
# What a status adds to the advice of a card of older scores.
ADVICE = {EXHAUSTED: ": use it no longer for the best models", NEAR: ": plan its successor"}
NOTE = (
    "best: measured, as a share of the range; reported: by developers;\n"
    "next year: chance that 90 % of the range is measured."
)


def run(options: Namespace) -> str:
    """Print a run's table if available, else the table in the package."""
    run_table = options.results / "status" / "status.csv"
    path = run_table if run_table.is_file() else shipped(SHIPPED)
    table = _load(path)
    words = " ".join(options.name)
    status = {plain(status): status for status in STATUSES}.get(plain(words))
    if status:
        selection = table[table["status"] == status]
    elif words:
        selection = _find(table, words)
    else:
        selection = table if options.all else current(table)
    if options.json:
        return json_line(list_rows(selection))
    whence = f"from {path}" if path == run_table else "the table that comes with the package"
    origin = (
        f"Data of {day(table['as_of'].iloc[0])}, {whence}.\nCite it with SHA-256 {digits(path)}."
    )
    lines = (
        _details(list_rows(selection)[0])
        if words and not status
        else [*_list(selection), "", NOTE, *counts(table), record_in_words()]
    )
    return "\n".join([*lines, origin])


def digits(path: Path) -> str:
    """Return the first digits of a file's SHA-256, by which its content is cited."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:CITED_DIGITS]


def _load(path: Path) -> pd.DataFrame:
    """Load a table of statuses, a run's by its schema, which takes longer to load than all else."""
    if path == shipped(SHIPPED):
        return load_table(path)
    from saturation.files import stages
    from saturation.status.schemas import STATUS

    return stages.read(path, STATUS)


def today(name: str) -> str:
    """Say what the table in the package has on a benchmark, in a sentence."""
    (row,) = list_rows(_find(load_table(shipped(SHIPPED)), name))
    return (
        f"Today (scores up to {month(row['date'])}): {row['status']}"
        f"{ADVICE.get(row['status'], '')}\n(saturation status {name})."
    )


def counts(table: pd.DataFrame) -> list[str]:
    """Count the current benchmarks by status, and all benchmarks."""
    now = current(table)["status"].value_counts()
    stale = (table["status"] == STALE).sum()
    parts = ", ".join(f"{now.get(status, 0)} {status}" for status in RATED)
    return [
        f"{now.sum()} current benchmarks: {parts}.",
        f"{stale} of all {len(table)} have no data of the last year: saturation status --all.",
    ]


def record_in_words() -> str:
    """Say how past chances did."""
    row = load_table(shipped(RECORD_FILE)).set_index("origin").loc[ALL_ORIGINS]
    return (
        f"Past chances added up to {row['expected']:.0f} of {row['scored']:.0f}; "
        f"{row['came']:.0f} came. {row['unknown']:.0f} more were not scored again."
    )


def next_year(row: Row) -> str:
    """Print the chance that 90 % is reached in a year; empty where no chance is given."""
    return "" if row["next_year"] is None else print_chance(row["next_year"])


def month(date: str | None) -> str:
    """Print ``2026-07`` or ``2026-07-31`` as ``Jul 2026``.

    Examples
    --------
    >>> month("2026-08-01")
    'Aug 2026'
    """
    return f"{pd.Timestamp(date):%b %Y}" if date else "no date"


def day(date: str) -> str:
    """Print ``2026-07-31`` as ``31 July 2026``.

    Examples
    --------
    >>> day("2026-08-01")
    '1 August 2026'
    """
    return f"{pd.Timestamp(date):%-d %B %Y}"


def print_share(share: float | None) -> str:
    """Print a share in percent; empty where it is missing."""
    return "" if share is None else percent(share)


def best_measured(row: Row) -> str:
    """Print the best measured score, its model and month; empty where none is measured."""
    score = print_best(row, "best").replace("_", " ")
    return score and f"{score}, {month(row['best_date'])}"


def print_best(row: Row, kind: str) -> str:
    """Print the `best` or the `reported` best score and its model; empty where there is none.

    As a share of the range where that is known.
    """
    score, share, model = (row[f"{kind}_{name}"] for name in ("score", "share", "model"))
    return "" if score is None else f"{percent(score if share is None else share)}, {model}"


def _find(table: pd.DataFrame, name: str) -> pd.DataFrame:
    """Find the benchmark of a name, in any spelling or by a source's name."""
    facts = load_table(shipped(FACTS_FILE))
    listed = facts[["series", "index"]].fillna("").agg(";".join, axis=1)
    keys = dict(zip(facts["benchmark"], listed))
    spellings = {
        plain(word): benchmark
        for benchmark in table["benchmark"]
        for word in (*keys.get(benchmark, "").split(";"), benchmark)
        if plain(word)
    }
    wanted = plain(name)
    if benchmark := spellings.get(wanted):
        row: pd.DataFrame = table[table["benchmark"] == benchmark]
        return row
    words = {plain(word): title for title in table["benchmark"] for word in title.split()}
    words |= spellings
    near = [key for key in spellings if wanted and wanted in key]
    near += difflib.get_close_matches(wanted, words, n=3)
    names = list(dict.fromkeys(words[key] for key in near))[:5]
    there = f"did you mean {' or '.join(names)}?" if names else "`saturation status` lists all"
    raise InputError(f"no benchmark '{name}' is known; {there}")


def _list(table: pd.DataFrame) -> Iterator[str]:
    """Print a line a benchmark."""
    yield LINE.format(*COLUMNS)
    for row in list_rows(table):
        yield LINE.format(
            short(row["benchmark"], WIDE),
            row["status"],
            print_share(row["best_share"]),
            print_share(row["reported_share"]),
            month(row["date"]),
            next_year(row),
        ).rstrip()


def _details(row: Row) -> Iterator[str]:
    """Print a benchmark in full."""
    yield f"{row['benchmark']}: {row['status']}{'' if row['current'] else ' (not current)'}"
    measured, reported = best_measured(row), print_best(row, "reported")
    limits = None
    if row["lower"] is not None:
        limits = (
            f"{percent(row['lower'])} (95 %, best of {row['contenders']:.0f} contenders, "
            f"{row['n_items']:,.0f} items)"
        )
    for label, text in {
        "why": row["why"],
        "newest score": month(row["date"]),
        "best measured": measured and f"{measured} ({row['n_models']} models; {row['sites']})",
        "lower limit": limits,
        "best reported": reported and f"{reported} ({row['reported_by']})",
        "next year": next_year(row) and f"{next_year(row)} chance that 90 % is measured",
        "chance level": print_share(row["chance"]),
        "items": row["n_items"] and f"{row['n_items']:,.0f} ({row['n_source']})",
        "scale": row["scale"],
        "top": row["top"],
        "known issues": row["issues"] or "none on record",
        "source": row["issues_source"],
        "remark": row["remark"],
        "successor": row["superseded_by"],
        "changed": row["changed"],
        "paper's index": row["s_index"] and f"S = {row['s_index']:.2f} ({row['s_date']})",
    }.items():
        if text:
            yield from wrap(text, " " * 16, f"  {label:<13} ")
