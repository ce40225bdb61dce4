"""A table that another stage wrote: read, and validated before anything is computed from it."""

from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa

from saturation.errors import InputError
from saturation.files.checks import require_columns, validate
from saturation.files.tables import ends_with_newline, read_table


def read(path: str | Path, schema: pa.DataFrameSchema, **options: Any) -> pd.DataFrame:
    """Read a table and check it against its schema.

    Raises
    ------
    InputError
        If the file is missing, unreadable, cut short or against its schema, naming every
        violation.
    """
    table = read_table(path, **options)
    if not ends_with_newline(Path(path)):
        raise InputError(f"{path}, row {len(table) + 1}: the file is cut short; make it again")
    if table.empty and (schema.metadata or {}).get("may_be_empty"):
        require_columns(table, schema.columns, str(path))
        return table
    return validate(table, schema, str(path))
