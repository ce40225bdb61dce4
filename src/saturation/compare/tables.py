"""Read published tables of models by benchmarks, as in release notes."""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from saturation.errors import InputError
from saturation.leaderboard.read import sheets, tables
from saturation.leaderboard.read.columns import looks_like_model
from saturation.leaderboard.read.sheets import Sheet

BENCHMARK = re.compile(r"\b(benchmark|task|dataset|data set|eval(uation)?)s?\b", re.I)
# An empty corner may stand above models or benchmarks.
MODEL = re.compile(r"^$|\b(model|system)s?\b", re.I)
METRIC = re.compile(r"metric|measure", re.I)
# Columns that describe a row: neither its benchmark nor a model's scores.
_DESCRIPTION = re.compile(r"category|capability|domain|shots?\b|column \d+$|^$|^n$|items", re.I)
_SCORE = re.compile(r"(-?\d+(?:\.\d+)?)\s*(%?\s*[*†‡^]?)")
# Metrics that are no share of right answers to items.
NO_SHARE = re.compile(r"rating|percentile|\belo\b|bpb|perplexity|win.?rate|chrf|bleu|gpt-4", re.I)
# Columns of what a row is about, and the mark where its scores may be shares or percentages.
ROW, OF_EITHER_UNIT = ["table", "benchmark", "metric"], "?"
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


def load_published(path: Path, score_range: Sequence[float] | None = None) -> pd.DataFrame:
    """Read every score of every table of a Markdown, HTML or CSV file, in percent.

    Where no `score_range` is stated, a table whose scores are at most 1 is one of shares, unless it
    prints percent signs.

    Returns
    -------
    pandas.DataFrame
        ``table, benchmark, metric, model, score, mark``; tables are numbered, a mark is that of a
        footnote, or `OF_EITHER_UNIT` in a row of at most 1 beside larger ones.
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
    scores = pd.DataFrame(rows, columns=[*ROW, "model", "score", "mark"])
    return _in_percent(scores, score_range)


def _in_percent(scores: pd.DataFrame, score_range: Sequence[float] | None) -> pd.DataFrame:
    """Return shares as percentages, and mark rows of either unit."""
    # No share tells the unit of the others; a percent sign is as good as a large number.
    size = scores["score"].mask(scores["mark"].str.contains("%"), math.inf)
    size = size.mask(scores["metric"].str.contains(NO_SHARE))
    by_table, by_row = (
        size.groupby([scores[name] for name in names]).transform("max") for names in (ROW[:1], ROW)
    )
    shares = by_table <= 1 if score_range is None else by_table.isna() | (score_range[1] <= 1)
    unclear = ~shares & by_row.between(0, 1, inclusive="right") & (score_range is None)
    mark = scores["mark"].str.replace("%", "") + unclear.map({True: OF_EITHER_UNIT, False: ""})
    score = scores["score"].mask(shares, (100 * scores["score"]).round(9))
    return scores.assign(score=score, mark=mark)


def _sheets(path: Path) -> list[Sheet]:
    if path.suffix.lower() in (".csv", ".tsv"):
        table = tables.load_csv(path)
        return [table if isinstance(table, Sheet) else Sheet.convert(table)]
    text = path.read_text(encoding="utf-8", errors="replace")
    return [*sheets.markdown(text), *sheets.page(text)]


def _rows(sheet: Sheet) -> Iterator[tuple[Any, ...]]:
    """Read the scores of a sheet in either orientation."""
    columns, cells = _names(sheet.columns), sheet.rows
    place = _place_of_benchmarks(columns)
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


def _place_of_benchmarks(columns: Sequence[str]) -> int | None:
    """Return the column of benchmarks: named so, or by a corner 'Model' in a header of models."""
    place, corner = _place(BENCHMARK, columns), _place(MODEL, columns)
    return corner if place is None and sum(map(looks_like_model, columns)) > 1 else place


def _place(pattern: re.Pattern[str], columns: Sequence[str]) -> int | None:
    return next((n for n, name in enumerate(columns) if pattern.search(name)), None)


def _names(cells: Sequence[Any]) -> list[str]:
    return [" ".join(str(cell).split()) for cell in cells]
