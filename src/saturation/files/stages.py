"""Between two stages: the files that a job is given, and tables read by their schema."""

from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files.schema import Schema, validate
from saturation.files.tables import ends_with_newline, load_table


def read(path: str | Path, schema: Schema, **options: Any) -> pd.DataFrame:
    """Read a table and check the table against its schema."""
    table = load_table(path, **options)
    if Path(path).suffix == ".csv" and not ends_with_newline(Path(path)):
        raise InputError(f"{path}, row {len(table) + 1}: the file is cut short; make it again")
    return validate(table, schema, str(path))
