"""Banks of the study: layouts of tables, and what is refused."""

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive.model import MISSING
from saturation.errors import InputError
from saturation.files import formats
from studies.adaptive import banks


def wide(**columns):
    names = [f"m{number}" for number in range(len(next(iter(columns.values()))))]
    return pd.DataFrame({"respondent": names, **columns})


ANSWERS = {"a": [1.0, 0.5, None, 0.0], "b": [0.0, 1.0, None, None], "c": 1.0}
KINDS = ["right_or_wrong", "graded", "empty", "seen"]
BOARD = pd.DataFrame({"item": KINDS, "task": "t", **ANSWERS})


def test_wide_and_long_agree_with_missing_cells():
    first = banks.build_from_wide(wide(q1=[1, 0, 1], q2=[0, None, 1]), "w.csv", 2)
    rows = [("m0", "q1", 1), ("m0", "q2", 0), ("m1", "q1", 0), ("m2", "q1", 1), ("m2", "q2", 1)]
    long = pd.DataFrame(rows, columns=["respondent", "item", "correct"])
    second = banks.build_from_long(long, "l.csv", 2)
    assert first.respondents == second.respondents
    assert first.items == second.items
    np.testing.assert_array_equal(first.responses, second.responses)
    assert first.responses[1, 1] == MISSING
    np.testing.assert_allclose(first.accuracy(), [0.5, 0, 1])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (wide(q1=[1, 2], q2=[0, 1]), "row 3, column 'q1': value 2 is not allowed; expected 0"),
        (wide(q1=[1, "x"], q2=[0, 1]), r"row 3, column 'q1': value 'x'"),
        (wide(q1=[1, 0.5], q2=[0, 1]), r"row 3, column 'q1'"),
        (wide(q1=[1, None], q2=[0, None]), r"row 3: respondent 'm1' has no response"),
        (wide(q1=[1, 0], q2=[None, None]), r"column 'q2': the item has no response"),
        (wide(q1=[1], q2=[0]), r"1 respondents; at least 2"),
        (wide(q1=[1, 0]).assign(respondent="m"), r"row 3: respondent 'm' is a duplicate"),
        (wide(q1=[1, 0]).assign(respondent=["m", None]), "row 3: the respondent is missing"),
        (pd.DataFrame({"respondent": ["m", "n"]}), "no item columns"),
    ],
)
def test_bad_wide_tables_are_refused_with_the_row(table, message):
    with pytest.raises(InputError, match=message):
        banks.build_from_wide(table, "own.csv", 2)


@pytest.mark.parametrize(
    ("correct", "item", "message"),
    [
        ([1, 3], ["q1", "q2"], r"row 3, column 'correct': value 3.* expected 0"),
        ([1, 0], ["q1", "q1"], r"row 3: respondent 'm' and item 'q1' are a duplicate pair"),
    ],
)
def test_bad_long_tables_are_refused_with_the_row(correct, item, message):
    table = pd.DataFrame({"respondent": ["m", "m"], "item": item, "correct": correct})
    with pytest.raises(InputError, match=message):
        banks.build_from_long(table, "own.csv", 1)


def test_a_bank_is_taken_from_a_board_or_from_its_checked_table(tmp_path):
    board, cells, people = (tmp_path / name for name in ("b.parquet", "cells.csv", "people.csv"))
    formats.write(BOARD[["item", "task", "b", "a"]], board)
    known = pd.DataFrame({"respondent": ["b", "a"], "model": "m", "family": "f", "checkpoint": 1})
    known.to_csv(people, index=False)
    taken = banks.load(board, people, 2)
    assert taken.left_out == {"graded_items": 1, "empty_items": 1, "evaluations": 0}
    taken.bank.frame().to_csv(cells, index=False)
    known.assign(accuracy=0.5).to_csv(people, index=False)
    again = banks.load(cells, people, 2)
    assert again.left_out is None
    assert again.bank.respondents == taken.bank.respondents == ["b", "a"]
    np.testing.assert_array_equal(again.bank.responses, taken.bank.responses)


PARAMETERS = pd.DataFrame({"index": ["arc_1", "arc_2"], "a": [1.0, 2.0], "b": [0.0, 0.5]})
RESULTS = {
    "olmo": pd.DataFrame(
        {"index": ["arc_2", "gsm_1", "arc_1"], "one": [0.0, 1, 0.5], "two": [1, 0, None]}
    ),
    "amber": pd.DataFrame({"index": ["arc_1", "arc_2"], "end": [0.4999, 1.0]}),
}


def test_published_layout():
    """A score of one half is right."""
    bank, people, known = banks.build_from_published(PARAMETERS, RESULTS, "published")
    assert bank.respondents == ["olmo_one", "olmo_two", "amber_end"]
    assert bank.responses.tolist() == [[1, 0], [MISSING, 1], [0, 1]]
    assert people.columns.tolist() == ["respondent", "model", "family", "checkpoint"]
    assert people["checkpoint"].tolist() == [1, 2, 1]
    assert people["family"].tolist() == ["olmo", "olmo", "amber"]
    assert known.columns.tolist() == ["item", "discrimination", "difficulty"]
    with pytest.raises(InputError, match=r"1 items with parameters have no responses in olmo: q"):
        banks.build_from_published(PARAMETERS.assign(index=["arc_1", "q"]), RESULTS, "published")
    with pytest.raises(InputError, match="column 'b' is missing"):
        banks.build_from_published(PARAMETERS.drop(columns="b"), RESULTS, "published")


def test_leaderboard_abilities_are_read_or_said_to_be_missing():
    table = banks.leaderboard_abilities({"arc": {"ability": {"m": 1, "n": 2.5}}}, "arc", "f")
    assert table["ability"].tolist() == [1.0, 2.5]
    for bad in ({}, {"arc": {}}, {"arc": {"ability": {"m": 1}}}, []):
        with pytest.raises(InputError, match="f: 'arc' has no abilities of two or more models"):
            banks.leaderboard_abilities(bad, "arc", "f")


def test_one_attempt_of_each_model_at_each_item_is_drawn():
    models = ["20240101_Agent-a", "org/Agent_b", "qwen2-7B", "short"]
    table = pd.DataFrame(
        [(model, f"q{item}", (item % 3) / 2) for model in models for item in range(100)],
        columns=["model", "example_id", "pass1"],
    )
    table = table[~((table["model"] == "short") & (table["example_id"] > "q2"))]
    table = table[~((table["model"] == "qwen2-7B") & (table["example_id"] == "q5"))]
    bank, families = banks.build_from_attempts(table, "f", np.random.default_rng(0))
    # Rows by name: a model that lacks most is left out, and an item that one lacks.
    assert bank.respondents == ["20240101_Agent-a", "org/Agent_b", "qwen2-7B"]
    assert families == ["agent", "agent", "qwen"]
    assert set(bank.items) == {f"q{item}" for item in range(100)} - {"q5"}
    third = np.array([int(name[1:]) % 3 for name in bank.items])
    assert (bank.responses[:, third == 0] == 0).all()
    assert (bank.responses[:, third == 2] == 1).all()
    assert 0.3 < bank.responses[:, third == 1].mean() < 0.7
    with pytest.raises(InputError, match="column 'pass1' is missing"):
        banks.build_from_attempts(table.drop(columns="pass1"), "f", np.random.default_rng(0))
