import pandas as pd
import pytest

from saturation.adaptive import responses
from saturation.adaptive.model import MISSING
from saturation.errors import InputError


def test_published_layout():
    parameters = pd.DataFrame({"index": ["arc_1", "arc_2"], "a": [1.0, 2.0], "b": [0.0, 0.5]})
    results = {
        "olmo": pd.DataFrame(
            {"index": ["arc_2", "gsm_1", "arc_1"], "step1": [0.0, 1, 0.7], "step2": [1, 0, None]}
        )
    }
    bank, people, known = responses.from_published(parameters, results, "published")
    assert bank.respondents == ["olmo_step1", "olmo_step2"]
    assert bank.responses.tolist() == [[1, 0], [MISSING, 1]]
    assert people["checkpoint"].tolist() == [1, 2]
    assert known.columns.tolist() == ["item", "discrimination", "difficulty"]
    with pytest.raises(InputError, match=r"1 items with parameters have no responses in olmo: q"):
        responses.from_published(
            pd.DataFrame({"index": ["arc_1", "q"], "a": [1.0, 1.0], "b": [0.0, 0.0]}),
            results,
            "published",
        )
    with pytest.raises(InputError, match="column 'b' is missing"):
        responses.from_published(parameters.drop(columns="b"), results, "published")


def test_leaderboard_abilities_are_read_or_said_to_be_missing():
    table = responses.leaderboard_abilities({"arc": {"ability": {"m": 1, "n": 2.5}}}, "arc", "f")
    assert table["ability"].tolist() == [1.0, 2.5]
    for bad in ({}, {"arc": {}}, {"arc": {"ability": {"m": 1}}}, []):
        with pytest.raises(InputError, match="f: 'arc' has no abilities of two or more models"):
            responses.leaderboard_abilities(bad, "arc", "f")


def test_a_score_of_one_half_is_right():
    parameters = pd.DataFrame({"index": ["q"], "a": [1.0], "b": [0.0]})
    results = {"m": pd.DataFrame({"index": ["q"], "one": [0.5], "two": [0.4999]})}
    bank, respondents, _ = responses.from_published(parameters, results, "published")
    assert bank.responses.tolist() == [[1], [0]]
    assert respondents.columns.tolist() == ["respondent", "model", "family", "checkpoint"]
    assert set(respondents["family"]) == {"m"}
