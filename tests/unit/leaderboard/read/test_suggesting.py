"""Which columns hold items and runs, where a table is no leaderboard."""

import pandas as pd
import pytest

from saturation.leaderboard.read.registry import item_columns, renamed

MODELS, ITEMS = [f"m{i}" for i in range(6)], [f"q{i}" for i in range(10)]
LONG = pd.DataFrame(
    [(model, item, "t", 0.5) for model in MODELS for item in ITEMS],
    columns=["model", "question", "topic", "score"],
).assign(stamp=range(60))


def test_the_item_is_what_models_share():
    assert item_columns(LONG, ["topic", "stamp", "question"]) == {"item": "question"}


def test_repeated_items_are_told_apart_by_another_column():
    twice = pd.concat([LONG, LONG.iloc[:3].assign(stamp=[100, 101, 102])])
    assert item_columns(twice, ["topic", "question", "stamp"]) == {
        "item": "question", "run": "stamp"
    }  # fmt: skip
    assert item_columns(twice, ["topic", "question"]) == {"item": "question"}


def test_nothing_is_said_of_a_leaderboard():
    board = LONG.drop_duplicates("model")
    assert item_columns(board, ["topic", "stamp", "question"]) == {}
    assert item_columns(LONG, ["topic", "stamp"]) == {}
    assert item_columns(LONG[LONG["model"] == "m0"], ["question"]) == {}


@pytest.mark.parametrize(
    ("columns", "meant"),
    [
        (["Rank", "Model", "Organisation", "Accuracy"], ["model=Model, score=Accuracy"]),
        (["#", "System", "Type", "F1", "Date added"], ["model=System, score=F1, date=Date added"]),
        (
            ["Modell", "Datum", "Ergebnis"],
            ["model=Modell, score=Ergebnis, date=Datum", "model=Modell"],
        ),
        (["Modell", "Genauigkeit"], ["model=Modell, score=Genauigkeit"]),
        (["userid", "q1", "q2"], ["model=userid, score=q1", "model=userid"]),
        (["question_id", "model a", "model b"], ["item=question_id"]),
        (["Rank", "Model"], []),
        (["Model", "Date"], []),
        ([""], []),
    ],
)
def test_the_names_of_columns_tell_what_they_may_be(columns, meant):
    said = renamed(columns, "f.csv")
    assert [line.partition("'columns': ")[2] for line in said] == meant
