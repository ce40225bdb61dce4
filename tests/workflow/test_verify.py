"""The real rule against the published sheet, from a local mirror."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from saturation.files import sources
from saturation.files.tables import read_table

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
MIRROR = (ROOT / CONFIG["sources"]["mirror"]).resolve()
REGISTRY = sources.registry(read_table(ROOT / "resources" / "sources.csv"))
SHEET = MIRROR / REGISTRY["plateau_annotations"].path


@pytest.fixture
def workflow(tmp_path):
    """A copy of the workflow, so that its tables can be changed; returns a function to run it."""
    if not SHEET.is_file():
        pytest.skip(f"the published sheet is not in a local mirror: no {SHEET}")
    copy = tmp_path / "project"
    for part in ("config", "envs", "resources", "src", "workflow"):
        shutil.copytree(ROOT / part, copy / part)
    shutil.copy(ROOT / "Snakefile", copy)

    def run():
        command = [sys.executable, "-m", "snakemake", "--cores", "1", "verify"]
        command += ["--config", f"sources={{mirror: {MIRROR}}}"]
        return subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)

    run.folder = copy
    return run


def test_the_embedded_tables_are_the_published_ones(workflow):
    done = workflow()
    assert done.returncode == 0, done.stderr
    lines = (workflow.folder / "results/plateau/verification.csv").read_text().splitlines()
    assert lines == [
        "table,rows,columns,cells_compared,cells_different",
        "benchmarks.csv,60,30,1800,0",
        "top_scores.csv,300,4,1200,0",
    ]


def test_a_changed_cell_stops_the_rule_and_is_named(workflow):
    table = workflow.folder / "resources/plateau/top_scores.csv"
    table.write_text(table.read_text().replace("math_500,2,Grok-4,99\n", "math_500,2,Grok-4,98\n"))
    assert workflow().returncode != 0
    log = (workflow.folder / "results/logs/plateau/verify.log").read_text()
    assert "top_scores.csv, row 3 (source_id 1, rank 2), column 'score'" in log
    assert "the embedded table has '98', the source gives '99'" in log
    assert not (workflow.folder / "results/plateau/verification.csv").exists()
