"""Embedded boards as banks."""

import numpy as np
import pytest

from saturation.adaptive import names
from saturation.adaptive.frontier import embedded
from saturation.errors import InputError
from saturation.files import formats
from saturation.files.tables import shipped


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
    bank, _ = embedded("nlu_commonsenseqa")
    assert bank.responses.shape == (90, 611)


def test_an_unknown_board_is_named_with_those_there_are():
    with pytest.raises(InputError, match="no bank 'mmlu'; embedded are: nlu_arc_challenge"):
        embedded("mmlu")
