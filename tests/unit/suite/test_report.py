"""What is said of a suite."""

import json

import numpy as np
import pandas as pd
import pytest

from saturation import cli
from saturation.commands.base import default_config
from saturation.errors import InputError
from saturation.suite import report

SEED = default_config()["seed"]


def table(models=60, dated=True):
    """Draw a suite of ten tasks in two families, abler models later."""
    rng = np.random.default_rng(7)
    names = [f"lab{number % 12}/m{number}" for number in range(models)]
    tasks = [f"t{number}" for number in range(10)]
    ability = np.linspace(0.3, 0.7, models)[:, None]
    scores = pd.DataFrame(ability + rng.normal(0, 0.03, (models, 10)), names, tasks)
    dates = pd.Series(pd.date_range("2024-01-01", periods=models, freq="W"), names)
    return report.Table(
        scores,
        pd.Series(["even", "odd"] * 5, tasks),
        pd.Series([name.split("/")[0] for name in names], names),
        dates.astype(str) if dated else pd.Series(dtype=str),
    )


@pytest.fixture(scope="module")
def suite():
    return report.describe(table())


def test_models_without_a_task_are_named_and_not_ranked(suite):
    given = table()
    given.scores.iloc[3, 4] = np.nan
    described = report.describe(given)
    assert described.without_all_tasks == ["lab3/m3"]
    assert described.models == suite.models - 1


def test_the_later_models_are_those_from_the_date_on():
    described = report.describe(table(), before="2024-10-01")
    assert described.lite.models_later == 60 - 39
    assert "2024-10-01" in described.lite.later


def test_without_dates_families_are_held_out():
    described = report.describe(table(dated=False))
    assert described.lite.models_later == 24
    assert "held out" in described.lite.later


def test_the_fewest_tasks_keep_the_pairs_from_there_on(suite):
    kept = [trial.kept for trial in suite.lite.results()]
    fewest = suite.lite.fewest().tasks
    assert min(kept[fewest - 1 :]) >= report.KEPT
    assert fewest == 1 or kept[fewest - 2] < report.KEPT


def test_order_of_rows_and_columns_changes_nothing(suite):
    given = table()
    scores = given.scores.sample(frac=1, random_state=1).sample(frac=1, axis=1, random_state=1)
    assert report.describe(given._replace(scores=scores)) == suite


def test_few_tasks_or_models_are_refused():
    given = table()
    with pytest.raises(InputError, match="4 tasks"):
        report.describe(given._replace(scores=given.scores.iloc[:, :4]))
    with pytest.raises(InputError, match="4 models"):
        report.describe(given._replace(scores=given.scores.iloc[:4]))


def test_few_models_rank_without_a_lite_suite():
    described = report.describe(table(12))
    assert described.lite is None
    assert "12" in described.no_lite or "fewer" in described.no_lite
    assert dict(report.text(described))["lite suite"] == described.no_lite


def test_the_command_reads_families_and_dates(tmp_path, capsys):
    given = table()
    given.scores.rename_axis("model").to_csv(tmp_path / "scores.csv")
    pd.DataFrame({"model": given.dates.index, "released": given.dates}).to_csv(
        tmp_path / "models.csv", index=False
    )
    pd.DataFrame({"task": given.task_families.index, "family": given.task_families}).to_csv(
        tmp_path / "tasks.csv", index=False
    )
    words = ["suite", tmp_path / "scores.csv", "--models", tmp_path / "models.csv"]
    words += ["--tasks", tmp_path / "tasks.csv", "--score-range", "0", "1", "--yes", "--json"]
    assert cli.main(list(map(str, words))) == 0
    printed = json.loads(capsys.readouterr().out)["suite"]
    expected = report.describe(given)
    assert printed["families"] == 2
    assert printed["dimensions"] == pytest.approx(expected.dimensions)
    assert printed["lite"]["models_later"] == expected.lite.models_later


def test_the_command_prints_what_the_study_computes(tmp_path, capsys):
    """Differences are shares of the upper end of the range, also where it begins below 0."""
    given = table(dated=False)
    given.scores.rename_axis("model").to_csv(tmp_path / "scores.csv")
    described = report.describe(given, seed=SEED)
    for low in ("-1", "0"):
        options = f"--score-range {low} 1 --yes --json"
        assert cli.main(["suite", str(tmp_path / "scores.csv"), *options.split()]) == 0
        lite = json.loads(capsys.readouterr().out)["suite"]["lite"]
        for trial, expected in zip(lite["trials"], described.lite.trials, strict=True):
            difference = expected.result.smallest_difference
            assert trial["result"][1] == pytest.approx(difference, rel=1e-6)


def test_a_model_that_stands_twice_is_refused(tmp_path, capsys):
    table().scores.rename_axis("model").to_csv(tmp_path / "scores.csv")
    (tmp_path / "models.csv").write_text("model,released\na,2024-01-01\na,2024-02-01\n")
    words = ["suite", tmp_path / "scores.csv", "--models", tmp_path / "models.csv"]
    assert cli.main([*map(str, words), "--score-range", "0", "1", "--yes"]) == 1
    assert "'a' stands twice" in capsys.readouterr().err
