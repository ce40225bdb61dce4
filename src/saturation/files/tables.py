"""Read tables and write results: the only place where the project touches result files.

Every writer gives the same bytes for the same content: sorted keys, fixed float formatting,
and figures without the dates and random identifiers that their formats carry.
"""

import collections
import contextlib
import csv
import io
import json
import logging
import math
import os
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError

# Tables by name.
NamedTables = Mapping[str, pd.DataFrame]
# What a job reads, leaves out, fits and writes goes to its log.
_LOG = logging.getLogger(__name__)

# A row of a table, by column.
Row = dict[str, Any]
# Ten significant digits: more than any result means, fewer than the last-bit noise of BLAS.
FLOAT_FORMAT = "%.10g"
# Before a cell that a spreadsheet would compute, such as a model's name, stands an apostrophe.
_FORMULA = re.compile(r"^(?='*(?:=|[-+@\t\r].*[(|!]))")
_MARKED = re.compile(f"^'(?={_FORMULA.pattern[1:]})")
_BEGINNINGS = tuple("'=-+@\t\r")
# Without index_col=False, rows longer than the header shift every column by one.
_CSV: dict[str, Any] = {"keep_default_na": False, "na_values": [""], "index_col": False}


def load_table(path: str | Path, **options: Any) -> pd.DataFrame:
    """Read a CSV or Parquet table; text stays text, only empty cells are missing."""
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: the file does not exist")
    if path.stat().st_size == 0:
        raise InputError(f"{path}: the file is empty; expected a table with a header line")
    if path.suffix == ".csv":
        _require_last_row(path, options.get("sep", ","))
    frame: pd.DataFrame
    try:
        if path.suffix == ".parquet":
            frame = pd.read_parquet(path, use_threads=False, **options)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pd.errors.ParserWarning)
                frame = pd.read_csv(path, **{**_CSV, **options})
    except UnicodeDecodeError:
        raise InputError(_locate_bad_byte(path)) from None
    # ValueError: what pandas and Arrow raise when they cannot parse.
    except (ValueError, OSError) as error:
        raise InputError(f"{path}: not readable as a table: {str(error).strip()}") from None
    except pd.errors.ParserWarning:
        raise InputError(
            f"{path}: the rows have more cells than the header line; name every column"
        ) from None
    _LOG.info("read %s: %d rows", path, len(frame))
    return frame if path.suffix == ".parquet" else _replaced(frame, _MARKED, "")


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """List the rows of a table, each as a mapping from column to value."""
    return [
        {str(column): value for column, value in row.items()} for row in frame.to_dict("records")
    ]


def fill_gaps(row: Mapping[Any, Any]) -> Row:
    """Replace missing values of a row by None, as JSON and templates take them."""
    return {str(column): None if pd.isna(value) else value for column, value in row.items()}


def list_rows(frame: pd.DataFrame) -> list[Row]:
    """List the rows of a table as :func:`fill_gaps` gives them."""
    return [fill_gaps(row) for row in frame.to_dict("records")]


def write_csv(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a table as CSV, creating its folder; floats with ten significant digits."""
    inert = _replaced(frame, _FORMULA, "'")
    inert.to_csv(prepare_folder(path), index=False, float_format=FLOAT_FORMAT, lineterminator="\n")


def _replaced(frame: pd.DataFrame, found: re.Pattern[str], by: str) -> pd.DataFrame:
    """Replace a pattern in the cells of a table's columns of text."""

    def replaced(column: Any) -> Any:
        if isinstance(column.dtype, pd.StringDtype):
            # Few cells begin so, and the pattern is slow.
            begun = column.str.startswith(_BEGINNINGS, na=False)
            if not begun.any():
                return column
            return column.mask(begun, column[begun].str.replace(found, by, regex=True))
        return column.map(lambda cell: found.sub(by, cell) if isinstance(cell, str) else cell)

    table = frame.copy(deep=False)
    # A table may have thousands of columns of numbers.
    for place, kind in enumerate(frame.dtypes if len(frame) else ()):
        # Objects, text of pandas or pyarrow, categories.
        if kind.kind in "OU":
            table.isetitem(place, replaced(frame.iloc[:, place]))
    return table


def round_as_csv(frame: pd.DataFrame) -> pd.DataFrame:
    """Round a table as its CSV file holds the values, for a later stage."""
    text = frame.to_csv(index=False, float_format=FLOAT_FORMAT, lineterminator="\n")
    table: pd.DataFrame = pd.read_csv(io.StringIO(text), **_CSV)
    return table


def write_parquet(frame: pd.DataFrame, path: str | Path) -> None:
    """Write a large table as Parquet; categorical columns stay categorical."""
    frame.to_parquet(prepare_folder(path), index=False, compression="zstd")


def write_json(content: Any, path: str | Path) -> None:
    """Write JSON with sorted keys, floats with ten significant digits; not finite is null."""
    text = json.dumps(_rounded(content), indent=2, sort_keys=True, ensure_ascii=False)
    write_text(text + "\n", path)


def parse_json(text: str) -> Any:
    """Parse JSON without the numbers NaN and Infinity, which Python takes and JSON lacks."""

    def refused(number: str) -> Any:
        raise ValueError(f"{number} is no number")

    try:
        return json.loads(text, parse_constant=refused)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def load_json(path: Path, remedy: str) -> Any:
    """Read a JSON file; raise with a remedy if the file is unreadable."""
    try:
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror})") from None
    except ValueError as error:
        raise InputError(f"{path}: not whole JSON ({error}); {remedy}") from None


def json_line(content: Any) -> str:
    """JSON on a single line, without its end."""
    return json.dumps(_rounded(content), sort_keys=True, ensure_ascii=False)


@contextlib.contextmanager
def writing(place: str | Path, what: str) -> Iterator[None]:
    """Write what a user wants to keep, and where."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{place}: {what} cannot be written there: {error.strerror}") from None


def write_text(text: str, path: str | Path) -> None:
    """Write a UTF-8 text file, creating its folder."""
    prepare_folder(path).write_text(text, encoding="utf-8", newline="\n")


def write_whole(write: Callable[[Any, Path], None], content: Any, path: Path) -> None:
    """Write a whole file or none: the old file stays until the new one is complete."""
    part = path.with_name(f".{path.name}.part")
    write(content, part)
    part.replace(path)


def write_markdown(frame: pd.DataFrame, path: str | Path, title: str) -> None:
    """Write a table as Markdown under a title."""
    write_text(f"# {title}\n\n{frame.to_markdown(index=False)}\n", path)


def ends_with_newline(path: Path) -> bool:
    """Check whether the last byte is a newline, as in every completely written table."""
    with path.open("rb") as stream:
        stream.seek(-1, os.SEEK_END)
        return stream.read() == b"\n"


def _require_last_row(path: Path, separator: str) -> None:
    """Raise if the last row is cut short: missing cells would pass as empty cells."""
    if ends_with_newline(path):
        return
    with path.open(encoding="utf-8", errors="replace", newline="") as stream:
        rows = csv.reader(stream, delimiter=separator)
        header = next(rows)
        (last,) = collections.deque(rows, maxlen=1) or (header,)
        if len(last) < len(header):
            raise InputError(
                f"{path}, row {rows.line_num}: the file ends after {len(last)} of {len(header)} "
                "cells; it is cut short. Make it again, or complete the row"
            )


def _locate_bad_byte(path: Path) -> str:
    """Locate the first byte that is not UTF-8; pandas counts from its own buffer."""
    content = path.read_bytes()
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        row = content.count(b"\n", 0, error.start) + 1
        return f"{path}, row {row}: byte {error.start} is not UTF-8; save the file as UTF-8"
    return f"{path}: not readable as UTF-8"


def prepare_folder(path: str | Path) -> Path:
    """Create the folder of a file that is to be written, and return the path."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    return target


def _rounded(content: Any) -> Any:
    if isinstance(content, Mapping):
        return {str(key): _rounded(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_rounded(value) for value in content]
    if hasattr(content, "item"):
        return _rounded(content.item())
    if isinstance(content, float):
        # JSON knows neither NaN nor infinity.
        return float(FLOAT_FORMAT % content) if math.isfinite(content) else None
    return content


# A wheel has its tables and templates beside the library, a clone where the repository keeps them.
INSTALLED = Path(__file__).resolve().parents[1] / "shipped"
REPOSITORY = Path(__file__).resolve().parents[3]


def shipped(path: str) -> Path:
    """Find a file by its path in the repository, as ``resources/plateau/benchmarks.csv``."""
    for folder in (INSTALLED, REPOSITORY):
        if (folder / path).is_file():
            return folder / path
    raise FileNotFoundError(f"{path}: the package comes without this file")


def shipped_yaml(path: str) -> Any:
    """Read a shipped YAML file by the parser in C if installed, which is 10 times as fast."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(shipped(path).read_text(encoding="utf-8"), loader)
