"""Responses of many evaluations to many items, in little room.

One row an item, one column an evaluation: bits where all answers are right or wrong, numbers where
some are graded or shares of several runs. A 90 x 23,000 table of bits takes 0.1 MB.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from saturation.errors import InputError
from saturation.files.tables import load_table

# What is not an evaluation.
ITEM, TASK = "item", "task"


def write(responses: pd.DataFrame, path: Path) -> None:
    """Write responses; content and pyarrow version determine the bytes."""
    import pyarrow as pa
    from pyarrow import parquet

    evaluations = responses.columns.drop([ITEM, TASK])
    arrays = {
        ITEM: pa.array(responses[ITEM], pa.string()),
        TASK: pa.array(responses[TASK], pa.string()).dictionary_encode(),
        **{name: _packed(responses[name].to_numpy(float)) for name in evaluations},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    # One group of rows: bits are packed within a group.
    parquet.write_table(
        pa.table(arrays), path, compression="zstd", compression_level=19, write_statistics=False,
        row_group_size=max(1, len(responses)), store_schema=False,
    )  # fmt: skip


def read(path: Path) -> pd.DataFrame:
    """Responses as they were written: ``item``, ``task`` and an evaluation a column, as floats."""
    table = load_table(path)
    lacking = [name for name in (ITEM, TASK) if name not in table.columns]
    if lacking:
        raise InputError(f"{path}: no column '{lacking[0]}'; it is no file of packed responses")
    if table[ITEM].isna().any() or table[ITEM].duplicated().any():
        raise InputError(f"{path}: an item has no name or stands twice")
    scores = table.drop(columns=[ITEM, TASK]).astype(float)
    values = scores.to_numpy()
    outside = (values < 0) | (values > 1)
    if outside.any():
        row, column = np.argwhere(outside)[0]
        raise InputError(
            f"{path}, item {table[ITEM].iloc[row]}, evaluation {scores.columns[column]}: "
            f"{values[row, column]:g} lies outside [0, 1]"
        )
    return pd.concat([table[[ITEM, TASK]].astype(str), scores], axis=1)


def _packed(scores: np.ndarray) -> object:
    """Pack a column into bits if all its cells are right or wrong, else into numbers."""
    import pyarrow as pa

    missing = np.isnan(scores)
    if np.isin(scores[~missing], (0, 1)).all():
        return pa.array(scores == 1, pa.bool_(), mask=missing)
    return pa.array(scores, pa.float64(), mask=missing).dictionary_encode()
