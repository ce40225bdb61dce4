import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import names, responses
from saturation.adaptive.model import MISSING
from saturation.adaptive.responses import embedded
from saturation.errors import InputError
from saturation.files import formats
from saturation.files.tables import shipped


def test_respondents_must_cover_the_bank():
    bank = responses.Bank(["m0", "m1"], ["q1"], np.array([[1], [0]], np.int8))
    table = responses.list_respondents(bank)
    assert set(table["checkpoint"]) == {1}
    found = responses.check_respondents(table[::-1], bank, "r.csv")
    assert found["respondent"].tolist() == ["m0", "m1"]
    with pytest.raises(InputError, match="respondent 'm1' of the responses has no row"):
        responses.check_respondents(table.iloc[:1], bank, "r.csv")
    with pytest.raises(InputError, match="row 2, column 'checkpoint'"):
        responses.check_respondents(table.assign(checkpoint=0), bank, "r.csv")


ANSWERS = {"a": [1.0, 0.5, None, 0.0], "b": [0.0, 1.0, None, None], "c": 1.0}
KINDS = ["right_or_wrong", "graded", "empty", "seen"]
BOARD = pd.DataFrame({"item": KINDS, "task": "t", **ANSWERS})


def test_a_board_gives_what_is_right_or_wrong_and_counts_the_rest():
    taken = responses.build_from_board(BOARD, ["b", "a"], "board.parquet", 2)
    assert taken.bank.respondents == ["b", "a"]
    assert taken.bank.items == ["right_or_wrong", "seen"]
    assert taken.bank.responses.tolist() == [[0, MISSING], [1, 0]]
    assert taken.left_out == {"graded_items": 1, "empty_items": 1, "evaluations": 1}


@pytest.mark.parametrize(
    ("table", "named", "fewest", "words"),
    [
        (BOARD, ["d"], 1, "no evaluation 'd', which the respondents' table names"),
        (BOARD.iloc[[1]], ["a"], 1, "no item is right or wrong alone"),
        (BOARD, ["a", "b"], 3, "2 respondents; at least 3"),
        (BOARD.iloc[[0, 3]].assign(b=None), ["a", "b"], 1, "respondent 'b' has no response"),
    ],
)
def test_a_board_that_is_no_bank_is_refused(table, named, fewest, words):
    with pytest.raises(InputError, match=words):
        responses.build_from_board(table, named, "board.parquet", fewest)


@pytest.mark.parametrize("name", names.RESPONDENTS)
def test_each_board_is_a_whole_bank_with_families(name):
    bank, people = embedded(name)
    assert set(np.unique(bank.responses)) == {0, 1}
    assert bank.responses.shape == (len(people), len(bank.items))
    assert people["respondent"].tolist() == bank.respondents
    assert people["family"].nunique() >= 8


def test_items_are_the_studys_that_all_answered():
    """Of 773 that are right or wrong alone, 573; none of these is graded."""
    bank, people = embedded("livebench")
    assert bank.responses.shape == (84, 573)
    board = formats.read(shipped("resources/boards/responses/livebench.parquet"))
    scores = board.set_index(formats.ITEM)[people["respondent"].tolist()]
    np.testing.assert_array_equal(scores.loc[bank.items].to_numpy().T, bank.responses)
    others = scores.drop(index=bank.items)
    graded = ~(others.isin([0, 1]) | others.isna()).all(axis=1)
    assert (graded | others.isna().any(axis=1)).sum() >= 200
    assert embedded("nlu_commonsenseqa")[0].responses.shape == (90, 611)
    with pytest.raises(InputError, match="no bank 'mmlu'; embedded are: nlu_arc_challenge"):
        embedded("mmlu")
