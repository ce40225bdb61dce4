"""Responses in little room, and pickles from elsewhere, of which nothing is run."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from saturation.files import formats

CELL = st.one_of(st.none(), st.sampled_from([0.0, 1.0]), st.floats(0, 1))


def table(**columns):
    length = len(next(iter(columns.values())))
    names = {"item": [f"i{row}" for row in range(length)], "task": ["t"] * length}
    return pd.DataFrame(names | columns)


@given(cells=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=30))
def test_what_is_read_is_what_was_written(tmp_path_factory, cells):
    path = tmp_path_factory.mktemp("packed") / "x.parquet"
    first, second = (np.array(column, dtype=float) for column in zip(*cells, strict=True))
    written = table(a=first, b=second)
    formats.write(written, path)
    read = formats.read(path)
    pd.testing.assert_frame_equal(read[["a", "b"]], written[["a", "b"]], check_exact=True)
    assert list(read["item"]) == list(written["item"])
    assert set(read["task"]) == {"t"}


def test_the_same_responses_are_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        formats.write(table(m=[0.0, np.nan, 0.25]), tmp_path / f"{name}.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (table(m=[0.5, 1.5]), r"x\.parquet, item i1, evaluation m: 1\.5 lies outside \[0, 1\]"),
        (table(m=[-0.5, 0.5]), r"item i0, evaluation m: -0\.5 lies outside"),
        (table(m=[1.0, 0.0]).assign(item="i"), "an item has no name or stands twice"),
        (table(m=[1.0]).assign(item=[None]), "an item has no name or stands twice"),
    ],
)
def test_what_cannot_be_responses_is_refused(tmp_path, written, sentence):
    formats.write(written, tmp_path / "x.parquet")
    with pytest.raises(InputError, match=sentence):
        formats.read(tmp_path / "x.parquet")


def test_another_table_is_named_as_such(tmp_path):
    pd.DataFrame({"item": ["a"]}).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match=r"x\.parquet: no column 'task'"):
        formats.read(tmp_path / "x.parquet")
