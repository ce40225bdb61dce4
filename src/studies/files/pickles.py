"""Read pickled tables of sources without running what a pickle may ask for."""

import pickle
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError

# What a pandas table of numbers and text asks for, as pandas 2 and numpy 2 write it.
TABLE = {
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


class _Foreign(Exception):
    """Raised where a pickle asks for a forbidden name."""


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in TABLE:
            raise _Foreign(f"{module}.{name}")
        return super().find_class(module, name)


def load_frame(path: Path) -> pd.DataFrame:
    """Read a pickled pandas table."""
    try:
        with path.open("rb") as stream:
            table = _Unpickler(stream).load()
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
