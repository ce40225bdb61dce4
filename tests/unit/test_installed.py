"""An empty environment: a release is built, installed with what it declares, and each command run.

What it declares is linked from the environment of the tests: the same versions, and no download.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pandas as pd
import pytest
from packaging.requirements import Requirement

import saturation
from saturation import cli
from saturation.files import formats

ROOT = Path(__file__).parents[2]
CARD = "card answers.csv --family accuracy --observed-on 2025-05-22 --no-pages --json"
# Commands of README and docs by the name of each, in the order in which they are run, with the exit
# code; `check` says what is missing.
EXAMPLES = {
    "demo": {"demo": 0},
    "card": {
        CARD: 0,
        "card scores.csv --family accuracy --n-items 500 --fail-on 'exhausted,tied>5'": 3,
        "card scores.xlsx --family accuracy --n-items 500": 0,
        "card answers.parquet --family accuracy": 0,
        "card results --family accuracy --output pages": 0,
        "card logs/*.eval --yes": 0,
        "card nothing.csv": 1,
    },
    "status": {"status": 0, "status gpqa diamond": 0},
    "compare": {"compare m0 m1 scores.csv --family accuracy --n-items 500": 0},
    "index": {"index --s-1 0.992 --s-k 0.982 --n 500": 0},
    "subset": {"subset answers.csv --size 40 --output mine": 0},
    "score": {"score mine/scorer.json answers.csv --model new": 0},
    "adapt": {"adapt answers.csv --hold-out MODEL --length 10 --batch 10": 0},
    "renew": {"renew old.csv new.csv": 0},
    "suite": {"suite tasks.csv --score-range 0 1 --yes": 0},
    "review": {"review answers.csv --yes": 0},
    "ledger": {"ledger 48.3": 0},
    "check": {"check": 1},
    "formats": {"formats": 0},
}
CODES = {example: code for examples in EXAMPLES.values() for example, code in examples.items()}
# All examples in one process, then every module.
DRIVER = """
import contextlib, importlib, io, json, pkgutil, sys, traceback
import saturation
from saturation import cli

ends = {}
for example, words in json.load(sys.stdin).items():
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            code = cli.main(words)
        except SystemExit as end:
            code = end.code
        except Exception:
            code = traceback.format_exc()
    ends[example] = code, text.getvalue()
for module in pkgutil.walk_packages(saturation.__path__, "saturation."):
    importlib.import_module(module.name)
print(json.dumps(ends))
"""


def run(*words, **options):
    return subprocess.run(
        [*map(str, words)], check=False, stdout=-1, stderr=subprocess.STDOUT, text=True, **options
    )


def add_distributions(requirements, found):
    """Add the distributions that requirements name, and those that these require."""
    for requirement in map(Requirement, requirements):
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if wanted and requirement.name not in found:
            found[requirement.name] = metadata.distribution(requirement.name)
            add_distributions(found[requirement.name].requires or (), found)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Programs of an environment that holds a release, what it declares, and nothing else."""
    folder = tmp_path_factory.mktemp("installed")
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    name = f"benchsat-{saturation.__version__}"
    build = [sys.executable, "-m", "hatchling", "build", "--directory", folder, "--target"]
    install = [sys.executable, "-m", "pip", "--python", folder / "empty/bin/python", "install"]
    for words, place in (
        ([*build, "sdist"], ROOT),
        (["tar", "-xf", f"{name}.tar.gz"], folder),
        ([*build, "wheel"], folder / name),
        ([sys.executable, "-m", "venv", "--without-pip", folder / "empty"], folder),
        ([*install, "--no-deps", "--no-index", f"{name}-py3-none-any.whl"], folder),
    ):
        done = run(*words, cwd=place, env=outside)
        assert done.returncode == 0, done.stdout
    packages = {}
    (site,) = folder.glob("empty/lib/python*/site-packages")
    add_distributions(
        metadata.PathDistribution(*site.glob("benchsat*.dist-info")).requires, packages
    )
    for package in packages.values():
        for part in {path.parts[0] for path in package.files} - {"..", "__pycache__"}:
            if not (site / part).exists():
                (site / part).symlink_to(package.locate_file(part))
    return folder / "empty/bin"


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with the files that the commands are about."""
    folder = tmp_path_factory.mktemp("workplace")
    scores = pd.DataFrame({"model": [f"m{i}" for i in range(6)], "score": 0.97})
    scores["score"] -= scores.index / 500
    scores.to_csv(folder / "scores.csv", index=False)
    scores.to_excel(folder / "scores.xlsx", index=False)
    tasks = pd.DataFrame({f"t{task}": (scores.index * 7 + task) % 13 / 20 for task in range(6)})
    tasks.assign(model=scores["model"]).to_csv(folder / "tasks.csv", index=False)
    bank = formats.read(ROOT / "resources/boards/responses/swebench_epoch.parquet")
    wide = bank.drop(columns="task").set_index("item").iloc[:200]
    wide[:100].to_csv(folder / "old.csv")
    wide[100:].to_csv(folder / "new.csv")
    answers = wide[:100].reset_index().melt("item", var_name="model", value_name="response")
    answers = answers.dropna()
    answers.to_csv(folder / "answers.csv", index=False)
    answers.to_parquet(folder / "answers.parquet")
    shutil.copytree(ROOT / "resources/own/example/lm_eval", folder / "results")
    shutil.copytree(ROOT / "tests/fixtures/inspect_ai/0.3.285", folder / "logs")
    return folder


def words_of(example, folder):
    model = pd.read_csv(folder / "old.csv").columns[-1]
    for word in shlex.split(example):
        files = sorted(folder.glob(word)) if "*" in word else []
        yield from [str(file) for file in files] or [word.replace("MODEL", model)]


def test_every_command_has_an_example():
    assert sorted(EXAMPLES) == sorted(cli.COMMANDS)


def test_commands_run_with_what_the_package_declares(installed, workplace, monkeypatch, capsys):
    alone = {"PATH": f"{installed}:/usr/bin:/bin", "HOME": str(workplace)}
    version = run(installed / "saturation", "--version", env=alone)
    assert version.stdout == f"saturation {saturation.__version__}\n"
    words = json.dumps({example: [*words_of(example, workplace)] for example in CODES})
    done = run(installed / "python", "-c", DRIVER, input=words, cwd=workplace, env=alone)
    assert done.returncode == 0, done.stdout
    ends = json.loads(done.stdout)
    assert {example: end for example, end in ends.items() if end[0] != CODES[example]} == {}
    monkeypatch.chdir(workplace)
    assert cli.main(list(words_of(CARD, workplace))) == 0
    assert ends[CARD][1] == capsys.readouterr().out
