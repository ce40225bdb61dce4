"""A table that enters a stage: read, and validated before anything is computed from it."""

from pathlib import Path
from typing import Any

import pandas as pd
import pandera.pandas as pa

from saturation import files
from saturation.tables.checks import validate


def read(path: str | Path, schema: pa.DataFrameSchema, **options: Any) -> pd.DataFrame:
    """Read a table and check it against its schema.

    Raises
    ------
    InputError
        If the file is missing, unreadable or against its schema, naming every violation.
    """
    return validate(files.read_table(path, **options), schema, str(path))
