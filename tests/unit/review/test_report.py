"""What is said of a benchmark's items."""

import json

import numpy as np
import pandas as pd
import pytest

from saturation import cli
from saturation.review import report
from saturation.review.evidence import OPTIONS, RIGHT_ALONE


@pytest.fixture(scope="module")
def answers():
    """Six models answer 120 items; on the first five items all choose C where the key says A."""
    rng = np.random.default_rng(2)
    ability = np.linspace(0.6, 0.9, 6)
    letters = np.where(rng.random((120, 6)) < ability, "A", rng.choice(list("BCD"), (120, 6)))
    letters[:5] = "C"
    table = pd.DataFrame(letters, columns=[f"m{number}" for number in range(6)])
    long = (
        table.rename_axis("item").reset_index().melt("item", var_name="model", value_name="choice")
    )
    return long.assign(item="i" + long["item"].astype(str), response=(long["choice"] == "A") * 1)


def test_planted_items_are_listed_first(answers):
    found = report.review(answers)
    assert found.evidence == OPTIONS
    assert {suspect.item for suspect in found.suspects[:5]} == {f"i{n}" for n in range(5)}
    chances = [suspect.probability for suspect in found.suspects]
    assert found.next_wrong.expected == pytest.approx(sum(chances[:50]))
    assert found.remaining_wrong.expected == pytest.approx(sum(chances[50:]))


def test_intervals_come_with_how_often_they_held(answers):
    table = pd.read_csv("resources/review/weights.csv")
    row = table[(table["evidence"] == OPTIONS) & (table["models"] == 5)].iloc[0]
    alone = report.review(answers)
    assert alone.held == (row["covered_subject"],) * 2
    share = f"{100 * row['covered_subject']:.0f} %"
    assert (
        f"held in {share} of the trials for the first items, in {share} for"
        in dict(report.text(alone))["trials"]
    )
    subjects = pd.Series(1, answers["item"].unique())
    several = report.review(answers, subjects)
    assert several.held == (row["covered_next"], row["covered_rest"])
    assert (
        f"{100 * row['covered_rest']:.0f} % for the others" in dict(report.text(several))["trials"]
    )


def test_the_best_score_without_the_first_items_is_recomputed(answers):
    found = report.review(answers)
    listed = {suspect.item for suspect in found.suspects[:50]}
    rest = answers[~answers["item"].isin(listed)].groupby("model")["response"].mean()
    assert found.best_without == pytest.approx(rest.max())
    assert found.best == pytest.approx(answers.groupby("model")["response"].mean().max())


def test_hard_items_are_ordered_without_a_yield(answers):
    """Four of ten answers right: below every subject from which the rates were learned."""
    hard = answers.assign(response=0)
    right = hard["item"].isin([f"i{n}" for n in range(48)])
    found = report.review(hard.assign(response=right * 1, choice="B"))
    assert found.next_wrong is None
    assert "40 %" in found.abstains
    assert not {suspect.item for suspect in found.suspects[:50]} & {f"i{n}" for n in range(48)}


def test_subjects_narrow_the_interval(answers):
    items = answers["item"].unique()
    subjects = pd.Series(np.arange(len(items)) % 6, items)
    alone, several = report.review(answers), report.review(answers, subjects)
    width = [
        found.remaining_wrong.upper - found.remaining_wrong.lower for found in (alone, several)
    ]
    assert width[1] < width[0]


def test_weights_are_those_of_at_most_so_many_models():
    def slopes(kind, models):
        return report.parse_weights(report.select_weights(kind, models)).slopes

    assert len(slopes(OPTIONS, 6)) == 5
    assert len(slopes(RIGHT_ALONE, 6)) == 4
    np.testing.assert_array_equal(slopes(OPTIONS, 5), slopes(OPTIONS, 7))
    assert not np.array_equal(slopes(OPTIONS, 5), slopes(OPTIONS, 8))


def test_the_command_writes_the_whole_list(answers, tmp_path, capsys):
    answers.to_csv(tmp_path / "answers.csv", index=False)
    words = [
        "review",
        tmp_path / "answers.csv",
        "--output",
        tmp_path / "list.csv",
        "--yes",
        "--json",
    ]
    assert cli.main(list(map(str, words))) == 0
    printed = json.loads(capsys.readouterr().out)["review"]
    expected = report.review(answers)
    assert printed["suspects"][0]["item"] == expected.suspects[0].item
    assert printed["evidence"] == OPTIONS
    assert len(pd.read_csv(tmp_path / "list.csv")) == 120


def test_items_without_a_subject_are_one_subject(answers):
    subjects = pd.Series(["a"] * 60, answers["item"].unique()[:60])
    both = pd.Series(["a"] * 60 + ["b"] * 60, answers["item"].unique())
    assert report.review(answers, subjects) == report.review(answers, both)


def run(capsys, *words):
    code = cli.main(["review", *map(str, words)])
    return code, capsys.readouterr()


def test_logs_of_a_model_each_are_named_by_their_files(answers, tmp_path, capsys):
    log = answers.rename(columns={"item": "question_id", "choice": "predicted"})
    log = log.assign(is_correct=log.pop("response") == 1)
    for model, rows in log.groupby("model"):
        rows.drop(columns="model").to_json(tmp_path / f"{model}.json", orient="records")
    code, printed = run(capsys, *sorted(tmp_path.iterdir()))
    assert code == 1
    assert "--model, 'file'" in printed.err
    code, printed = run(capsys, *sorted(tmp_path.iterdir()), "--model", "file", "--json", "--yes")
    review = json.loads(printed.out)["review"]
    assert (review["models"], review["evidence"]) == (6, OPTIONS)


def test_rows_of_items_are_not_taken_for_models(answers, tmp_path, capsys):
    matrix = answers.pivot_table("response", "item", "model")
    matrix.astype(int).rename_axis("Item").to_csv(tmp_path / "matrix.csv")
    code, printed = run(capsys, tmp_path / "matrix.csv", "--yes")
    assert code == 0
    assert "6 models, 120 items" in printed.out


def test_right_or_wrong_goes_before_points(answers, tmp_path, capsys):
    log = answers.rename(columns={"item": "question_number"})
    points = log.index % 3 + 1
    log = log.assign(is_correct=log["response"] == 1, score=log.pop("response") * points)
    for model, rows in log.groupby("model"):
        rows.to_csv(tmp_path / f"{model}.csv", index=False)
    code, printed = run(capsys, *sorted(tmp_path.iterdir()), "--yes")
    assert code == 0, printed.err
    assert "6 models, 120 items" in printed.out


def test_scores_are_refused_without_an_option_that_review_lacks(tmp_path, capsys):
    rows = [f"m{number},{60 + number}.5,{70 - number}.5" for number in range(6)]
    (tmp_path / "scores.csv").write_text("\n".join(["model,MMLU,GSM8K", *rows]))
    code, printed = run(capsys, tmp_path / "scores.csv")
    assert code == 1
    assert "needs answers of several models" in printed.err
    assert "--each-task" not in printed.err
