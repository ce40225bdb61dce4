"""Between two stages: the files that a job is given, and tables read by their schema."""

from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files.schema import Schema, require_columns, validate
from saturation.files.tables import ends_with_newline, load_table


def read(path: str | Path, schema: Schema, **options: Any) -> pd.DataFrame:
    """Read a table and check the table against its schema."""
    table = load_table(path, **options)
    if Path(path).suffix == ".csv" and not ends_with_newline(Path(path)):
        raise InputError(f"{path}, row {len(table) + 1}: the file is cut short; make it again")
    if table.empty and (schema.metadata or {}).get("may_be_empty"):
        needed = [name for name, column in schema.columns.items() if column.required]
        require_columns(table, needed, str(path))
        return table
    return validate(table, schema, str(path))
