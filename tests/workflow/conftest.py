"""A copy of the workflow for tests that run the real DAG."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PARTS = ("config", "envs", "profiles", "resources", "src", "workflow")
IGNORED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")


@dataclass
class Project:
    """A copied project: its folder, and how to run it."""

    folder: Path

    def run(self, *arguments, config=None, cores=2):
        """Run Snakemake; returns the finished process."""
        command = [sys.executable, "-m", "snakemake", "--cores", str(cores), *map(str, arguments)]
        if config is not None:
            path = self.folder / "test_config.yaml"
            path.write_text(yaml.safe_dump(config))
            command += ["--configfile", str(path)]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def results(self):
        """Bytes of every result, without logs and measured times."""
        files = (self.folder / "results").rglob("*")
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in files
            if path.is_file() and not {"logs", "costs"} & set(path.parts)
        }


def copied(folder):
    """A project copied into the folder."""
    for part in PARTS:
        shutil.copytree(ROOT / part, folder / part, ignore=IGNORED)
    shutil.copy(ROOT / "Snakefile", folder)
    return Project(folder)


@pytest.fixture
def project(tmp_path):
    """A fresh copy of the workflow."""
    return copied(tmp_path / "project")


@pytest.fixture(scope="session")
def make_project(tmp_path_factory):
    """A function that copies the workflow into a folder of its own."""
    return lambda name: copied(tmp_path_factory.mktemp(name) / "project")
