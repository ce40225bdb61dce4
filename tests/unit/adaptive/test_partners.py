import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation


def test_partners_are_matched_by_name_and_chance_does_not_serve():
    names = [f"m{number}" for number in range(30)]
    first = pd.Series(np.arange(30.0), index=names)
    second = (first * 2).sample(frac=1, random_state=1)
    noise = pd.Series(np.random.default_rng(0).random(30), index=names)
    table = evaluation.partners({"a": first, "b": second, "noise": noise}, least=0.6)
    assert len(table) == 6
    assert evaluation.serving(table, "a") == ["b"]
    assert evaluation.serving(table, "b") == ["a"]
    assert evaluation.serving(table, "noise") == []


def test_the_correlation_is_over_those_who_answered_both():
    first = pd.Series([1.0, 2, 3, 4, 0], index=list("abcde"))
    second = pd.Series([1.0, 3, 2, 4], index=list("abcd"))
    table = evaluation.partners({"x": first, "y": second}, least=0.5)
    assert table["n_respondents"].tolist() == [4, 4]
    # 1 - 6 * (1 + 1) / (4 * 15)
    assert table["spearman"].tolist() == pytest.approx([0.8, 0.8])
    just = table["spearman"].iloc[0]
    for least, serves in ((just, True), (np.nextafter(just, 1), False)):
        table = evaluation.partners({"x": first, "y": second}, least)
        assert table["serves"].tolist() == [serves, serves]


def test_a_partner_that_is_named_is_the_only_one():
    same = pd.Series(np.arange(5.0), index=list("abcde"))
    table = evaluation.partners({"a": same, "b": same, "c": -same}, 0.6, {"a": "c"})
    assert table.loc[table["serves"], ["bank", "partner"]].to_numpy().tolist() == [
        ["a", "c"],
        ["b", "a"],
    ]


def test_a_bank_alone_has_no_partner():
    table = evaluation.partners({"a": pd.Series([1.0], index=["m"])}, 0.6)
    assert table.columns.tolist() == ["bank", "partner", "n_respondents", "spearman", "serves"]
    assert table.empty


def test_accuracies_come_in_the_order_of_the_bank():
    respondents = pd.DataFrame({"respondent": ["c", "a", "b"]})
    other = pd.DataFrame({"respondent": ["a", "b"], "accuracy": [0.1, 0.2]})
    found = evaluation.accuracies(respondents, {"x": other, "y": other}, ["x"])
    assert list(found) == ["x"]
    np.testing.assert_array_equal(found["x"], [np.nan, 0.1, 0.2])
