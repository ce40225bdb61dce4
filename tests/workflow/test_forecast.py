"""Forecasts through the real DAG: what a run keeps, and what bad input stops with."""

from pathlib import Path

import pandas as pd
import pytest
import yaml

from saturation.files import stages
from saturation.files.tables import load_table, write_csv
from studies.discriminability.schemas import RESULTS, TOP
from studies.forecast import names, study
from studies.forecast.schemas import ARCHIVE

ROOT = Path(__file__).parents[2]
FOLDER = "results/forecast"
SETTINGS = {
    "forecast": {
        "first_origin": "2024-01-01",
        "last_origin": "2025-01-01",
        "origin_months": 12,
    }
}

INPUTS = {
    "boards": ("resources/discriminability/top_monthly.csv", TOP),
    "kept": ("resources/forecast/archive.csv", ARCHIVE),
    "monthly": ("results/discriminability/monthly.csv", RESULTS["monthly"]),
    "index": ("results/discriminability/index_over_time.csv", RESULTS["index_over_time"]),
}


@pytest.fixture(scope="module")
def finished(make_project):
    """One run with two origins."""
    project = make_project("forecast")
    project.finish(f"{FOLDER}/archive.csv", config=SETTINGS)
    return project


def table(project, name):
    return pd.read_csv(project.folder / FOLDER / f"{name}.csv")


def test_the_study_in_a_notebook_gives_the_bytes_of_the_workflow(finished, tmp_path):
    given = {
        name: stages.read(finished.folder / path, schema) for name, (path, schema) in INPUTS.items()
    }
    for name in ("series", "scores"):
        given[name] = load_table(finished.folder / f"resources/forecast/{name}.csv")
    config = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    settings = study.Settings(**(config["forecast"] | SETTINGS["forecast"]))
    tables = study.study(given, settings)
    assert set(tables) == set(names.TABLES)
    for name, made in tables.items():
        write_csv(made, tmp_path / "table.csv")
        written = finished.folder / FOLDER / f"{name}.csv"
        assert (tmp_path / "table.csv").read_bytes() == written.read_bytes(), name


def test_a_run_keeps_its_forecasts_and_scores_those_kept_before(finished):
    assert set(table(finished, "archive")["month"]) == {12}
    assert set(table(finished, "archive_scored")["state"]) == {"not due yet"}


def test_past_forecasts_are_of_the_chosen_origins(finished):
    assert set(table(finished, "backtest")["origin"]) == {"2024-01-01", "2025-01-01"}


def test_rises_of_cards_are_those_of_the_study(finished):
    kept = pd.read_csv(ROOT / "resources/forecast/rises.csv")
    pd.testing.assert_frame_equal(table(finished, "rises"), kept)


def test_a_date_that_is_none_stops_with_its_row(finished):
    scores = finished.folder / "resources/forecast/scores.csv"
    good = scores.read_text(encoding="utf-8")
    head, first, rest = good.split("\n", 2)
    series, _, *others = first.split(",")
    scores.write_text("\n".join([head, ",".join([series, "2024-02-30", *others]), rest]))
    assert finished.run(f"{FOLDER}/series.csv", config=SETTINGS).returncode != 0
    scores.write_text(good)
    log = (finished.folder / "results/logs/forecast/study.log").read_text(encoding="utf-8")
    assert "row 2, column 'date': '2024-02-30' is no date; write YYYY-MM-DD" in log
