"""A lock that a killed run left behind is removed; a living one's is not."""

import json
import os
import socket
import subprocess
import sys

import pytest

from saturation.planning import running


@pytest.fixture
def lock(tmp_path):
    path = tmp_path / running.LOCKS / "0.input.lock"
    path.parent.mkdir(parents=True)
    path.touch()
    return path


@pytest.fixture
def dead():
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def write(folder, host, process):
    (folder / running.NOTE).write_text(json.dumps({"host": host, "process": process}))


def test_without_a_lock_there_is_nothing_to_do(tmp_path):
    assert running.release(tmp_path) is None


def test_the_lock_of_a_killed_run_is_removed(tmp_path, lock, dead):
    write(tmp_path, socket.gethostname(), dead)
    assert running.release(tmp_path) is None
    assert not lock.exists()


def test_the_lock_of_a_living_run_stays(tmp_path, lock):
    running.note(tmp_path)
    assert "another run is at work" in running.release(tmp_path)
    assert lock.exists()


def test_a_killed_run_whose_stage_is_still_at_work_keeps_the_lock(tmp_path, lock, dead):
    write(tmp_path, socket.gethostname(), dead)
    script = tmp_path / running.SCRIPTS / "stage.py"
    script.parent.mkdir()
    script.write_text("import sys\nprint(flush=True)\nsys.stdin.read()\n")
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as stage:
        stage.stdout.readline()
        said = running.release(tmp_path)
        assert running.left_over(tmp_path / "elsewhere") == []
        stage.communicate()
    assert f"still at work (processes {stage.pid})" in said
    assert lock.exists()
    assert running.release(tmp_path) is None
    assert not lock.exists()


def test_a_process_of_another_user_lives(tmp_path, lock, monkeypatch):
    def refuse(process, signal):
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    write(tmp_path, socket.gethostname(), 1)
    assert "another run is at work" in running.release(tmp_path)


@pytest.mark.parametrize(
    "note", ["", "[]", "{}", '{"host": "HERE", "process": "x"}', '{"host": "far", "process": 1}']
)
def test_who_is_not_known_here_keeps_the_lock(tmp_path, lock, note):
    (tmp_path / running.NOTE).write_text(note.replace("HERE", socket.gethostname()))
    assert "snakemake --unlock" in running.release(tmp_path)
    assert lock.exists()


def test_a_run_without_a_note_keeps_the_lock(tmp_path, lock):
    assert "snakemake --unlock" in running.release(tmp_path)
    assert lock.exists()


def test_the_note_is_of_this_process(tmp_path):
    running.note(tmp_path)
    assert json.loads((tmp_path / running.NOTE).read_text()) == {
        "host": socket.gethostname(),
        "process": os.getpid(),
    }
