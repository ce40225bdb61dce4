from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation.discriminability import leaderboards, names, schemas, study
from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import write_csv

ROOT = Path(__file__).parents[3]
CONFIG = yaml.safe_load((ROOT / "config/config.yaml").read_text())["discriminability"]


def summary(months=7, rows=60):
    """Two benchmarks over some months, one of them filling up; families come back."""
    rng = np.random.default_rng(1)
    frame = pd.concat(
        pd.DataFrame(
            {"model": [f"m{month}-{i}" for i in range(rows)], "date": f"2024-{month + 1:02d}-15",
             "family": [f"f{i % 20}" for i in range(rows)],
             "easy": rng.beta(4 + 2 * month, 2, rows), "hard": rng.beta(2, 4, rows)}
        )
        for month in range(months)
    )  # fmt: skip
    kept, _ = leaderboards.usable(frame, "wide", (0, 1), "stop", "own.csv")
    return leaderboards.summarise(kept, leaderboards.OWN)


BENCHMARKS = pd.DataFrame(
    {"benchmark": ["easy", "hard"], "kind": ["knowledge", "reasoning"], "n_test": [1000, np.nan]}
)
SETTINGS = study.Settings.of(CONFIG | {"resamples": 50, "min_last_models": 60}, seed=2)


@pytest.fixture(scope="module")
def results():
    return study.study(summary(), BENCHMARKS, SETTINGS)


@pytest.fixture(scope="module")
def tables(results):
    return vars(results)


def test_the_settings_are_those_of_the_config():
    settings = study.Settings.of(CONFIG, seed=5)
    assert settings.resampling.seed == 5
    assert (settings.resampling.bins, settings.resampling.resamples) == (20, 1000)
    assert (settings.inputs.window, settings.inputs.min_models) == ("month", 10)
    assert settings.demands.min_reached == 0.9
    assert settings.retirement.bdi_decline == 0.15
    assert (settings.k, settings.alpha, settings.min_last_models) == (5, 0.5, 100)


def test_the_study_gives_every_table(results):
    assert {*names.TABLES} == {*vars(results), "author"} - {"windows", "status"}
    assert set(results.windows) == set(names.WINDOWS)
    assert [*results.status] == ["table_1"]


@pytest.mark.parametrize("name", schemas.RESULTS)
def test_what_others_read_can_be_written_and_read_by_its_schema(tables, name, tmp_path):
    write_csv(tables[name], tmp_path / "table.csv")
    read = stages.read(tmp_path / "table.csv", schemas.RESULTS[name])
    assert len(read) == len(tables[name])
    assert [*read.columns] == [*tables[name].columns]


def test_the_tables_tell_the_same_story(tables, results):
    monthly = tables["monthly"].set_index(["benchmark", "month"])
    values = tables["quantities"].set_index("quantity")["value"]
    assert values["own_easy_bdi_first"] == pytest.approx(monthly.loc[("easy", "2024-01"), "bdi"])
    assert values["benchmarks"] == 2
    status = results.status["table_1"].set_index("benchmark")
    assert status.loc["hard", "max_score"] == pytest.approx(monthly.loc["hard", "max_score"].max())
    assert tables["population"].query("unit == 'family'")["members"].min() == 20
    index = tables["index_over_time"].set_index("benchmark")
    assert index.loc["hard", "s_index"].isna().all()
    assert index.loc["easy", "s_index"].notna().all()
    by_bins = tables["bin_choice"].set_index(["bins", "benchmark", "month"])["bdi"]
    assert by_bins[20, "easy", "2024-03"] == monthly.loc[("easy", "2024-03"), "bdi"]


def test_rows_left_out_before_are_listed_with_the_windows_left_out():
    dropped = pd.DataFrame([{"leaderboard": "own", "benchmark": "easy", "row": 3, "reason": "bad"}])
    settings = study.Settings.of(CONFIG | {"resamples": 10}, seed=2)
    tables = study.study(summary(months=2, rows=20), BENCHMARKS, settings, dropped)
    assert tables.dropped["row"].tolist() == [3]


def test_a_study_of_a_single_window_has_no_changes():
    settings = study.Settings.of(CONFIG | {"resamples": 10}, seed=2)
    tables = study.study(summary(months=1), BENCHMARKS, settings)
    assert tables.changes.empty
    assert tables.population.empty
    assert tables.growth.query("reading == 'honest'")["abstains"].tolist() == [True, True]


def test_an_embedded_table_is_compared_as_text(tmp_path):
    path = tmp_path / "moments.csv"
    path.write_text("leaderboard,benchmark,month,n_models,mean,sd\nv,a,2024-01,10,0.50,\n")
    table = stages.read(path, schemas.as_text(schemas.MOMENTS), dtype=str)
    assert table["mean"].tolist() == ["0.50"]
    assert table["sd"].isna().all()


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("bin", 300, "value 300 is not allowed; expected number of the bin, 0 to 299"),
        ("bin", -1, "0 to 299"),
        ("count", 0, "whole number >= 1"),
        ("month", "2024-13", "a month, YYYY-MM"),
        ("leaderboard", None, "the value is missing"),
    ],
)
def test_a_summary_against_its_schema_is_refused(tmp_path, column, value, message):
    table = summary(months=1)["bins"].astype(object)
    table.loc[4, column] = value
    write_csv(table, tmp_path / "bins.csv")
    with pytest.raises(InputError, match=message):
        stages.read(tmp_path / "bins.csv", schemas.SUMMARY["bins"])


def test_the_summary_has_the_tables_that_the_rules_name():
    assert tuple(schemas.SUMMARY) == names.SUMMARY == tuple(summary(months=1))


@pytest.mark.parametrize(
    "score",
    [lambda i: 50.0, lambda i: 50.0 + 10 * (i % 2), lambda i: 100.0 * (i % 2)],
    ids=["constant", "ties", "0 and 1"],
)
def test_scores_without_spread_give_values_or_reasons(score):
    frame = pd.DataFrame(
        [(f"m{month}-{i}", "b", f"2024-0{month}-01", score(i)) for month in (1, 2, 3)
         for i in range(80)],
        columns=["model", "benchmark", "date", "score"],
    )  # fmt: skip
    kept, _ = leaderboards.screen(leaderboards.numbered(frame, "x"), (0, 100), "x")
    made = study.study(
        leaderboards.summarise(kept, "own"),
        pd.DataFrame({"benchmark": ["b"], "kind": ["other"], "n_test": [np.nan]}),
        SETTINGS,
    )
    assert made.monthly["bdi_submitters_lower"].isna().all()
    assert made.changes["p_value"].isna().all()
    assert made.changes["significant"].isna().all()
    assert (made.changes["reason"] != "").all()
