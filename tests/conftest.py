"""What the tests share: the embedded tables, read once, and copies of the project to run."""

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import numpy as np
import pandas as pd
import pytest
import yaml

from saturation import index
from saturation.files.tables import read_table
from saturation.plateau import groupings, hypotheses, inputs, sensitivity, trends, uncertainty

ROOT = Path(__file__).resolve().parents[1]
# The settings that Table 1 compares with the default.
SETTINGS = [(3, 0.5), (5, 0.0), (5, 1.0)]

# The same examples in every run, and no failure because a shared machine is slow.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, max_examples=40
)
hypothesis.settings.load_profile("steady")


@pytest.fixture(scope="session")
def published():
    """The embedded benchmarks and top scores as the source has them: scores in percent."""
    folder = ROOT / "resources" / "plateau"
    return tuple(read_table(folder / f"{name}.csv") for name in ("benchmarks", "top_scores"))


@pytest.fixture(scope="session")
def prepared(published):
    """The embedded benchmarks and top scores as the study uses them: scores as proportions."""
    return inputs.prepare(*published, score_scale="percent", observed_on="2025-11-01", at_least=5)


@pytest.fixture(scope="session")
def default_index(prepared):
    """The index table at the paper's default, k = 5 and alpha = 0.5."""
    return index.index_table(*prepared)


@pytest.fixture(scope="session")
def data(prepared, default_index):
    """One row a benchmark: annotations and index."""
    return prepared[0].merge(default_index.drop(columns="n_test"), on="benchmark_id")


@pytest.fixture(scope="session")
def results(study, prepared):
    """The study's tables by name, with few resamples."""
    return study(*prepared)


@pytest.fixture(scope="session")
def study():
    """What makes the study's tables by name, as its stages do, with few resamples."""
    return _study


def _study(benchmarks, top_scores):
    rng = np.random.default_rng(1)
    given = (benchmarks, top_scores)
    default = index.index_table(*given)
    data = benchmarks.merge(default.drop(columns="n_test"), on="benchmark_id")
    other = {(k, a): index.index_table(*given, k=k, alpha=a) for k, a in SETTINGS}
    cells = sensitivity.grid(*given, ks=[3, 5], alphas=[0, 0.5, 1], edges=index.BIN_EDGES)
    compared = groupings.comparisons(benchmarks)
    tests = pd.concat(hypotheses.group_tests(data, one, 0.7, 99, rng) for one in compared)
    trend_table = trends.trends(data)
    return {
        "benchmarks": benchmarks,
        "top_scores": top_scores,
        "index": default,
        "index_k3": other[3, 0.5],
        "index_alpha1": other[5, 1.0],
        "comparisons": pd.DataFrame(
            {"setting": name, "k": k, "alpha": a, **sensitivity.compare(default, table)}
            for name, ((k, a), table) in zip(("k3", "alpha0", "alpha1"), other.items())
        ),
        "groups": pd.concat(hypotheses.group_summary(data, one, 0.7) for one in compared),
        "tests": tests,
        "trends": trend_table,
        "family": hypotheses.family(tests, trend_table),
        "bins": trends.bins(data, 0.7),
        "permuted_n": uncertainty.permuted_n_control(default, 99, rng),
        "intervals": uncertainty.uncertainty_table(*given, 5, 0.5, 100, rng),
        "grid": sensitivity.grid_summary(cells, default, 0.7),
    }


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


@pytest.fixture(scope="session")
def planned():
    """Every rule by name, as Snakemake knows it once the workflow is read."""
    command = [sys.executable, str(ROOT / "tests/planned.py"), str(ROOT / "Snakefile")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {rule["name"]: rule for rule in json.loads(done.stdout)}
