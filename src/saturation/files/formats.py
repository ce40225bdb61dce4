"""Responses of many evaluations to many items, in little room.

One row an item, one column an evaluation: bits where all answers are right or wrong, numbers where
some are graded or shares of several runs. A 90 x 23,000 table of bits takes 0.1 MB.
"""

import pickle
from collections.abc import Collection
from pathlib import Path
from typing import Any, BinaryIO

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
        **{name: _packed(responses[name].to_numpy(dtype=float)) for name in evaluations},
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


Name = tuple[str, str]
# What a pandas table of numbers and text asks for, as pandas 2 and numpy 2 write it.
TABLE: frozenset[Name] = frozenset(
    {
        ("builtins", "slice"),
        ("numpy", "dtype"),
        ("numpy", "ndarray"),
        ("numpy._core.multiarray", "_reconstruct"),
        ("numpy._core.numeric", "_frombuffer"),
        ("pandas._libs.internals", "_unpickle_block"),
        ("pandas.core.frame", "DataFrame"),
        ("pandas.core.indexes.base", "Index"),
        ("pandas.core.indexes.base", "_new_Index"),
        ("pandas.core.indexes.range", "RangeIndex"),
        ("pandas.core.internals.managers", "BlockManager"),
    }
)


class _Foreign(Exception):
    """Raised where a pickle asks for a forbidden name."""


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: BinaryIO, admitted: Collection[Name]) -> None:
        super().__init__(stream)
        self._admitted = admitted

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self._admitted:
            raise _Foreign(f"{module}.{name}")
        return super().find_class(module, name)


def load_frame(path: Path, admitted: Collection[Name] = TABLE) -> pd.DataFrame:
    """Read a pickled pandas table."""
    try:
        with path.open("rb") as stream:
            table = _Unpickler(stream, admitted).load()
    except _Foreign as foreign:
        raise InputError(
            f"{path}: the pickle asks for {foreign}, which a table of numbers and text does not "
            "need; nothing of it was run; take the file from its pinned source"
        ) from None
    # A damaged pickle may fail in any of its steps, and in any way.
    except Exception as error:
        raise InputError(
            f"{path}: the pickle is damaged ({type(error).__name__}: {error})"
        ) from None
    if not isinstance(table, pd.DataFrame):
        raise InputError(f"{path}: the pickle holds no table, but a {type(table).__name__}")
    return table
