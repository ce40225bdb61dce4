"""Where the dashboard's pages stand: addresses from the dashboard's folder, and names of files."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

import pandas as pd

LIBRARY = "src/saturation/"


class Link(NamedTuple):
    """A link, or words that lead nowhere.

    Parameters
    ----------
    text
        What is read.
    address
        From the dashboard's folder, a full address, or None.
    """

    text: str
    address: str | None = None


def near(path: str) -> str:
    """A path without the folder in which the project stands."""
    found = re.search(r"(?:^|/)((?:results|resources)/(?!.*/(?:results|resources)/).*)", path)
    return found[1] if found else path


def table(path: str) -> str:
    """The name of a table's page and of its copy, from its path in ``results`` or ``resources``."""
    return near(path).partition("/")[2].removesuffix(".csv").replace("/", "_")


def module(path: str) -> str:
    """The name of the page of a module's code, from its path."""
    return path.rpartition(LIBRARY)[2].removesuffix(".py").replace("/", ".")


def benchmark(key: str) -> str:
    """The address of a benchmark's page."""
    return f"benchmarks/{quote(key)}.html"


def claim(paper: str, key: str) -> str:
    """The address of a claim, on the page of its paper."""
    return f"papers/{paper}.html#{key}"


def slugs(names: list[str]) -> dict[str, str]:
    """An anchor for each name: small letters and digits with hyphens, each only once."""
    found: dict[str, str] = {}
    taken = set()
    for name in names:
        anchor = plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "model"
        count = 1
        while anchor in taken:
            count += 1
            anchor = f"{plain}-{count}"
        taken.add(anchor)
        found[name] = anchor
    return found


def code(places: Any) -> list[Link]:
    """Links to lines of code, of a cell such as ``src/saturation/index.py:12; ...``."""
    found = []
    for place in _parts(places):
        path, _, line = place.rpartition(":")
        found.append(Link(place, f"code/{module(path)}.html#L{line}"))
    return found


def cells(file: Any, cell: Any) -> list[Link]:
    """Links to rows of a table, of cells such as ``column value, row 5, 12``; else to the table."""
    if pd.isna(file):
        return []
    address = f"data/{table(str(file))}.html"
    rows = [] if pd.isna(cell) else re.findall(r"\d+", str(cell).rpartition("row")[2])
    if not rows:
        return [Link(str(file), address)]
    return [
        Link(f"{file}, row {row}" if place == 0 else f"row {row}", f"{address}#row-{row}")
        for place, row in enumerate(rows)
    ]


def sources(cell: Any, known: set[str]) -> list[Link]:
    """Links to pinned sources, of a cell such as ``open_llm_v1; open_llm_v2``; else its words."""
    return [Link(name, f"sources.html#{name}" if name in known else None) for name in _parts(cell)]


def _parts(cell: Any) -> Iterator[str]:
    if not pd.isna(cell):
        yield from (part for part in (text.strip() for text in str(cell).split(";")) if part)
