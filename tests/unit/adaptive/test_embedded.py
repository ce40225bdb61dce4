"""Embedded boards as banks."""

import numpy as np
import pytest

from saturation.adaptive import names
from saturation.adaptive.embedded import embedded
from saturation.errors import InputError


@pytest.mark.parametrize("name", names.RESPONDENTS)
def test_each_board_is_a_whole_bank_with_families(name):
    bank, people = embedded(name)
    assert set(np.unique(bank.responses)) == {0, 1}
    assert bank.responses.shape == (len(people), len(bank.items))
    assert people["respondent"].tolist() == bank.respondents
    assert people["family"].nunique() >= 8


def test_graded_answers_are_right_from_a_half_and_items_are_those_of_all():
    bank, _ = embedded("livebench")
    assert bank.responses.shape == (84, 864)
    bank, _ = embedded("nlu_commonsenseqa")
    assert bank.responses.shape == (90, 611)


def test_an_unknown_board_is_named_with_those_there_are():
    with pytest.raises(InputError, match="no bank 'mmlu'; embedded are: nlu_arc_challenge"):
        embedded("mmlu")
