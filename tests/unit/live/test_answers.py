"""Answers and banks out of files, in the importers' formats."""

import argparse
import json

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.leaderboard.read.rows import Choice
from saturation.live.evaluators import answers, bank, choice_of

NOTHING = Choice()


def test_answers_of_a_table_and_of_a_log_by_model_and_item(tmp_path):
    (tmp_path / "t.csv").write_text("model,item,response\na,q1,1\na,q2,0\nb,q1,1\n")
    assert answers([tmp_path / "t.csv"], None, NOTHING) == {
        "a": {"q1": 1, "q2": 0},
        "b": {"q1": 1},
    }
    line = {"doc_id": 3, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": 1.0}
    (tmp_path / "s.jsonl").write_text(json.dumps(line) + "\n")
    found = answers([tmp_path / "s.jsonl"], "mine", Choice(task="t"))
    assert list(found) == ["mine"]
    assert list(found["mine"].values()) == [1]


@pytest.mark.parametrize("given", [None, [("model", "A"), ("item", "B"), ("response", "C")]])
def test_columns_of_one_s_own_are_chosen_like_task_metric_and_filter(tmp_path, given):
    options = argparse.Namespace(task=None, metric=None, filter=None, columns=given)
    head = "A,B,C" if given else "model,item,response"
    (tmp_path / "t.csv").write_text(f"{head}\na,q1,1\n")
    assert answers([tmp_path / "t.csv"], None, choice_of(options)) == {"a": {"q1": 1}}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("model,item,response\na,q1,0.5\n", "t.csv, row 2: item 'q1' has the answer '0.5'; exp"),
     ("model,item,response\na,q1,1\na,q1,1\n", "row 3: item 'q1' of model 'a' stands a second"),
     ("model,score,n_items\na,0.5,10\n", "no answers to single items")],
)  # fmt: skip
def test_what_is_no_answer_is_named(tmp_path, content, sentence):
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(InputError, match=sentence):
        answers([tmp_path / "t.csv"], None, NOTHING)


def wide(tmp_path, rows=6):
    table = pd.DataFrame({"model": [f"m{row}" for row in range(rows)], "q1": 1, "q2": 0, "q3": 1})
    table.loc[0, "q3"] = None
    table.to_csv(tmp_path / "bank.csv", index=False)
    return [str(tmp_path / "bank.csv")]


def test_a_bank_of_files_has_gaps_and_each_model_is_its_own_family(tmp_path):
    name, given, families = bank(wide(tmp_path), None, NOTHING)
    assert (name, given.items, families) == ("bank", ["q1", "q2", "q3"], given.respondents)
    assert given.responses[0].tolist() == [1, 0, -1]
    people = pd.DataFrame(
        {"respondent": given.respondents, "model": "m", "family": list("aabbcc"), "checkpoint": 1}
    )
    people.to_csv(tmp_path / "people.csv", index=False)
    people.to_csv(tmp_path / "semicolons.csv", index=False, sep=";", encoding="utf-8-sig")
    people.to_parquet(tmp_path / "people.parquet")
    for name in ("people.csv", "semicolons.csv", "people.parquet"):
        assert bank(wide(tmp_path), tmp_path / name, NOTHING)[2] == list("aabbcc")
    people.assign(family=[*"aabbc", None]).to_csv(tmp_path / "people.csv", index=False)
    with pytest.raises(InputError, match=r"people.csv, row 7, column 'family': the value is miss"):
        bank(wide(tmp_path), tmp_path / "people.csv", NOTHING)
    people.drop(columns="family").to_csv(tmp_path / "people.csv", index=False)
    with pytest.raises(InputError, match=r"people.csv: column 'family' is missing"):
        bank(wide(tmp_path), tmp_path / "people.csv", NOTHING)


def test_a_bank_that_is_none(tmp_path):
    name, given, families = bank(["nlu_commonsenseqa"], None, NOTHING)
    assert (name, given.responses.shape, len(set(families))) == (
        "nlu_commonsenseqa",
        (90, 611),
        8,
    )
    with pytest.raises(InputError, match=r"none\.csv: the file does not exist"):
        bank(["none.csv"], None, NOTHING)
    with pytest.raises(InputError, match="no bank 'none'"):
        bank(["none"], None, NOTHING)
    with pytest.raises(InputError, match="4 respondents; at least 5"):
        bank(wide(tmp_path, 4), None, NOTHING)
