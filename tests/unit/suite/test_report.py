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
    with pytest.raises(InputError, match="5 tasks or more; 60 have"):
        report.describe(given._replace(scores=given.scores.iloc[:, :4]))
    with pytest.raises(InputError, match="; 4 have"):
        report.describe(given._replace(scores=given.scores.iloc[:4]))


def test_few_models_rank_without_a_lite_suite():
    described = report.describe(table(12))
    assert described.lite is None
    assert "25 models (there are 7)" in described.no_lite
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
            difference = expected.smallest_difference
            assert trial["smallest_difference"] == pytest.approx(difference, rel=1e-6)


def test_a_model_that_stands_twice_is_refused(tmp_path, capsys):
    table().scores.rename_axis("model").to_csv(tmp_path / "scores.csv")
    (tmp_path / "models.csv").write_text("model,released\na,2024-01-01\na,2024-02-01\n")
    words = ["suite", tmp_path / "scores.csv", "--models", tmp_path / "models.csv"]
    assert cli.main([*map(str, words), "--score-range", "0", "1", "--yes"]) == 1
    assert "'a' stands twice" in capsys.readouterr().err


def run(capsys, *words):
    code = cli.main(["suite", *map(str, words)])
    return code, capsys.readouterr()


def read_back(capsys, *words):
    code, printed = run(capsys, *words, "--json")
    assert code == 0, printed.err
    return json.loads(printed.out)["suite"]


def test_an_average_that_is_not_the_mean_of_the_tasks_does_not_matter(tmp_path, capsys):
    scores = 100 * table().scores
    path = tmp_path / "scores.csv"
    scores.assign(Average=scores.iloc[:, :5].mean(axis=1)).rename_axis("model").to_csv(path)
    suite = read_back(capsys, path)
    assert [task["task"] for task in suite["tasks"]] == sorted(scores)
    assert suite["aggregates"][0]["leader"] == scores.mean(axis=1).idxmax()


def test_tasks_of_which_less_is_better_are_turned_round(tmp_path, capsys):
    scores = 100 * table().scores
    errors = scores.assign(t0=100 - scores["t0"]).rename(columns={"t0": "t0 WER"})
    errors.rename_axis("model").to_csv(tmp_path / "mixed.csv")
    scores.rename(columns={"t0": "t0 x"}).rename_axis("model").to_csv(tmp_path / "plain.csv")
    mixed, plain = (read_back(capsys, tmp_path / f"{name}.csv") for name in ("mixed", "plain"))
    assert mixed["aggregates"] == plain["aggregates"]
    assert mixed["dimensions"] == pytest.approx(plain["dimensions"])


def test_a_row_a_task_is_read_as_a_column_a_task(tmp_path, capsys):
    scores = (100 * table().scores).round(6).rename_axis("model")
    scores.to_csv(tmp_path / "wide.csv")
    long = scores.reset_index().melt("model", var_name="task", value_name="score")
    long.to_csv(tmp_path / "long.csv", index=False)
    wide, long = (read_back(capsys, tmp_path / f"{name}.csv") for name in ("wide", "long"))
    assert wide == long


def test_tasks_that_most_models_lack_are_left_out(tmp_path, capsys):
    scores = (100 * table().scores).rename_axis("model")
    scores.iloc[:40, 9] = np.nan
    scores.iloc[0, 0] = np.nan
    scores.to_csv(tmp_path / "scores.csv")
    code, printed = run(capsys, tmp_path / "scores.csv")
    assert code == 0
    assert "59 models, 9 tasks: t0" in printed.out
    assert "tasks that most models lack: t9" in " ".join(printed.out.split())
    assert "the best 400: 1;" in " ".join(printed.out.split())


def test_several_scores_of_a_model_are_a_question(tmp_path, capsys):
    scores = (100 * table(30).scores).rename_axis("model").reset_index()
    prompts = pd.concat([scores.assign(prompt="a"), scores.assign(prompt="b", t1=1.5)])
    prompts.to_csv(tmp_path / "prompts.csv", index=False)
    code, printed = run(capsys, tmp_path / "prompts.csv")
    assert code == 1
    assert "--duplicates separate" in printed.err
    means = read_back(capsys, tmp_path / "prompts.csv", "--duplicates", "mean")
    assert means["models"] == 30


def test_the_file_of_tasks_says_which_are_used(tmp_path, capsys):
    (100 * table().scores).rename_axis("model").to_csv(tmp_path / "scores.csv")
    tasks = tmp_path / "tasks.csv"
    tasks.write_text("\n".join(["task,family", *(f"t{n},f{n % 2}" for n in range(2, 9))]))
    suite = read_back(capsys, tmp_path / "scores.csv", "--tasks", tasks)
    assert [task["task"] for task in suite["tasks"]] == [f"t{n}" for n in range(2, 9)]
    tasks.write_text("task\nt1\nnone\n")
    code, printed = run(capsys, tmp_path / "scores.csv", "--tasks", tasks)
    assert code == 1
    assert "no task 'none'" in printed.err


def test_a_file_of_other_models_is_refused(tmp_path, capsys):
    (100 * table().scores).rename_axis("model").to_csv(tmp_path / "scores.csv")
    (tmp_path / "models.csv").write_text("model,released\na,2024-01-01\n")
    code, printed = run(capsys, tmp_path / "scores.csv", "--models", tmp_path / "models.csv")
    assert code == 1
    assert "no model of the scores" in printed.err


def test_tasks_in_different_units_are_named(tmp_path, capsys):
    scores = 100 * table().scores
    scores["t3"] /= 100
    scores.rename_axis("model").to_csv(tmp_path / "scores.csv")
    code, printed = run(capsys, tmp_path / "scores.csv", "--yes")
    assert code == 1
    assert "'t3' is at most 0." in printed.err
    assert "write all in one unit" in printed.err


def test_answers_to_items_are_no_suite(tmp_path, capsys):
    rows = [f"m{model},i{item},{(model + item) % 2}" for model in range(6) for item in range(9)]
    (tmp_path / "answers.csv").write_text("\n".join(["model,item,response", *rows]))
    code, printed = run(capsys, tmp_path / "answers.csv", "--yes")
    assert code == 1
    assert "answers to items" in printed.err


def test_the_accepted_scale_is_the_declared_one(tmp_path, capsys):
    """A few scores below 0: --yes takes -1 to 1, and differences stay those of the scores."""
    scores = table(dated=False).scores
    scores.iloc[:3, 0] = -0.05
    scores.rename_axis("model").to_csv(tmp_path / "scores.csv")
    code, printed = run(capsys, tmp_path / "scores.csv")
    assert code == 1
    assert "--score-range -1 1" in printed.err
    trials = read_back(capsys, tmp_path / "scores.csv", "--yes")["lite"]["trials"]
    described = report.describe(table(dated=False)._replace(scores=scores), seed=SEED)
    for trial, expected in zip(trials, described.lite.trials, strict=True):
        difference = expected.smallest_difference
        assert trial["smallest_difference"] == pytest.approx(difference, rel=1e-6)


def test_models_beyond_the_most_are_said_to_be_left_out(monkeypatch):
    monkeypatch.setattr(report, "MOST_MODELS", 20)
    lines = dict(report.text(report.describe(table())))
    assert lines["left out"].startswith("models that lack a task or are not among the best 20: 40;")


def test_the_best_of_several_error_rates_is_the_lowest(tmp_path, capsys):
    scores = (100 * table(30).scores).add_suffix(" WER").rename_axis("model").reset_index()
    worse = scores.set_index("model").add(1).reset_index()
    pd.concat([scores, worse]).to_csv(tmp_path / "twice.csv", index=False)
    scores.to_csv(tmp_path / "once.csv", index=False)
    once = read_back(capsys, tmp_path / "once.csv")
    assert read_back(capsys, tmp_path / "twice.csv", "--duplicates", "best") == once


@pytest.mark.parametrize("families", ["one", "several"])
@pytest.mark.parametrize("tied", ["task", "all"])
def test_ties_and_a_single_family_are_described(families, tied):
    given = table(50, dated=False)
    scores = given.scores.copy()
    scores.iloc[:, slice(3, 4) if tied == "task" else slice(None)] = 1.0
    given = given._replace(scores=scores)
    if families == "one":
        given = given._replace(model_families=pd.Series("lab", scores.index))
    described = report.describe(given)
    assert described.tasks[3].predicted == 1
    assert sum(described.first_by_weights.values()) == pytest.approx(1)
    if tied == "all":
        assert list(described.first_by_weights.values()) == pytest.approx([1 / 50] * 50)
        assert len(described.aggregates[0].possibly_best_by_tasks) == 50
        assert "dimensions" not in dict(report.text(described))
    else:
        assert described.lite.models_later == 20
