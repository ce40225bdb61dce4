"""Another workflow, in another folder, takes this one in and runs a study under a prefix."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from tests.shared_runs import run_snakemake

ROOT = Path(__file__).parents[2]

OTHER = """
module saturation:
    snakefile:
        {snakefile}
    config:
        {config}
    prefix:
        "saturated"

use rule * from saturation as saturation_*

rule best:
    default_target: True
    input:
        "saturated/results/plateau/index.csv"
    output:
        "best.txt"
    shell:
        "sort -t, -k9 -g {{input}} | tail -n 1 | cut -d, -f1 > {{output}}"
"""


MAKES_SCORES = """
rule scores:
    output:
        "made/scores.csv"
    run:
        lines = [f"model-{place},{0.9 - place / 50},400" for place in range(8)]
        with open(output[0], "w") as stream:
            stream.write("\\n".join(["model,score,n_items", *lines]) + "\\n")
"""
CARD = "saturated/results/own/benchmarks/mine/card.json"


def run(folder, *arguments, env=None):
    return run_snakemake(["--cores", 1, *arguments], folder, env)


def git(folder, *words):
    author = ["-c", "user.name=A", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(project):
    """A repository that holds this workflow under a tag, and nothing of it as files."""
    git(project.folder, "init")
    git(project.folder, "add", ".")
    git(project.folder, "commit", "-m", "all")
    git(project.folder, "tag", "v1")
    git(project.folder, "rm", "-r", "--quiet", ".")
    assert not (project.folder / "Snakefile").exists()
    return project.folder


def test_a_workflow_taken_from_git_is_planned_with_its_library_and_its_tables(repository, tmp_path):
    here = tmp_path / "other"
    here.mkdir()
    source = f'gitfile("{repository}", path="workflow/Snakefile", tag="v1")'
    text = OTHER.format(snakefile=source, config={"plateau": {"k": 3, "resamples": 200}})
    (here / "Snakefile").write_text(text)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    # As in profiles/default: the trigger "code" cannot date scripts of a local repository.
    triggers = ("--rerun-triggers", "mtime", "params", "input", "software-env")
    done = run(here, "-n", *triggers, env=environment)
    assert done.returncode == 0, done.stderr
    assert "saturation_plateau_index" in done.stdout


# What `snakedeploy deploy-workflow` writes, beside a copy of the folder config.
DEPLOYED = """
configfile: "config/config.yaml"

module saturation:
    snakefile:
        github("owner/name", path="workflow/Snakefile", tag="v1")
    config:
        config

use rule * from saturation
"""


def test_what_snakedeploy_writes_runs_as_it_is(repository, tmp_path):
    """From a bare repository in the place of GitHub, without a profile or a library on the path."""
    git(tmp_path, "clone", "--bare", str(repository), "name.git")
    address = tmp_path / "gitconfig"
    address.write_text(
        f'[url "file://{tmp_path}/name.git"]\n    insteadOf = https://github.com/owner/name\n'
    )
    here = tmp_path / "deployed"
    shutil.copytree(ROOT / "config", here / "config")
    (here / "workflow").mkdir()
    (here / "workflow/Snakefile").write_text(DEPLOYED)
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"GIT_CONFIG_GLOBAL": str(address), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = run(here, "plateau_index", env=environment)
    assert done.returncode == 0, done.stderr
    assert len(pd.read_csv(here / "results/plateau/index.csv")) == 60
    again = run(here, "-n", "plateau_index", env=environment)
    assert "Nothing to be done" in again.stdout + again.stderr


@pytest.mark.parametrize(
    "words", [(), ("-s", "workflow/Snakefile"), ("--directory", ".test")], ids=" ".join
)
def test_every_way_in_plans_the_whole_default_run(words):
    done = run(ROOT, "-n", "--forceall", *words)
    assert done.returncode == 0, done.stderr
    counts = dict(re.findall(r"(?m)^(\w+) +(\d+)$", done.stdout))
    # What the entry makes when nothing is asked for is what `all` makes.
    planned = {"all" if rule == "default" else rule for rule in counts} - {"total"}
    # The picture in docs/developing.md: at most 32 rules and 60 arrows.
    picture = (ROOT / "docs/images/rules.svg").read_text(encoding="utf-8")
    nodes = re.findall(r'class="node">(.*?)</g>', picture, re.DOTALL)
    drawn = {"_".join(re.findall(r"<text[^>]*>(\w+)</text>", node)) for node in nodes}
    assert drawn == planned
    assert len(drawn) <= 32
    assert picture.count('class="edge"') <= 60


def taken_in(project, here, **entry):
    """A workflow with a config of its own, which makes the file of an own benchmark of this one."""
    here.mkdir()
    declared = {"family": "accuracy", "observed_on": "2026-01-01", "score_range": [0, 1]}
    text = OTHER.format(
        snakefile=json.dumps(str(project.folder / "Snakefile")),
        config={"plateau": {"k": 3}, "own": {"benchmarks": {"mine": declared | entry}}},
    )
    (here / "Snakefile").write_text(text + MAKES_SCORES)
    return here


def test_another_workflow_takes_this_one_in_under_a_prefix_and_makes_its_files(project, tmp_path):
    here = taken_in(project, tmp_path / "other", files=["made/scores.csv"])
    done = run(here, "best", CARD)
    assert done.returncode == 0, done.stderr
    index = pd.read_csv(here / "saturated/results/plateau/index.csv")
    assert len(index) == 60
    assert set(index["k"]) == {3}
    highest = index.sort_values("s_index")["benchmark_id"].iloc[-1]
    assert (here / "best.txt").read_text().strip() == highest
    card = json.loads((here / CARD).read_text())
    assert card["frontier"]["models"][0]["model"] == "model-0"
    assert card["import"]["scores"] == 8
    assert not (here / "results").exists()
    again = run(here, "-n", "best", CARD)
    assert "Nothing to be done" in again.stdout + again.stderr


@pytest.mark.parametrize(
    ("entry", "remedy"),
    [
        ({"files": ["made/*.csv"]}, "cannot be found by a pattern: name each of them"),
        (
            {"files": ["made/scores.csv"], "each_task": True},
            "each_task reads its files while the run is planned",
        ),
    ],
)
def test_what_needs_the_files_at_planning_says_so(project, tmp_path, entry, remedy):
    here = taken_in(project, tmp_path / "other", **entry)
    done = run(here, CARD)
    assert done.returncode == 1
    assert remedy in done.stderr
    assert "Traceback" not in done.stderr
