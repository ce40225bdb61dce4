"""Pickled tables: what they may ask for, and what is said of others."""

import os
import pickle

import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from studies.files import pickles

TABLE = pd.DataFrame({"n": [1, 2], "share": [0.5, np.nan], "name": np.array(["a", "b"], object)})


class Foreign:
    """Asks for a command to be run when it is read."""

    def __init__(self, target):
        self.target = target

    def __reduce__(self):
        return os.mkdir, (str(self.target),)


def written(folder, content):
    path = folder / "source.pkl"
    path.write_bytes(content)
    return path


def names_of(content):
    """Every pair that a pickle asks for."""
    asked = set()

    class Listening(pickle.Unpickler):
        def find_class(self, module, name):
            asked.add((module, name))
            return super().find_class(module, name)

    with content.open("rb") as stream:
        Listening(stream).load()
    return asked


def test_a_table_comes_through_and_needs_each_name_alone(tmp_path, monkeypatch):
    path = written(tmp_path, pickle.dumps(TABLE))
    asked = names_of(path)
    monkeypatch.setattr(pickles, "TABLE", asked)
    pd.testing.assert_frame_equal(pickles.load_frame(path), TABLE)
    for name in asked:
        monkeypatch.setattr(pickles, "TABLE", asked - {name})
        with pytest.raises(InputError, match=name[1]):
            pickles.load_frame(path)


def test_a_foreign_name_is_named_and_nothing_is_run(tmp_path, monkeypatch):
    target = tmp_path / "made"
    path = written(tmp_path, pickle.dumps([TABLE, Foreign(target)]))
    monkeypatch.setattr(pickles, "TABLE", pickles.TABLE | names_of_table(tmp_path))
    with pytest.raises(InputError, match=r"source\.pkl: the pickle asks for posix\.mkdir"):
        pickles.load_frame(path)
    assert not target.exists()


def names_of_table(folder):
    path = folder / "plain.pkl"
    path.write_bytes(pickle.dumps(TABLE))
    return names_of(path)


@pytest.mark.parametrize("module", ["builtins", "os", "pandas", "numpy.core"])
def test_no_other_name_of_an_admitted_module_is_looked_up(tmp_path, module):
    path = written(tmp_path, b"c" + module.encode() + b"\neval\n.")
    with pytest.raises(InputError, match=f"asks for {module}.eval"):
        pickles.load_frame(path)


def test_a_damaged_pickle_and_one_without_a_table_are_sentences(tmp_path, monkeypatch):
    path = written(tmp_path, pickle.dumps(TABLE)[:40])
    monkeypatch.setattr(pickles, "TABLE", names_of_table(tmp_path))
    with pytest.raises(InputError, match="the pickle is damaged"):
        pickles.load_frame(path)
    path = written(tmp_path, pickle.dumps([1, 2]))
    with pytest.raises(InputError, match="holds no table, but a list"):
        pickles.load_frame(path)
