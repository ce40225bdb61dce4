"""A table that another stage wrote: read, and validated before anything is computed from it."""

from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa

from saturation import files
from saturation.errors import InputError
from saturation.tables.checks import validate


def read(path: str | Path, schema: pa.DataFrameSchema, **options: Any) -> pd.DataFrame:
    """Read a table and check it against its schema.

    Raises
    ------
    InputError
        If the file is missing, unreadable, cut short or against its schema, naming every
        violation.
    """
    table = files.read_table(path, **options)
    if not files.ends_with_newline(Path(path)):
        raise InputError(f"{path}, row {len(table) + 1}: the file is cut short; make it again")
    return validate(table, schema, str(path))
