"""Tables in text that programs print: errors of words, metrics below titles, spaced columns."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from saturation.leaderboard.read import columns, documents
from saturation.leaderboard.read.cells import Value, plain, value
from saturation.leaderboard.read.sheets import Sheet, sheet_of

# As Kaldi prints errors: the rate, of how many words, the system, and how it decoded which set.
_WORD_ERRORS = re.compile(
    r"%WER (?P<WER>[\d.]+) \[ \d+ / (?P<n>\d+),[^]]*\] (?:exp/)?(?P<model>\S+)/(?P<task>\S+)/\S+"
)
# A ranking: a number, a model and its score.
_RANKED = re.compile(
    r"(?m)^ *\d+[.)] +(?P<model>\S[^:\n]*?) *: +(?P<score>[\d.]+(?: ?%| ?/ ?\d+)?) *$"
)
# What stands before a message or the name of a model.
_PREFIX = re.compile(
    r"(?im)^[^\w\n]*(?:\d{4}-\d\d-\d\d\b.*?\b(?:INFO|DEBUG|WARNING)\b[^\w\n]*"
    r"|model(?: name)? *[:=] *)"
)
# As scikit-learn reports an accuracy, and the F1 of an average before its number of items.
_REPORT = re.compile(r"(accuracy|avg)(?: +[\d.]+ +[\d.]+)? +([\d.]+) +(\d+)$")
_METRIC = re.compile(r"([^:=,;|\t]*[^:=,;|\t\s])\s*[:=]\s*(\S.*?)(?: \([\d.]+ ?%\))?")
# Short or before a colon, with a letter, and unlike a sentence, a row of columns, words before a
# path, or measurements.
_TITLE = re.compile(
    r"(?=.{1,80}$|.{,300}:$)(?!.*[\[\]|.!]$)"
    r"(?!.*(?: {2}| \S*/\S*/|[:=] ?\d*\.\d+[^\W\d]?(?:,|$))).*[^\W\d_].*"
)

Record = tuple[list[str], dict[str, str]]


def tables_of(text: str) -> list[Sheet]:
    """Return every table of a printed text."""
    lines = _PREFIX.sub("", text).splitlines()
    for pattern in (_WORD_ERRORS, _RANKED):
        rows = [match.groupdict() for match in pattern.finditer(text)]
        if len(rows) > 1 and not any(columns.names_score(row["model"]) for row in rows):
            return documents.tables_of(rows)
    return [*_spaced_tables(lines), *_tables_of_records(lines)]


def _spaced_tables(lines: Sequence[str]) -> Iterator[Sheet]:
    """Yield the tables whose cells are two spaces or more apart."""
    rows = [re.split(r" {2,}", line.strip()) for line in lines if line.strip(" -=_|+")]
    title = ""
    for width, (header, *body) in groupby(rows, key=len):
        if width > 1 and not any(isinstance(value(cell), Value) for cell in header):
            yield sheet_of(header, enumerate(body, start=2), title)
        title = [header, *body][-1][0].strip(":=# ")


def _tables_of_records(lines: Sequence[str]) -> Iterator[Sheet]:
    """Yield tables of records; a name that comes again begins the next."""
    records = [record for record in _records(lines) if record[1]]
    times = Counter(title for titles, _ in records for title in {*titles})
    tables: list[dict[str, dict[str, str]]] = []
    for titles, numbers in records:
        # What stands above most records names none.
        name = "".join([title for title in titles if 2 * times[title] <= len(records)][-1:])
        if not tables or name in tables[-1]:
            tables.append({})
        tables[-1][name] = numbers
    for table in tables:
        yield from documents.tables_of(table if len(table) > 1 else [*table.values()])


def _records(lines: Sequence[str]) -> list[Record]:
    """Return numbers that stand together with the titles above.

    A key again and a heading of Markdown begin the next.
    """
    records: list[Record] = []
    above: list[str] = []
    for line in lines:
        if line.startswith("#"):
            records.append(([], {}))
        text = _REPORT.sub(r"\1: \2 (n = \3)", plain(line)).strip(" -•>#=").replace("avg:", "F1:")
        metric = _METRIC.fullmatch(text)
        if metric and isinstance(value(metric[2]), Value):
            if not records or metric[1] in records[-1][1]:
                records.append(([], {}))
            titles, numbers = records[-1]
            titles += above
            numbers[metric[1]] = metric[2]
            above = []
        elif _TITLE.fullmatch(text):
            above.append(text.strip(": "))
    return records
