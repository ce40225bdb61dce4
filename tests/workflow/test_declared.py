"""Jobs open no file of the project that their rule does not declare: its change would go unseen."""

import io
import os
from collections import defaultdict

import pandas as pd
import pytest

# Python looks for this module at every start; a job's log tells which job it was.
LISTENER = """
import os, sys

def listen(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        path = os.path.relpath(arguments[0], {project!r})
        if not path.startswith("..") and "__pycache__" not in path and path[-3:] != ".py":
            with_process = os.path.join({opened!r}, str(os.getpid()))
            file = os.open(with_process, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(file, (path + "\\n").encode())
            os.close(file)

sys.addaudithook(listen)
"""
# Snakemake's own files, and what is written beside the outputs.
OTHERS = (".snakemake/", "results/logs/")
LOG = "results/logs/"
QUICK = {
    "plateau": {"resamples": 200, "permutations": 199},
    "robustness": {"resamples": 200},
}


def declared(project, targets, config):
    """Inputs and outputs of every job, by its log."""
    done = project.run("--detailed-summary", *targets, config=config)
    assert done.returncode == 0, done.stderr
    summary = pd.read_csv(io.StringIO(done.stdout), sep="\t", dtype=str, keep_default_na=False)
    files = defaultdict(set)
    for job, made, needed in zip(
        summary["log-file(s)"], summary["output_file"], summary["input-file(s)"], strict=True
    ):
        files[job] |= {made, *needed.split(",")}
    return files


@pytest.mark.parametrize(
    ("targets", "config"),
    [(["plateau", "robustness"], QUICK), pytest.param([], None, marks=pytest.mark.heavy)],
)
def test_jobs_open_only_what_their_rules_declare(project, tmp_path, monkeypatch, targets, config):
    opened = tmp_path / "opened"
    opened.mkdir()
    listener = LISTENER.format(project=str(project.folder), opened=str(opened))
    (tmp_path / "sitecustomize.py").write_text(listener, encoding="utf-8")
    paths = (str(tmp_path), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    done = project.run(*targets, config=config)
    assert done.returncode == 0, done.stderr
    monkeypatch.undo()
    files = declared(project, targets, config)
    heard = set()
    for process in opened.iterdir():
        paths = process.read_text(encoding="utf-8").split("\n")[:-1]
        job = next((path for path in paths if path.startswith(LOG)), None)
        if job is None:  # Snakemake itself
            continue
        heard.add(job)
        folders = tuple(f"{path}/" for path in files[job] if (project.folder / path).is_dir())
        unknown = {
            path for path in paths if not path.startswith((*OTHERS, *folders))
        } - files[job]  # fmt: skip
        assert not unknown, f"{job} opens {sorted(unknown)}"
    assert heard == set(files)
