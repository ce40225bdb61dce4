"""What the tests share: the embedded tables and their study, and copies of the project to run."""

import os
import re
import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path

import hypothesis
import pandas as pd
import pytest
import yaml

from saturation import index
from saturation.files.tables import load_table
from studies.plateau import inputs
from tests.shared_runs import run_snakemake

# Fixtures that tests of both storeys use.
pytest_plugins = ["tests.shared_figures", "tests.shared_adaptive"]

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = ("value", "lower", "upper")

# Text wraps at the terminal's width, which test runners may set for their processes.
os.environ.pop("COLUMNS", None)

# The same examples in every run, and no failure because a shared machine is slow.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, max_examples=40
)
hypothesis.settings.load_profile("steady")


# Files that take minutes: they begin first, so that at the end no worker waits for another.
LONG = ("tests/workflow/", "tests/browser/", "tests/unit/test_installed.py")


def pytest_collection_modifyitems(items):
    """Put the tests of files that take long before the others."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


@pytest.fixture(scope="session")
def published():
    """The embedded benchmarks and top scores as the source has them: scores in percent."""
    folder = ROOT / "resources" / "plateau"
    return tuple(load_table(folder / f"{name}.csv") for name in ("benchmarks", "top_scores"))


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
    return index.annotated(prepared[0], default_index)


@pytest.fixture(scope="session")
def quick():
    """The study's settings with few draws and a small grid."""
    from studies.plateau.study import Settings

    return Settings(resamples=100, permutations=99, grid_k=(3, 5), grid_alpha=(0.0, 0.5, 1.0))


@pytest.fixture(scope="session")
def results(prepared, quick):
    """The study's tables by name, with few draws."""
    from studies.plateau.study import study

    return study(*prepared, quick)


@pytest.fixture
def run(capsys):
    """Run the command `saturation` with these words; gives back code, output and errors."""
    from saturation import cli

    def command(*words):
        code = cli.main([str(word) for word in words])
        return (code, *capsys.readouterr())

    return command


@pytest.fixture(scope="session")
def golden():
    """Reads a table of ``tests/golden``: name and value, from software that is not ours."""

    def read(name):
        table = pd.read_csv(ROOT / "tests" / "golden" / f"{name}.csv")
        return dict(zip(table["name"], table["value"]))

    return read


@pytest.fixture(scope="session")
def golden_cases():
    """A function that gives the values that R computed of a case of tests/golden/statistics.R."""
    table = pd.read_csv(ROOT / "tests" / "golden" / "statistics.csv")
    cases = {key: part["value"].tolist() for key, part in table.groupby(["what", "case"])}
    return lambda what, case: pytest.approx(cases[what, case], abs=1e-9)


@pytest.fixture(scope="session")
def reviewed():
    """Compares a study's headline numbers, its ``quantities``, with those that were read through.

    ``SATURATION_REVIEW=1 pytest ...`` writes them anew: read the difference before it is committed.
    """

    def compared(name, quantities):
        path = ROOT / "tests" / "golden" / f"quantities_{name}.csv"
        found = quantities[["quantity", "value", "lower", "upper", "note"]].reset_index(drop=True)
        if os.environ.get("SATURATION_REVIEW"):
            found.to_csv(path, index=False, float_format="%.12g", lineterminator="\n")
        known = pd.read_csv(path, keep_default_na=False, na_values=dict.fromkeys(NUMBERS, ""))
        found[[*NUMBERS]] = found[[*NUMBERS]].astype(float)
        known[[*NUMBERS]] = known[[*NUMBERS]].astype(float)
        pd.testing.assert_frame_equal(found, known, rtol=1e-6, atol=1e-8)

    return compared


# A rule's name, and what stands indented below it.
RULE = re.compile(r"^ *rule (\w+):\n((?:\n*^ {4,}.*\n)+)", re.MULTILINE)
PARTS = ("config", "envs", "profiles", "resources", "src", "workflow")
IGNORED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")


@dataclass
class Project:
    """A copied project: its folder, and how to run it."""

    folder: Path

    def run(self, *arguments, config=None, cores=2, env=None):
        """Run Snakemake; returns the finished process."""
        words = ["--cores", cores, *arguments]
        if config is not None:
            path = self.folder / "test_config.yaml"
            path.write_text(yaml.safe_dump(config))
            words += ["--configfile", path]
        return run_snakemake(words, self.folder, env)

    def finish(self, *arguments, **options):
        """Run Snakemake to a good end; returns the finished process."""
        done = self.run(*arguments, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    def results(self):
        """Bytes of every result, without logs."""
        files = (self.folder / "results").rglob("*")
        return {
            str(path.relative_to(self.folder)): path.read_bytes()
            for path in files
            if path.is_file() and "logs" not in path.parts
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
    """What the rule files say of every rule that runs a script, by its name."""
    found = {}
    for path in sorted((ROOT / "workflow/rules").glob("*.smk")):
        for name, body in RULE.findall(path.read_text(encoding="utf-8")):
            parts = re.split(r"^(\w+):", textwrap.dedent(body), flags=re.MULTILINE)
            said = dict(zip(parts[1::2], map(str.strip, parts[2::2]), strict=True))
            if "script" in said:
                said["script"] = said["script"].strip('"')
                found[name] = {"file": path.name, "docstring": parts[0].strip(), **said}
    return found
