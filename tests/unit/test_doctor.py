"""What a machine lacks, said before anything is installed."""

import os
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from envs import doctor

ROOT = Path(__file__).parents[2]
Usage = namedtuple("Usage", "free")


@pytest.fixture
def environment(tmp_path):
    """That of a machine on which nothing is missing."""
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}


def sentences(folder, environment):
    return [lack.sentence() for lack in doctor.examine(folder, environment)]


def install(folder):
    """As make leaves it; without its stamp an installation was cut off."""
    (folder / ".venv").mkdir(exist_ok=True)
    (folder / ".venv/results.stamp").touch()


def test_a_space_in_the_path_stops_unless_packages_lie_elsewhere(tmp_path, environment):
    folder = tmp_path / "my benchmarks"
    folder.mkdir()
    (sentence,) = sentences(folder, environment)
    assert sentence.startswith("needed: there is a space in the path")
    assert "VENV=" in sentence
    assert sentences(folder, {**environment, "VENV": str(tmp_path / "packages")}) == []


def unwritable(monkeypatch, *paths):
    """As for another user: root may write everything."""
    closed = {str(path) for path in paths}
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) not in closed)


@pytest.mark.parametrize("name", ["", "results", ".snakemake"])
def test_a_folder_that_cannot_be_written_stops(tmp_path, environment, monkeypatch, name):
    (tmp_path / name).mkdir(exist_ok=True)
    unwritable(monkeypatch, tmp_path / name)
    said = sentences(tmp_path, {**environment, "HOME": str(ROOT)})
    assert [sentence for sentence in said if str(tmp_path / name) in sentence] == [
        f"needed: {tmp_path / name} cannot be written; change its owner or its mode"
    ]


def test_a_home_that_cannot_be_written_is_noted_and_another_cache_will_do(
    tmp_path, environment, monkeypatch
):
    home = tmp_path / "home"
    home.mkdir()
    unwritable(monkeypatch, home)
    given = {**environment, "HOME": str(home)}
    (sentence,) = sentences(tmp_path, given)
    assert sentence.startswith(f"note: {home}/.cache cannot be written")
    assert sentences(tmp_path, {**given, "XDG_CACHE_HOME": str(tmp_path / "cache")}) == []


def test_without_which_snakemake_dies_and_this_says_it_first(tmp_path, environment):
    (sentence,) = sentences(tmp_path, {**environment, "PATH": str(tmp_path)})
    assert sentence.startswith("needed: the command `which` is missing")


def test_without_ensurepip_no_environment_can_be_made(tmp_path, environment, monkeypatch):
    """As where Debian's python3-venv is not installed."""
    found = doctor.importlib.util.find_spec
    monkeypatch.setattr(
        doctor.importlib.util,
        "find_spec",
        lambda name: None if name == "ensurepip" else found(name),
    )
    (sentence,) = sentences(tmp_path, environment)
    assert sentence.startswith("needed: this Python cannot make environments")
    assert sentence.endswith("apt install python3-venv")
    install(tmp_path)
    assert sentences(tmp_path, environment) == []


@pytest.mark.parametrize(("free", "enough"), [(1.99e9, False), (2e9, True)])
def test_room_is_asked_for_only_before_the_installation(
    tmp_path, environment, monkeypatch, free, enough
):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda folder: Usage(free))
    assert (sentences(tmp_path, environment) == []) == enough
    (tmp_path / ".venv").mkdir()
    assert (sentences(tmp_path, environment) == []) == enough
    install(tmp_path)
    assert sentences(tmp_path, environment) == []


@pytest.mark.parametrize(("pages", "enough"), [(2999, False), (3000, True)])
def test_little_memory_is_noted(tmp_path, environment, monkeypatch, pages, enough):
    sizes = {"SC_PAGE_SIZE": 1_000_000, "SC_PHYS_PAGES": pages}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    assert (sentences(tmp_path, environment) == []) == enough


def test_a_note_stops_nothing(tmp_path, monkeypatch, capsys):
    unwritable(monkeypatch, tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    elsewhere = tmp_path / "project"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert doctor.main() == 0
    assert capsys.readouterr().err.startswith(f"note: {tmp_path} cannot be written")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert doctor.main() == 1
    said = capsys.readouterr().err.splitlines()[0]
    assert said == "needed: the command `which` is missing, which Snakemake calls; install it"


def test_it_needs_no_package_and_its_code_says_what_stops(tmp_path, environment):
    """Without site-packages."""
    (tmp_path / "with space").mkdir()
    for folder, code, said in ((tmp_path, 0, ""), (tmp_path / "with space", 1, "needed: ")):
        command = [sys.executable, "-S", ROOT / "envs/doctor.py"]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr[:8]) == (code, said), done.stderr


def made(folder, environment, command):
    """A command as make runs it in a folder."""
    words = ["make", "--file", ROOT / "Makefile", f"--eval=start: ; @{command}", "start"]
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, check=False, encoding="utf-8"
    )


def test_make_puts_caches_into_the_project_where_home_has_no_room_for_them(tmp_path, environment):
    folder = tmp_path / "a project"
    folder.mkdir()
    told = 'echo "$$XDG_CACHE_HOME"'
    assert made(folder, environment, told).stdout == "\n"
    no_folder = tmp_path / "file"
    no_folder.touch()
    said = made(folder, {**environment, "HOME": str(no_folder)}, told).stdout
    assert said == f"{folder}/.snakemake/cache\n"
