"""An empty environment: a release is built, installed with what it declares, and each command run.

It takes packages from the index. Where there is none, SATURATION_NO_INDEX=1 leaves it out.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

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
    "doctor": {"doctor": 0},
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
IMPORTS = """
import importlib, pkgutil, saturation
for module in pkgutil.walk_packages(saturation.__path__, "saturation."):
    importlib.import_module(module.name)
"""


def run(*words, **options):
    return subprocess.run(
        [*map(str, words)], check=False, stdout=-1, stderr=subprocess.STDOUT, text=True, **options
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Programs of an environment that holds what `pip install` brings, and nothing else."""
    if os.environ.get("SATURATION_NO_INDEX"):
        pytest.skip("SATURATION_NO_INDEX is set")
    folder = tmp_path_factory.mktemp("installed")
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    built = f"{folder}/benchsat-{saturation.__version__}.tar.gz"
    for words in (
        [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", folder],
        [sys.executable, "-m", "venv", folder / "empty"],
        [folder / "empty/bin/pip", "install", "--quiet", "--no-compile", built],
    ):
        done = run(*words, cwd=ROOT, env=outside)
        assert done.returncode == 0, (
            f"{done.stdout}\nWithout a package index, set SATURATION_NO_INDEX=1"
        )
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
    assert sorted(EXAMPLES) == sorted(command.name for command in cli.COMMANDS)


def test_commands_run_with_what_the_package_declares(installed, workplace, monkeypatch, capsys):
    alone = {"PATH": f"{installed}:/usr/bin:/bin", "HOME": str(workplace)}
    codes, texts = {}, {}
    for example in CODES:
        words = words_of(example, workplace)
        done = run(installed / "saturation", *words, cwd=workplace, env=alone)
        codes[example], texts[example] = done.returncode, done.stdout
    assert {example: text for example, text in texts.items() if "Traceback" in text} == {}
    wrong = {example: texts[example] for example in CODES if codes[example] != CODES[example]}
    assert wrong == {}
    modules = run(installed / "python", "-c", IMPORTS, cwd=workplace, env=alone)
    assert (modules.returncode, modules.stdout) == (0, "")

    def content(text):
        """A card, its numbers to six digits: the packages' versions may be others."""
        return json.loads(text, parse_float=lambda number: f"{float(number):.6g}")

    monkeypatch.chdir(workplace)
    assert cli.main(list(words_of(CARD, workplace))) == 0
    assert content(texts[CARD]) == content(capsys.readouterr().out)
