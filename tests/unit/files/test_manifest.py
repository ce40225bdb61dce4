"""The manifest of a run: the same for the same files, another for another byte."""

import hashlib
import subprocess

import pytest

from saturation.files import sources
from saturation.planning import run


def test_every_file_has_its_hash_and_those_of_a_folder_too(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/b.csv").write_text("b")
    (tmp_path / "a.csv").write_text("a")
    found = sources.hashes([tmp_path / "folder", tmp_path / "a.csv", tmp_path / "a.csv"])
    assert list(found) == sorted(found)
    assert found == {
        (tmp_path / name).as_posix(): hashlib.sha256(text.encode()).hexdigest()
        for name, text in (("a.csv", "a"), ("folder/b.csv", "b"))
    }


def test_a_byte_of_input_output_lock_or_config_changes_it(tmp_path):
    names = ("lock", "input", "output")
    for name in names:
        (tmp_path / name).write_text(name)

    def made(seed=1):
        lock, read, written = (tmp_path / name for name in names)
        return sources.manifest({"seed": seed}, lock, [read], [written])

    first = made()
    assert made() == first
    assert made(2) != first
    for name in names:
        (tmp_path / name).write_text(f"{name}!")
        assert made() != first
        (tmp_path / name).write_text(name)


@pytest.fixture
def repository(tmp_path):
    """A folder with a commit that holds a module, and a function that calls git in it."""

    def git(*words):
        author = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        command = ["git", *author, *words]
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True)

    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("A = 1\n")
    git("init")
    git("add", ".")
    git("commit", "-m", "all")
    return tmp_path, git("rev-parse", "HEAD").stdout.strip()


def test_a_clean_tree_is_its_commit(repository):
    folder, head = repository
    (folder / "mine.yaml").write_text("seed: 2\n")
    assert run.commit(folder) == head


@pytest.mark.parametrize("name", ["src/a.py", "src/new.py", "workflow/rules/new.smk"])
def test_what_results_follow_from_and_is_not_in_the_commit_marks_it(repository, name):
    folder, head = repository
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("A = 2\n")
    assert run.commit(folder) == f"{head}-dirty"


def test_a_repository_further_up_is_another_s(repository):
    folder, _ = repository
    assert run.commit(folder / "src") == run.UNVERSIONED


def test_the_commit_is_said_or_that_there_is_none(tmp_path, monkeypatch):
    assert run.commit(tmp_path) == run.UNVERSIONED
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run.commit(tmp_path) == run.UNVERSIONED
    found = sources.origin("abc")
    assert found["commit"] == "abc"
    assert all(found.values())
