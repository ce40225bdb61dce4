"""The real rule against the published sheet, from a local mirror."""

from pathlib import Path

import pytest
import yaml

from saturation.files.tables import load_table
from studies.files import sources

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
MIRROR = (ROOT / CONFIG["sources"]["mirror"]).resolve()
REGISTRY = sources.registry(load_table(ROOT / "resources" / "sources.csv"))
SHEET = MIRROR / REGISTRY["plateau_annotations"].path
TARGET = "results/plateau/verification.csv"


@pytest.mark.skipif(not SHEET.is_file(), reason=f"the sheet is not in a local mirror: no {SHEET}")
def test_the_embedded_tables_are_the_published_ones_and_a_changed_cell_is_named(project):
    config = {"sources": {"mirror": str(MIRROR)}}
    project.finish(TARGET, config=config)
    assert (project.folder / TARGET).read_text().splitlines() == [
        "table,rows,columns,cells_compared,cells_different",
        "benchmarks.csv,60,31,1860,0",
        "top_scores.csv,300,4,1200,0",
    ]
    table = project.folder / "resources/plateau/top_scores.csv"
    table.write_text(table.read_text().replace("math_500,2,Grok-4,99\n", "math_500,2,Grok-4,98\n"))
    done = project.run(TARGET, config=config)
    assert done.returncode != 0
    assert "top_scores.csv, row 3, column 'score'" in done.stderr
    assert "the embedded table has '98', the source gives '99'" in done.stderr
    assert not (project.folder / TARGET).exists()
