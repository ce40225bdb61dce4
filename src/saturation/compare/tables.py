"""Read published tables of models by benchmarks, as in release notes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from saturation.errors import InputError
from saturation.leaderboard.read import sheets, tables
from saturation.leaderboard.read.sheets import Sheet

BENCHMARK = re.compile(r"\b(benchmark|task|dataset|data set|eval(uation)?)s?\b", re.I)
MODEL = re.compile(r"\b(model|system)s?\b", re.I)
METRIC = re.compile(r"metric|measure", re.I)
# Columns that describe a row: neither its benchmark nor a model's scores.
_DESCRIPTION = re.compile(r"category|capability|domain|shots?\b|column \d+$|^$|^n$|items", re.I)
_SCORE = re.compile(r"(-?\d+(?:\.\d+)?)\s*%?\s*([*†‡^]?)")
# What brackets and the end of a name say of the metric and not of the items.
_METRIC_WORDS = re.compile(
    r"^(\d+[- ]shot|pass@\d+|avg@\d+|cons@\d+|maj@\d+|em|acc(uracy)?|f1|correct|resolved|cot|bpb"
    r"|rating|percentile|prompt strict|strict|lc-winrate|gpt-4-1106|%)"
    r"([ ,/-]+(f1|em|acc|cot))*\.?$",
    re.I,
)
_TRAILING = re.compile(r"^(.+?)\s+((?:pass|avg|cons|maj)@\d+|rating)$", re.I)


class Name(NamedTuple):
    """A benchmark's name without its metric, and the metric in brackets or behind the name."""

    benchmark: str
    metric: str


def split_metric(text: str) -> Name:
    """Split what a table calls a row into benchmark and metric.

    Brackets that restrict the items, such as a window of dates, stay part of the benchmark's name.

    Examples
    --------
    >>> split_metric("DROP (3-shot F1)")
    Name(benchmark='DROP', metric='3-shot F1')
    >>> split_metric("TAU-bench (airline)").benchmark
    'TAU-bench (airline)'
    """
    words = " ".join(text.split())
    if trailing := _TRAILING.match(words):
        return Name(trailing[1], trailing[2])
    brackets = re.findall(r"\(([^()]*)\)", words)
    metrics = [part for part in brackets if _METRIC_WORDS.match(part.strip())]
    for part in metrics:
        words = words.replace(f"({part})", " ")
    return Name(" ".join(words.split()).rstrip(" ^*"), "; ".join(metrics))


def load_published(path: Path) -> pd.DataFrame:
    """Read every score of every table of a Markdown, HTML or CSV file.

    Returns
    -------
    pandas.DataFrame
        ``table, benchmark, metric, model, score, mark``; tables are numbered, scores as printed, a
        mark is that of a footnote.
    """
    rows = [
        (number, *row)
        for number, sheet in enumerate(_sheets(path), start=1)
        for row in _rows(sheet)
    ]
    if not rows:
        raise InputError(
            f"{path}: no table of models by benchmarks; one column has to be called 'Benchmark' "
            "(models are the other columns) or 'Model' (benchmarks are the other columns)"
        )
    columns = ["table", "benchmark", "metric", "model", "score", "mark"]
    return pd.DataFrame(rows, columns=columns)


def _sheets(path: Path) -> list[Sheet]:
    if path.suffix.lower() in (".csv", ".tsv"):
        table = tables.load_csv(path)
        return [table if isinstance(table, Sheet) else Sheet.convert(table)]
    text = path.read_text(encoding="utf-8", errors="replace")
    return [*sheets.markdown(text), *sheets.page(text)]


def _rows(sheet: Sheet) -> Iterator[tuple[Any, ...]]:
    """Read the scores of a sheet in either orientation."""
    columns, cells = _names(sheet.columns), sheet.rows
    place = _place(BENCHMARK, columns)
    if place is None:
        place = _place(MODEL, columns)
        if place is None:
            return
        turned = [list(row) for row in zip(*[columns, *cells], strict=True)]
        header = turned.pop(place)[1:]
        cells, columns, place = turned, ["Benchmark", *_names(header)], 0
    metric = _place(METRIC, columns)
    models = [
        (n, name)
        for n, name in enumerate(columns)
        if n not in (place, metric) and not _DESCRIPTION.search(name)
    ]
    for row in cells:
        name = split_metric(str(row[place]))
        described = name.metric or ("" if metric is None else str(row[metric]).strip())
        for n, model in models:
            if score := _SCORE.fullmatch(str(row[n]).strip()):
                yield name.benchmark, described, model, float(score[1]), score[2]


def _place(pattern: re.Pattern[str], columns: Sequence[str]) -> int | None:
    return next((n for n, name in enumerate(columns) if pattern.search(name)), None)


def _names(cells: Sequence[Any]) -> list[str]:
    return [" ".join(str(cell).split()) for cell in cells]
