"""The adaptive study through the real DAG, on small tables of a user's own."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation import synthetic_bank

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "run": ["own"],
    "sizes": [10, 20],
    "draws": 3,
    "collections": {
        "own": {
            "respondents": "people.csv",
            "banks": {
                "first": {"responses": "first.csv", "layout": "long"},
                "second": {"responses": "second.csv"},
            },
        }
    },
}


def run(folder: Path, *targets: str) -> subprocess.CompletedProcess:
    (folder / "own.yaml").write_text(yaml.safe_dump({"adaptive": SETTINGS}))
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(folder), "--configfile", str(folder / "own.yaml")]
    command += ["--cores", "1", "--quiet", "--nolock", *targets]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def tables(tmp_path):
    random = np.random.default_rng(0)
    people = synthetic_bank.respondents(3, 2)
    people.to_csv(tmp_path / "people.csv", index=False)
    ability = synthetic_bank.trajectories(people, random)
    for name in ("first", "second"):
        a, b = np.exp(random.normal(0.3, 0.4, 40)), random.normal(0, 1, 40)
        cells = pd.DataFrame(
            synthetic_bank.draw(ability, a, b, random),
            index=pd.Index(people["respondent"]),
            columns=[f"{name}{number}" for number in range(40)],
        )
        if name == "first":
            long = cells.stack().rename("correct").rename_axis(["respondent", "item"])
            long.reset_index().iloc[5:].to_csv(tmp_path / "first.csv", index=False)
        else:
            cells.reset_index().to_csv(tmp_path / "second.csv", index=False)
    return tmp_path


def test_own_responses_give_the_contract_tables_and_bad_ones_stop(tables):
    wanted = [
        "results/adaptive/first/administrations.csv",
        "results/adaptive/first/item_parameters.csv",
    ]
    done = run(tables, *wanted)
    assert done.returncode == 0, done.stderr
    items = pd.read_csv(tables / wanted[1])
    assert items.columns.tolist() == ["item", "discrimination", "difficulty"]
    given = pd.read_csv(tables / wanted[0])
    assert given.columns.tolist() == ["respondent", "step", "item", "ability", "se"]
    assert set(given["item"]) <= set(items["item"])
    before = (tables / wanted[1]).read_bytes()

    table = pd.read_csv(tables / "first.csv")
    table.loc[3, "correct"] = 7
    table.to_csv(tables / "first.csv", index=False)
    refused = run(tables, *wanted)
    assert refused.returncode != 0
    log = (tables / "results/logs/adaptive/first/responses.log").read_text()
    assert "first.csv, row 5, column 'correct': value 7" in log
    assert (tables / wanted[1]).read_bytes() == before


@pytest.mark.heavy
def test_the_default_run_is_whole_and_the_second_does_nothing(tmp_path):
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(tmp_path), "--cores", "2", "adaptive"]
    first = subprocess.run(command, capture_output=True, text=True, check=False)
    assert first.returncode == 0, first.stderr
    again = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Nothing to be done" in again.stdout + again.stderr
    suspects = pd.read_csv(tmp_path / "results/adaptive/tables/synthetic_table2.csv")
    assert suspects["synthetic"].all()
