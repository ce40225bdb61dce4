"""Pickles from elsewhere, read by an unpickler that knows a few names and no others.

A pickle may call anything that Python can import. Here it may ask for the listed names alone, so
that nothing else is even looked up.
"""

import pickle
from collections.abc import Collection
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd

from saturation.errors import InputError

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
    """A pickle asks for a name that it may not have."""


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: BinaryIO, admitted: Collection[Name]) -> None:
        super().__init__(stream)
        self._admitted = admitted

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self._admitted:
            raise _Foreign(f"{module}.{name}")
        return super().find_class(module, name)


def read_frame(path: Path, admitted: Collection[Name] = TABLE) -> pd.DataFrame:
    """A pickled pandas table.

    Parameters
    ----------
    path
        The pickle.
    admitted
        Pairs of a module and a name in it, as they stand in the pickle; no other is looked up.

    Raises
    ------
    InputError
        If the pickle asks for any other name, is damaged, or holds no table.
    """
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
