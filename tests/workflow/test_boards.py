"""The boards through the real DAG: its tables are those of the one call, and what stops it."""

import pytest

from saturation.files import formats, stages
from saturation.files.tables import load_table, write_csv
from studies.boards.names import TABLES
from studies.boards.ranked import Settings, all_ranked
from studies.boards.study import study
from studies.plateau.schemas import INDEX

FEW = {"splits": 2, "draws": 100}
CONFIG = {"boards": FEW}
SOME = ("gpqa_diamond", "swebench_epoch", "frontiermath_public", "gmat")


@pytest.fixture(scope="module")
def finished(make_project):
    """The study, run once on two cores with few draws."""
    project = make_project("boards")
    project.finish("boards", config=CONFIG)
    return project


def test_a_study_of_some_boards_in_a_notebook_gives_their_rows_of_the_workflow(finished, tmp_path):
    folder = finished.folder
    evaluations = load_table(folder / "resources/boards/evaluations.csv")
    responses = {
        name: formats.read(folder / f"resources/boards/responses/{name}.parquet") for name in SOME
    }
    boards = all_ranked(responses, evaluations, 0.8)
    index = stages.read(folder / "results/plateau/index.csv", INDEX)
    tables = study(boards, index, Settings(**FEW))
    assert sorted(tables) == sorted(TABLES)
    for name, table in tables.items():
        write_csv(table, tmp_path / "table.csv")
        header, *lines = (tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()
        written = (folder / f"results/boards/{name}.csv").read_text(encoding="utf-8").splitlines()
        assert header == written[0], name
        if header.startswith("board,"):
            assert lines == [line for line in written if line.split(",")[0] in SOME], name


def test_the_study_is_part_of_the_default_run_and_follows_its_config(finished):
    assert "boards_study" not in finished.run("--dry-run", "boards", config=CONFIG).stdout
    other = {"boards": FEW | {"least_coverage": 0.5}}
    assert "rule boards_study" in finished.run("--dry-run", config=other).stdout


def test_an_unlisted_evaluation_stops_with_a_sentence(finished):
    file = finished.folder / "resources/boards/evaluations.csv"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(line for line in lines if ",phi-4,1,198" not in line), encoding="utf-8")
    done = finished.run("results/boards/alpha.csv", config=CONFIG)
    assert done.returncode != 0
    log = (finished.folder / "results/logs/boards/study.log").read_text(encoding="utf-8")
    assert "board 'gpqa_diamond' has no row for the evaluation 'phi-4'; add it" in log
    assert "Traceback" not in log
