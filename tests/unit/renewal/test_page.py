"""The items' table on made answers, and the command on files."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import expit

from saturation.cli import main
from saturation.renewal import items
from saturation.renewal.linking import versions

MODELS = [f"{'abcdef'[m % 6]}-m{m}" for m in range(24)]


@pytest.fixture(scope="module")
def answers():
    """Two versions: a new one that is harder; the second model leans on old items."""
    rng = np.random.default_rng(0)
    ability = stats.norm.ppf((np.arange(24) + 0.5) / 24)
    tables = []
    for name, shift in (("o", 0.0), ("n", 1.0)):
        chance = expit(1.3 * (ability - rng.normal(shift, 1, (150, 1))))
        if name == "o":
            chance[:, 10] = expit(1.3 * (2.0 - rng.normal(shift, 1, 150)))
        right = (rng.random(chance.shape) < chance).astype(float)
        tables.append(pd.DataFrame(right, [f"{name}{i}" for i in range(150)], MODELS))
    old, new = tables
    new.iloc[0], new.iloc[1] = 0.0, 1.0
    new.iloc[2:6] = (ability < 0).astype(float)
    return old, new


def test_each_item_has_its_advice(answers):
    judged = items.judge_items(versions(*answers))
    found = judged.table.set_index("item")
    assert found.loc[["n0", "n1"], "advice"].to_list() == [items.NONE, items.ALL]
    # Less than 55 % of the answers are right, where a review states nothing.
    assert "40 % of the answers are right" in judged.abstains
    assert found["wrong_key"].isna().all()
    assert not found["advice"].eq(items.CHECK).any()
    others = found.drop([f"n{i}" for i in range(6)])
    anchors = others[others["advice"] == items.ANCHOR]
    assert anchors["discrimination"].min() >= found["discrimination"].median()
    assert others.groupby("version")["difficulty"].mean().diff()["old"] < -0.5


def easy_versions():
    """Two versions of 150 items that most models solve; three items with another key."""
    rng = np.random.default_rng(3)
    ability = np.linspace(0.5, 3, 24)
    chance = expit(ability - rng.normal(-1, 0.7, (300, 1)))
    right = (rng.random(chance.shape) < chance).astype(float)
    right[:3] = 1 - right[:3]
    table = pd.DataFrame(right, [f"q{i}" for i in range(300)], MODELS)
    return table.iloc[:150], table.iloc[150:]


def test_labels_to_check_are_the_first_of_the_review():
    given = versions(*easy_versions())
    choices = pd.DataFrame(
        [(model, item, "B" if right else "C" if item in ("q0", "q1", "q2") else model[-1])
         for table in easy_versions() for model in MODELS for item, right in table[model].items()],
        columns=["model", "item", "choice"],
    )  # fmt: skip
    for options in (None, choices):
        review = items.review_versions(given, options)
        judged = items.judge_items(given, choices=options).table.set_index("item")
        expected = review.next_wrong.expected + review.remaining_wrong.expected
        check = judged.index[judged["advice"] == items.CHECK]
        first = {suspect.item: suspect.probability for suspect in review.suspects[: len(check)]}
        assert set(check) == set(first)
        assert round(expected) <= len(check) < 2 * expected
        assert {"q0", "q1", "q2"} <= set(first)
        assert judged.loc["q0", "wrong_key"] == first["q0"]
    assert review.evidence == "options"
    # Ties go in together.
    tied = replace(review, suspects=[replace(s, probability=0.5) for s in review.suspects])
    assert len(items.list_doubts(tied)) == 300
    assert items.list_doubts(replace(review, next_wrong=None)) == []


def test_the_command_reviews_by_options_where_files_keep_them(tmp_path, capsys):
    rows = []
    for place, table in enumerate(easy_versions()):
        long = table.rename_axis("item").melt(ignore_index=False, var_name="model").reset_index()
        long["choice"] = np.where(long["value"] == 1, "B", "C")
        path = tmp_path / f"{place}.csv"
        long.rename(columns={"value": "response"}).to_csv(path, index=False)
        rows.append(path)
    listed = json.loads(said(capsys, *rows, "--json")[1])["items"]
    given = versions(*easy_versions())
    choices = pd.concat([pd.read_csv(path) for path in rows])[["model", "item", "choice"]]
    by_options, alone = (
        {suspect.item: suspect.probability for suspect in review.suspects}
        for review in (items.review_versions(given, choices), items.review_versions(given))
    )
    doubts = {row["item"]: row["wrong_key"] for row in listed}
    assert doubts == pytest.approx(by_options)
    assert doubts != pytest.approx(alone)


def test_the_items_that_separate_two_models_are_those_of_the_formula(answers):
    found = items.judge_items(versions(*answers))
    row = found.needed.set_index("rival").loc[5]
    assert row["gap"] == np.ptp(np.sort(found.fitted.ability)[-5:])
    slope = np.median(found.fitted.discrimination)
    apart = 2 * expit(slope * row["gap"] / 2) - 1
    variance = (1 - apart**2) / 2
    reach = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert row["at_best"] == np.ceil(variance * (reach / apart) ** 2)
    assert row["like_new"] > row["at_best"]
    assert found.bands[["old", "new"]].sum().to_list() == [150, 150]
    # With the best score that is forecast, the same gap between abler models.
    later = items.judge_items(versions(*answers), best=0.9).needed.set_index("rival").loc[5]
    new = versions(*answers).in_new
    best = later["difficulty"] + later["gap"] / 2
    fitted = found.fitted
    expected = expit(fitted.discrimination[new] * (best - fitted.difficulty[new])).mean()
    assert expected == pytest.approx(0.9, abs=1e-6)
    assert later["at_best"] == row["at_best"]
    assert later["gap"] == pytest.approx(row["gap"])
    assert later["like_new"] > row["like_new"]
    assert later["chance_now"] < 0.5 < row["chance_now"] + 0.1
    below = items.judge_items(versions(*answers), best=0.1).needed
    pd.testing.assert_frame_equal(below, found.needed)


def test_an_anchor_that_grew_easier_for_later_models_is_found():
    rng = np.random.default_rng(1)
    ability, difficulty = rng.normal(0, 1, (80, 1)), rng.normal(0, 1, 60)
    logits = 1.5 * (ability - difficulty)
    logits[40:, 7] += 3
    right = pd.DataFrame((rng.random(logits.shape) < expit(logits)).astype(float)).T
    old, new = right.iloc[:40, :40], right.iloc[:, 40:]
    given = versions(old, new)
    # What the later models have of the old version does not make them its models.
    found = items.judge_items(given).table
    drifted = found.loc[found["advice"] == items.DRIFTED, "item"].to_list()
    assert drifted == ["7"]


def test_the_parts_of_a_rise_add_up(answers):
    given = versions(*answers)
    found = items.judge_items(given)
    parts = items.rise(given, found, MODELS[5], MODELS[20])
    change = answers[1][MODELS[20]].mean() - answers[0][MODELS[5]].mean()
    assert parts.pop("change") == pytest.approx(change)
    assert sum(parts.values()) == pytest.approx(change)
    assert parts["items"] < -0.1 < 0.3 < parts["ability"]


def said(capsys, *words):
    code = main(["renew", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def write(table, path):
    table.rename_axis("item").melt(
        ignore_index=False, var_name="model", value_name="response"
    ).dropna().to_csv(path)
    return path


def test_the_command_tells_what_a_renewal_did(answers, tmp_path, capsys):
    old, new = (write(table, tmp_path / f"{n}.csv") for n, table in enumerate(answers))
    code, out, _ = said(capsys, old, new, "--json")
    found = json.loads(out)
    assert code == 0
    assert [row["model"] for row in found["drift"] if row["drifts"]] == [MODELS[10]]
    scores = pd.DataFrame(found["scores"]).set_index("model")
    inside = (scores["observed"] >= scores["lower"]) & (scores["observed"] <= scores["upper"])
    assert inside.mean() >= 0.85
    assert not inside[MODELS[10]]
    assert found["renewal"]["factor"] > 1
    assert len(found["items"]) == 300
    _, page, _ = said(capsys, old, new)
    assert MODELS[10] in page
    assert "contaminat" not in page


def test_what_cannot_be_said_has_its_reason(answers, tmp_path, capsys):
    old, new = answers
    first = write(old.iloc[:, :12], tmp_path / "old.csv")
    folder = tmp_path / "new"
    folder.mkdir()
    write(new.iloc[:, 12:18], folder / "a.csv")
    write(new.iloc[:, 18:], folder / "b.csv")
    found = json.loads(said(capsys, first, folder, "--json")[1])
    assert found["method"] is None
    assert "0 models answered both versions" in found["reasons"][0]
    assert "items" not in found
    assert "needed" not in found
    assert any(reason.startswith("items are not judged: 0 models") for reason in found["reasons"])
    labs = tmp_path / "labs.csv"
    pd.DataFrame({"model": MODELS, "lab": "one"}).to_csv(labs, index=False)
    both = write(old, tmp_path / "both.csv"), write(new, tmp_path / "later.csv")
    found = json.loads(said(capsys, *both, "--models", labs, "--json")[1])
    assert "of one lab ('one')" in found["reasons"][0]
    assert all(row["linked"] is None for row in found["scores"])
    few = write(old.iloc[:9], tmp_path / "few.csv"), both[1]
    found = json.loads(said(capsys, *few, "--json")[1])
    assert "9 old and 150 new items" in found["reasons"][0]
    every = pd.concat(answers)
    halves = (
        write(every.iloc[:200, :12], tmp_path / "half.csv"),
        write(every.iloc[100:, 12:], tmp_path / "other.csv"),
    )
    assert "not tried on models left out" in said(capsys, *halves)[1]
    renamed = write(old.rename(index="v2-{}".format), tmp_path / "renamed.csv")
    found = json.loads(said(capsys, both[0], renamed, "--json")[1])
    assert "reordered or renamed" in found["reasons"][0]


def test_bad_answers_and_tables_are_named(answers, tmp_path, capsys):
    good = write(answers[0], tmp_path / "old.csv")
    bad = write(answers[1] * 100, tmp_path / "percent.csv")
    code, _, err = said(capsys, good, bad)
    assert code == 1
    assert f"{bad}, row " in err
    labs = tmp_path / "labs.csv"
    labs.write_text("model,family\na,b\n")
    code, _, err = said(capsys, good, good, "--models", labs)
    assert (code, f"{labs}: no column 'lab'" in err) == (1, True)
