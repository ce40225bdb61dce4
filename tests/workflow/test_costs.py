"""The costs of a real run are collected from what Snakemake measured."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_jobs_of_a_run_are_collected_with_their_chain(project):
    target = "results/plateau/bins.csv"
    done = project.run(target, config={"plateau": {"permutations": 100}})
    assert done.returncode == 0, done.stderr
    collected = runpy.run_path(str(ROOT / "workflow/scripts/docs/costs.py"))
    sums = collected["main"](project.folder, target)
    table = pd.read_csv(project.folder / "results/costs.csv").set_index("rule")
    assert set(table.index) == {"plateau_inputs", "plateau_index", "plateau_hypotheses"}
    assert table["critical"].all()
    assert (table["threads"] == 1).all()
    # Of a job that ends before Snakemake looks again only the beginning is seen, or nothing.
    assert table["max_rss_mb"].dropna().between(0, 1000, inclusive="right").all()
    assert table["max_rss_mb"].max() > 50
    assert 0 < table["start_s"].sum() == pytest.approx(sums.start)
    assert sums.critical == pytest.approx(sums.wall)
    assert (project.folder / "results/figures/costs.png").exists()
    assert "plateau/inputs → plateau/index → plateau/hypotheses" in (
        project.folder / "results/costs.md"
    ).read_text(encoding="utf-8")
