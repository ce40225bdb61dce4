"""Cached sources: damaged copies are set aside, others stay."""

import hashlib
import pickle
import subprocess
import sys

import pytest

from saturation.planning import cache


def registry(folder, **contents):
    path = folder / "sources.csv"
    rows = [f"{name},{hashlib.sha256(text).hexdigest()}" for name, text in contents.items()]
    path.write_text("\n".join(["name,sha256", *rows]) + "\n")
    return path


def test_only_a_damaged_copy_is_set_aside(tmp_path):
    pinned = registry(tmp_path, whole=b"1", damaged=b"2", earlier=b"3")
    folder = tmp_path / "sources"
    folder.mkdir()
    for name, content in {
        "whole.csv": b"1", "damaged.csv": b"x", "unknown.csv": b"y", "earlier.csv.damaged": b"z",
    }.items():  # fmt: skip
        (folder / name).write_bytes(content)
    assert cache.set_aside(folder, pinned) == [folder / "damaged.csv"]
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        "whole.csv": b"1", "damaged.csv.damaged": b"x", "unknown.csv": b"y",
        "earlier.csv.damaged": b"z",
    }  # fmt: skip
    assert cache.set_aside(folder, pinned) == []


def test_what_was_set_aside_is_not_looked_at_again(tmp_path):
    pinned = registry(tmp_path, a=b"1")
    (tmp_path / "a.damaged").write_bytes(b"2")
    assert cache.set_aside(tmp_path, pinned) == []


def test_without_a_folder_there_is_nothing_to_do(tmp_path):
    assert cache.set_aside(tmp_path / "none", tmp_path / "no registry") == []


@pytest.mark.parametrize("broken", [b"", b"not what it was", b"not what it was.", None])
def test_compiled_code_that_is_broken_is_deleted(tmp_path, broken):
    whole = pickle.dumps({"compiled": list(range(100))})
    folder = tmp_path / "package" / "__pycache__"
    folder.mkdir(parents=True)
    for name, content in {
        "good.py311.nbi": whole, "good.py311.1.nbc": whole, "bad.py311.nbi": broken or whole[:-1],
        "code.pyc": b"not what it was",
    }.items():  # fmt: skip
        (folder / name).write_bytes(content)
    assert cache.unreadable(tmp_path) == [folder / "bad.py311.nbi"]
    assert {path.name for path in folder.iterdir()} == {
        "good.py311.nbi", "good.py311.1.nbc", "code.pyc",
    }  # fmt: skip


def test_what_numba_writes_is_whole(tmp_path):
    source = tmp_path / "compiled.py"
    source.write_text(
        "import numba\n\n@numba.njit(cache=True)\ndef twice(x):\n    return 2 * x\n\ntwice(1)\n"
    )
    subprocess.run([sys.executable, source], check=True, cwd=tmp_path)
    written = sorted(path.suffix for path in tmp_path.rglob("*.nb[ic]"))
    assert written == [".nbc", ".nbi"]
    assert cache.unreadable(tmp_path) == []
