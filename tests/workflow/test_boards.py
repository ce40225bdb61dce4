"""The boards through the real DAG: its tables are those of the one call, and what stops it."""

import pandas as pd
import pytest

from saturation.boards import alpha, overview
from saturation.boards import study as boards_study
from saturation.boards.names import EMBEDDED
from saturation.boards.ranked import all_ranked
from saturation.boards.schemas import BY_INPUT_NAME, EVALUATIONS
from saturation.boards.study import Settings, study
from saturation.files import formats, stages
from saturation.plateau.schemas import INDEX

FEW = {"halves": 2, "splits": 2, "draws": 100}
CONFIG = {"boards": FEW}


@pytest.fixture(scope="module")
def finished(make_project):
    """The study, run once on two cores with few draws."""
    project = make_project("boards")
    done = project.run("boards", config=CONFIG)
    assert done.returncode == 0, done.stderr
    return project


def test_the_stages_give_the_tables_of_the_one_call(finished):
    folder = finished.folder
    evaluations = stages.read(folder / "resources/boards/evaluations.csv", EVALUATIONS)
    responses = {
        name: formats.read(folder / f"resources/boards/responses/{name}.parquet")
        for name in EMBEDDED
    }
    boards = all_ranked(responses, evaluations, 0.8)
    expected = study(
        boards,
        stages.read(folder / "results/plateau/index.csv", INDEX),
        Settings(
            alpha.Settings(splits=2),
            overview.Settings(halves=2),
            boards_study.PublishedSettings(draws=100),
        ),
    )
    for name, schema in BY_INPUT_NAME.items():
        computed = stages.read(folder / f"results/boards/{name}.csv", schema)
        # Between stages, numbers have ten digits.
        pd.testing.assert_frame_equal(computed, expected[name], check_dtype=False, rtol=1e-6)


def test_the_report_has_the_figures_and_the_page(finished):
    figures = finished.folder / "results/figures/boards"
    assert {file.stem for file in figures.glob("*.png")} == {"overview", "alpha", "course"}
    page = (finished.folder / "results/boards/overview.html").read_text(encoding="utf-8")
    assert "left out: 12 evaluations that answered less than 80% of 1136 items" in page


def test_the_study_is_part_of_the_default_run_and_follows_its_config(finished):
    assert "boards_alpha" not in finished.run("--dry-run", "boards", config=CONFIG).stdout
    other = {"boards": FEW | {"least_coverage": 0.5}}
    assert "rule boards_alpha" in finished.run("--dry-run", config=other).stdout


def test_an_unlisted_evaluation_stops_with_a_sentence(make_project):
    project = make_project("unlisted")
    file = project.folder / "resources/boards/evaluations.csv"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if ",phi-4,1,198" not in line), encoding="utf-8")
    done = project.run("results/boards/alpha.csv", config=CONFIG)
    assert done.returncode != 0
    log = (project.folder / "results/logs/boards/alpha.log").read_text(encoding="utf-8")
    assert "board 'gpqa_diamond' has no row for the evaluation 'phi-4'; add it" in log
    assert "Traceback" not in log
