"""CSV and Parquet as tables whose index is the line, as an editor counts lines.

A small CSV file is read in plain Python: who only hears what is open need not wait for pandas.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.errors import InputError, refuse
from saturation.leaderboard.read import open
from saturation.leaderboard.read.sheets import Sheet, join_header

if TYPE_CHECKING:
    import pandas as pd

DELIMITERS = (",", ";", "\t", "|")
# Lines searched for the header; '# a word' begins a comment, '#1' is a rank.
MOST_ABOVE = 30
_COMMENT = re.compile(r"\s*#+(?!\d)\s*(?=[^\s,;\t|])")
_NUMBER = re.compile(r"(?!20\d\d)[+-]?\d[\d.,]*\s*%?")  # but no year such as 2024
BLOCK_BYTES = 2**24
LONGEST_CELL = 2**24
# Bytes from which pyarrow reads a table.
LARGE = 2**20
# With so many columns, pyarrow takes longer for each than Python for its cells.
WIDE = 2000


def load_csv(path: Path) -> pd.DataFrame | Sheet:
    """Return a CSV file, separated by commas, semicolons or tabs; every cell stays text.

    Columns of a large one are categories, so that a text that stands a million times is held and
    looked at once. An empty cell is the empty text; lines without any are left out.
    """
    content = open.whole(path).removeprefix(b"\xef\xbb\xbf")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError(open.describe_not_utf8(path)) from None
    header, delimiter, lines, above = _header(content, path)
    open.require_cells(content.count(delimiter.encode()) + content.count(b"\n"), path)
    is_large = len(content) >= LARGE and len(header) < WIDE
    table = _fast(content, header, delimiter, lines) if is_large else None
    if table is None:
        sheet = replace(_strict(content, header, delimiter, lines, path), about=above)
        if not sheet.rows and not sheet.ragged:
            raise InputError(
                f"{path}: the table has a header line and no rows; give it at least one"
            )
        return sheet
    filled = table.index.to_numpy() < 0
    for name in table:
        filled |= (table[name] != "").to_numpy()
        if filled.all():
            break
    return table.loc[filled]


def load_frame(path: Path) -> pd.DataFrame:
    """Read a Parquet or CSV table of any size as a data frame."""
    if path.suffix == ".parquet":
        return load_parquet(path)
    table = load_csv(path)
    if not isinstance(table, Sheet):
        return table
    refuse(table.ragged)
    return table.frame()


def load_parquet(path: Path) -> pd.DataFrame:
    """Return a Parquet file; columns of text are categories, row 2 is the first."""
    import pandas as pd
    import pyarrow as pa
    from pyarrow import parquet

    # By hand: a folder of partitions or a file system of another kind is not meant.
    content = pa.BufferReader(open.whole(path))
    file = parquet.ParquetFile(content)
    groups = [file.metadata.row_group(place) for place in range(file.num_row_groups)]
    open.require_size(sum(group.total_byte_size for group in groups), path)
    columns = (group.column(place) for group in groups for place in range(group.num_columns))
    # Of a list each value counts.
    open.require_cells(sum(column.num_values for column in columns), path)
    # A long text that stands a million times is held once.
    texts = [field.name for field in file.schema_arrow if str(field.type).endswith("string")]
    file = parquet.ParquetFile(content, read_dictionary=texts)
    # Threads of pyarrow 26 let go of a dictionary's memory after the table is returned, and crash.
    frame: pd.DataFrame = file.read(use_threads=False).to_pandas(ignore_metadata=True)
    _check_header([str(name) for name in frame.columns], path)
    frame.columns = pd.Index([str(name).strip() for name in frame.columns])
    if frame.empty:
        raise InputError(f"{path}: the table has columns and no rows; give it at least one")
    frame.index = pd.RangeIndex(2, len(frame) + 2)
    text = [name for name in frame if isinstance(frame[name].dtype, pd.StringDtype)]
    return frame.astype(dict.fromkeys(text, "category"))


def _header(content: bytes, path: Path) -> tuple[list[str], str, int, str]:
    """Names of the columns, what separates them, the header's last line, and the titles above.

    Titles are comments and lines with a single cell, as a spreadsheet or ``sep=;`` has them.
    """
    texts = [
        line.decode("utf-8").rstrip("\r\n") for line in islice(io.BytesIO(content), MOST_ABOVE)
    ]
    filled = [place for place, text in enumerate(texts) if text.strip()]
    if not filled:
        raise InputError(f"{path}: nothing in its first lines; begin with the header line")
    pairs = zip(filled, [*filled[1:], filled[-1]])
    first = next((a for a, b in pairs if _may_be_header(texts[a], texts[b])), filled[0])
    where = f"{path}, row {first + 1}"
    text, last = _join_quoted_lines(texts, first, where)
    if "\r" in text:
        raise InputError(
            f"{where}: a carriage return without a new line; save the table with line ends of "
            "Windows or Unix"
        )
    delimiter, names = _cells(text, texts[last:])
    names[0] = _COMMENT.sub("", names[0])
    while len(names) > 1 and not names[-1]:
        names.pop()
    names, last = _join_lines(names, texts, last)
    above = [texts[place] for place in filled if place < first]
    _check_header(names, path, first + 1)
    titles = "; ".join(name for text in above for name in _cells(text)[1] if name)
    return names, delimiter, last, titles


def _may_be_header(text: str, follows: str) -> bool:
    """Return whether a line has several cells, and is no comment above another header."""
    several = sum(map(bool, _cells(text)[1])) > 1
    numbers = any(map(_NUMBER.fullmatch, _cells(follows)[1]))
    return several and (numbers or not _COMMENT.match(text))


def _join_lines(names: list[str], texts: Sequence[str], last: int) -> tuple[list[str], int]:
    """Return names of columns that go over several lines, and the line after them."""
    for cells in (_cells(line)[1] for line in texts[last:]):
        if len(cells) != len(names) or not (joined := join_header(names, cells)):
            break
        names, last = joined, last + 1
    return names, last


def _join_quoted_lines(texts: Sequence[str], first: int, where: str) -> tuple[str, int]:
    """Return a line, joined to those below that its quotes reach over, and the line after it."""
    text, last = texts[first], first + 1
    while text.count('"') % 2 and last < len(texts):
        text, last = f"{text}\n{texts[last]}", last + 1
    if text.count('"') % 2:
        raise InputError(f"{where}: the header has unbalanced quotes; correct them")
    return text, last


def _cells(text: str, below: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return the delimiter of a line, and the cells.

    It splits most lines below into as many cells as this one, and this one into the most.
    """
    csv.field_size_limit(max(LONGEST_CELL, len(text)))
    split = {mark: _split(text, mark) for mark in DELIMITERS}

    def agree(mark: str) -> tuple[int, int]:
        n = len(split[mark])
        return sum(n > 1 and len(_split(line, mark)) == n for line in below), n

    delimiter = max(DELIMITERS, key=agree)
    return delimiter, [" ".join(cell.split()) for cell in split[delimiter]]


def _split(text: str, mark: str) -> list[str]:
    return next(csv.reader(io.StringIO(text, newline=""), delimiter=mark), [])


def _check_header(names: list[str], path: Path, row: int = 1) -> None:
    """Check a header; the first column may lack a name, as an index that a tool wrote."""
    stripped = [name.strip() for name in names]
    places: dict[str, list[str]] = {}
    for place, name in enumerate(stripped, start=1):
        places.setdefault(name, []).append(str(place))
    violations = [
        f"{path}, row {row}: column {place} has no name; name it, or remove it"
        for place in places.pop("", [])
        if place != "1"
    ]
    violations += [
        f"{path}, row {row}: the name '{name}' stands for the columns {', '.join(where)}; each "
        "column needs a name of its own"
        for name, where in places.items()
        if len(where) > 1
    ]
    refuse(violations)


def _fast(content: bytes, header: list[str], delimiter: str, skip: int) -> pd.DataFrame | None:
    """Return the table, or None where quotes, long rows or bytes ask for the strict reader."""
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    if b'"' in content and not _quotes_hold_cells(content, delimiter):
        return None
    names = [str(place) for place in range(len(header))]
    blanks: list[int] = []
    ragged: list[int] = []

    def lacking(row: Any) -> str:
        (ragged if row.text.strip(delimiter) else blanks).append(row.number)
        return "skip"

    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(content),
            arrow_csv.ReadOptions(
                use_threads=False, column_names=names, skip_rows=skip, block_size=BLOCK_BYTES
            ),
            arrow_csv.ParseOptions(
                delimiter=delimiter, ignore_empty_lines=False, invalid_row_handler=lacking
            ),
            arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.dictionary(pa.int32(), pa.utf8())),
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    if ragged:
        return None
    frame: pd.DataFrame = table.to_pandas()
    frame.columns = pd.Index(header)
    lines = np.arange(skip + 1, skip + 1 + len(frame) + len(blanks))
    frame.index = pd.Index(np.setdiff1d(lines, blanks, assume_unique=True))
    return frame


def _quotes_hold_cells(content: bytes, delimiter: str) -> bool:
    """Return whether each quote begins or ends a cell, which goes over no line and holds none."""
    mark = re.escape(delimiter.encode())
    cell = re.compile(rb'(?:^|(?<=[\r\n])|%s)"[^"\r\n]*"(?=[\r\n]|%s|$)' % (mark, mark))
    return 2 * sum(1 for _ in cell.finditer(content)) == content.count(b'"')


def _strict(content: bytes, header: list[str], delimiter: str, skip: int, path: Path) -> Sheet:
    """Read the table with the parser that numbers lines and explains a faulty line."""
    text = io.StringIO(content.decode("utf-8"), newline="")
    csv.field_size_limit(LONGEST_CELL)
    for _ in range(skip):
        text.readline()
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    rows, lines, ragged, before = [], [], [], skip
    try:
        for row in reader:
            line, before = before + 1, skip + reader.line_num
            if len(row) == len(header) or (
                len(row) > len(header) and not any(cell.strip() for cell in row[len(header) :])
            ):
                if any(row):
                    rows.append(row[: len(header)])
                    lines.append(line)
            elif any(cell.strip() for cell in row) and not _COMMENT.match(row[0]):
                ragged.append(
                    f"{path}, row {line}: {len(row)} cells, but the header names {len(header)} "
                    f"columns; a cell that holds '{delimiter}' needs quotes, a missing one stays "
                    "empty"
                )
    except csv.Error as error:
        raise InputError(
            f"{path}, row {before + 1}: unbalanced quotes or a cell without end ({error}); close "
            "each quote in its cell and double those inside"
        ) from None
    return Sheet(header, rows, lines, ragged=ragged)
