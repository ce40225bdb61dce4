"""What stands behind the numbers: tables, lines of code and sources, each with a page."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from saturation.dashboard import links

FIRST_ROW = 2  # the ledger counts a table's lines, of which its header is the first


@dataclass(frozen=True)
class Behind:
    """What the numbers come from.

    Parameters
    ----------
    tables
        Quantities of the studies and claims of the papers, by path.
    code
        Text of the modules that make quantities, by path.
    sources
        The pinned sources: ``name, url, licence, sha256, what``.
    """

    tables: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    code: Mapping[str, str] = field(default_factory=dict)
    sources: pd.DataFrame = field(
        default_factory=lambda: pd.DataFrame(columns=["name", "url", "licence", "sha256", "what"])
    )


def tables(behind: Behind) -> dict[str, dict[str, Any]]:
    """The content of each table's page by the page's name.

    Rows have their number as the ledger counts it, and a link to the function that made them where
    the table says which.
    """
    lines = _functions(behind.code)
    return {
        links.table(path): {
            "path": links.near(path),
            "columns": [str(name) for name in content.columns],
            "rows": [
                {
                    "number": number,
                    "cells": {name: _cell(value) for name, value in row.items()},
                    "code": lines.get(str(row.get("made_by"))),
                }
                for number, row in enumerate(content.to_dict("records"), start=FIRST_ROW)
            ],
        }
        for path, content in behind.tables.items()
    }


def _cell(value: Any) -> str:
    """A cell in words: numbers with six digits, nothing for what is missing."""
    if pd.isna(value):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def modules(behind: Behind) -> dict[str, dict[str, Any]]:
    """The content of each module's page by the page's name: its path and its lines."""
    return {
        links.module(path): {
            "path": links.LIBRARY + path.rpartition(links.LIBRARY)[2],
            "lines": text.splitlines(),
        }
        for path, text in behind.code.items()
    }


def _functions(code: Mapping[str, str]) -> dict[str, links.Link]:
    """Links to functions, by ``module:function`` as quantities name their maker."""
    found = {}
    for path, text in code.items():
        page = links.module(path)
        for number, line in enumerate(text.splitlines(), start=1):
            if line.startswith("def "):
                name = line.removeprefix("def ").partition("(")[0]
                found[f"saturation.{page}:{name}"] = links.Link(
                    f"{page}, line {number}", f"code/{page}.html#L{number}"
                )
    return found
