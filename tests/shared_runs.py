"""Runs of Snakemake in forks of a process that has imported it, which is most of a plan's time."""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["snakemake.cli", "nbformat", "requests", "jsonschema", "rich.console"]
)


def _work(arguments, folder, environment, streams):
    """Run Snakemake as ``python -m snakemake`` in a folder; its output goes to two files."""
    import snakemake.cli

    for number, path in enumerate(streams, start=1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    sys.stdout, sys.stderr = (os.fdopen(n, "w", buffering=1, closefd=False) for n in (1, 2))
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    given = filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))
    sys.path[:] = [str(folder), *given, *(path for path in sys.path if Path(path) != ROOT)]
    snakemake.cli.main(arguments)


def run_snakemake(arguments, folder, environment=None):
    """Run Snakemake in a folder; returns the finished process."""
    words = [*map(str, arguments)]
    with tempfile.TemporaryDirectory() as place:
        streams = [Path(place) / name for name in ("stdout", "stderr")]
        process = FORKS.Process(
            target=_work, args=(words, str(folder), dict(environment or os.environ), streams)
        )
        process.start()
        process.join()
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in streams]
    return subprocess.CompletedProcess(words, process.exitcode, *texts)
