"""A run's beginning and end: killed runs, damaged sources, its commit, what came out."""

import json
import os
import socket
import subprocess
import sys

import pytest

from studies.planning import run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory in which unlocking is noted in place of being done."""
    (tmp_path / ".snakemake").mkdir()
    monkeypatch.setattr(run.subprocess, "run", lambda *_, cwd, **__: (cwd / "unlocked").touch())
    return tmp_path


@pytest.fixture
def dead():
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def write(folder, process, group, host=None):
    noted = {"host": host or socket.gethostname(), "process": process, "group": group}
    (folder / run.NOTE).write_text(json.dumps(noted))


def test_a_killed_run_s_folder_is_unlocked(folder, dead):
    write(folder, dead, dead)
    assert run.begin(folder) is None
    assert (folder / "unlocked").exists()
    assert not (folder / run.NOTE).exists()


def test_a_living_run_s_folder_stays_locked(folder):
    run.note(folder)
    assert "another run is at work" in run.begin(folder)
    run.forget(folder)
    assert run.begin(folder) is None
    assert not (folder / "unlocked").exists()


def test_a_killed_run_whose_stage_is_still_at_work_stays_locked(folder, dead):
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"],
        stdin=subprocess.PIPE, start_new_session=True,
    ) as stage:  # fmt: skip
        write(folder, dead, stage.pid)
        said = run.begin(folder)
        stage.communicate()
    assert f"still at work (process group {stage.pid})" in said
    assert run.begin(folder) is None
    assert (folder / "unlocked").exists()


def test_a_process_of_another_user_lives(folder, monkeypatch):
    def refuse(process, signal):
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    write(folder, 1, 1)
    assert "another run is at work" in run.begin(folder)


def test_a_run_of_another_machine_is_left_to_the_user(folder):
    write(folder, 1, 1, host="far")
    assert "snakemake --unlock" in run.begin(folder)
    assert not (folder / "unlocked").exists()


@pytest.mark.parametrize("note", ["", "[]", "{}"])
def test_without_a_note_there_is_nothing_to_do(folder, note):
    (folder / run.NOTE).write_text(note)
    assert run.begin(folder) is None
    assert not (folder / "unlocked").exists()


def test_what_was_wrong_in_this_run_is_said_once(folder):
    logs = folder / "results/logs/a"
    logs.mkdir(parents=True)
    (logs / "old.log").write_text("Error: not of this run\n")
    os.utime(logs / "old.log", (1, 1))
    run.note(folder)
    assert run.failures(folder) == ""
    (logs / "one.log").write_text("read\nError: a is bad\nError: b is bad\n")
    (logs / "two.log").write_text("Error: a is bad\nfine\n")
    said = ["What was wrong in this run:", "Error: a is bad", "Error: b is bad"]
    assert run.failures(folder).splitlines() == said


@pytest.fixture
def ended(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / ".snakemake").mkdir()

    def done(**outputs):
        named = {f"results/{path.replace(':', '/')}": digest for path, digest in outputs.items()}
        (tmp_path / run.MANIFEST).write_text(json.dumps({"outputs": named}))
        return run.summary(tmp_path)

    return done


def test_a_first_run_says_what_came_out(ended):
    said = ended(**{"plateau:a.csv": "1", "figures:plateau:b.png": "2", "ledger:c.csv": "3"})
    assert said.startswith("3 results in ")
    assert "no earlier run" in said


def test_a_second_run_says_what_differs(ended):
    first = {f"plateau:{number}.csv": "1" for number in range(7)}
    ended(**first)
    assert "every one is the same as in the last run" in ended(**first)
    changed = {**first, "plateau:6.csv": "2", "ledger:new.csv": "1"}
    del changed["plateau:0.csv"]
    said = ended(**changed)
    assert "1 differ from the last run: results/plateau/6.csv" in said
    assert "1 are new: results/ledger/new.csv" in said
    assert "1 are no longer made: results/plateau/0.csv" in said
    assert "7 differ" not in said
    many = ended(**dict.fromkeys(first, "3"))
    assert "6 differ from the last run\n" in many


def test_it_ends_with_findings_changed_counts_and_one_page_to_open(ended, tmp_path):
    for folder in ("dashboard", "ledger"):
        (tmp_path / "results" / folder).mkdir()
    (tmp_path / run.OPENED).touch()
    (tmp_path / run.LANDING).write_text(
        "What comes out\n---\n\n- **Two\n  tie** (`a <a>`__,\n  `b <b>`__).\n- One.\n\n"
        "How to read it\n---\n\n- A menu.\n"
    )
    table = tmp_path / run.CLAIMS
    table.write_text("paper,sense,reproduced,differs\na,x,1,1\nall,all,3,2\n")
    lines = ended(**{"plateau:a.csv": "1"}).splitlines()
    assert lines[:2] == ["- Two tie.", "- One."]
    said = ["claims of the papers: 3 reproduced, 2 differs", "open results/dashboard/index.html"]
    assert lines[-2:] == said
    table.write_text("paper,sense,reproduced,differs\nall,all,4,2\n")
    assert "4 reproduced (before: 3), 2 differs" in ended(**{"plateau:a.csv": "1"})


@pytest.mark.parametrize("content", [None, "", "{}", "[]"])
def test_without_a_manifest_it_says_so(tmp_path, content):
    (tmp_path / "results").mkdir()
    if content is not None:
        (tmp_path / run.MANIFEST).write_text(content)
    assert "only a part of the default run" in run.summary(tmp_path)


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


@pytest.mark.parametrize(
    ("name", "mark"),
    [("mine.yaml", ""), *((name, "-dirty") for name in
                          ("src/a.py", "src/new.py", "workflow/rules/new.smk"))],
)  # fmt: skip
def test_what_results_follow_from_and_is_not_in_the_commit_marks_it(repository, name, mark):
    folder, head = repository
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("A = 2\n")
    assert run.commit(folder) == f"{head}{mark}"
    # A repository further up is another's.
    assert run.commit(folder / "src") == run.UNVERSIONED


def test_the_commit_is_said_or_that_there_is_none(tmp_path, monkeypatch):
    assert run.commit(tmp_path) == run.UNVERSIONED
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run.commit(tmp_path) == run.UNVERSIONED


def test_a_reused_process_number_is_no_running_run(folder):
    run.note(folder)
    noted = json.loads((folder / run.NOTE).read_text())
    assert noted["started"] > 1e9
    # The number of a process that lives: the one that started this one.
    noted |= {"process": os.getppid(), "started": run._started(os.getppid())}
    (folder / run.NOTE).write_text(json.dumps(noted))
    assert run._detect_run(folder)
    (folder / run.NOTE).write_text(json.dumps(noted | {"started": 1.0}))
    assert not run._detect_run(folder)
    assert run.begin(folder) is None
    assert (folder / "unlocked").exists()


def test_a_group_whose_number_went_to_another_program_is_not_the_run_s(folder, dead):
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as stranger:
        run.note(folder)
        noted = json.loads((folder / run.NOTE).read_text())
        since = run._started(stranger.pid)
        noted |= {"process": dead, "group": stranger.pid, "started": since}
        try:
            # A stage of the run itself began with it or before.
            (folder / run.NOTE).write_text(json.dumps(noted))
            assert "still at work" in run.begin(folder)
            (folder / run.NOTE).write_text(json.dumps(noted | {"started": since - 60}))
            assert run.begin(folder) is None
        finally:
            stranger.kill()


@pytest.mark.parametrize("text", ["[]", "3", "{", "[" * 100_000, '{"host": 1}'])
def test_a_damaged_note_is_none(folder, text):
    (folder / run.NOTE).write_text(text)
    assert run.begin(folder) is None
