import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.robustness import answers

TEXTS = ["Yes", " yes", "YES.", "y es", "no"]


@pytest.mark.parametrize(
    ("name", "distinct"), [("exact", 5), ("lower_strip", 4), ("lower_no_space", 3), ("words", 3)]
)
def test_which_answers_are_the_same(name, distinct):
    series = pd.Series(TEXTS).astype("category")
    found = answers.normalise(series, answers.normaliser(name))
    assert found.nunique() == distinct
    assert len(found) == len(TEXTS)


def test_codes_follow_the_rows():
    series = pd.Series(["b ", "A", "a", "B"]).astype("category")
    found = answers.normalise(series, answers.lower_strip)
    assert found.tolist() == ["b", "a", "a", "b"]


def test_any_importable_function_is_a_normaliser():
    assert answers.normaliser("saturation.robustness.answers:words") is answers.words


@pytest.mark.parametrize(
    "name", ["lower", "no.such:thing", "saturation.robustness.answers:nothing", ""]
)
def test_unknown_normalisers_are_listed(name):
    with pytest.raises(InputError, match="lower_strip"):
        answers.normaliser(name)
