"""Tables that the package holds, and how the documentation prints those of the status."""

from pathlib import Path
from typing import Any

import pandas as pd

from saturation.files.tables import fill_gaps, load_table, records
from saturation.ledger.terminal import TABLES, load_tables
from saturation.status import terminal
from saturation.status.names import STALE


def tables_of_ledger(results: Path) -> dict[str, pd.DataFrame]:
    """Return the tables of a run as the package holds them: code without the line's number."""
    tables = dict(zip(TABLES, load_tables(results), strict=True))
    files = {
        name: table["code"]
        .str.replace(r":\d+", "", regex=True)
        .str.replace(r"(\S+\.py)(; \1)+", r"\1", regex=True)
        for name, table in tables.items()
    }
    return {name: table.assign(code=files[name]) for name, table in tables.items()}


def citation_of_status(path: Path) -> str:
    """Write the citation of a table of statuses."""
    as_of = terminal.day(load_table(path)["as_of"].iloc[0])
    digits = terminal.digits(path)
    return f"> saturation: status of AI benchmarks, data of {as_of}, SHA-256 {digits}.\n"


def print_statuses(status: pd.DataFrame) -> str:
    """Write the benchmarks with data of the last months in Markdown."""
    rows = map(fill_gaps, records(status[status["status"] != STALE]))
    return print_table(pd.DataFrame([_cells(row) for row in rows]))


def print_table(table: pd.DataFrame) -> str:
    """Write a table of texts in Markdown, its cells unpadded."""
    lines = [list(table.columns), ["---"] * table.shape[1], *table.astype(str).to_numpy().tolist()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cells(row: dict[str, Any]) -> dict[str, str]:
    """Write the cells of a benchmark."""
    return {
        "benchmark": f'<a id="{row["anchor"]}"></a>{row["benchmark"]}',
        "status": row["status"] + ("" if row["current"] else " (not current)"),
        "best measured": terminal.best_measured(row),
        "lower limit": terminal.print_share(row["lower"]),
        "best reported": terminal.print_best(row, "reported"),
        "newest score": terminal.month(row["date"]),
        "items": f"{row['n_items']:,.0f}" if row["n_items"] else "",
        "chance level": terminal.print_share(row["chance"]),
        "90 % in a year": terminal.next_year(row),
        "top": row["top"].partition(":")[0],
        "known issues": row["issues"] or "",
        "changed": row["changed"] or "",
    }
