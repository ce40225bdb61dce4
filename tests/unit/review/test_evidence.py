"""Evidence that an item's key is wrong."""

import numpy as np
import pandas as pd
import pytest
from scipy import special

from saturation.errors import InputError
from saturation.review import evidence
from saturation.review.evidence import Weights


def answers(rows, choices=True):
    """Rows of item, key and the letters that the models chose."""
    long = [
        (f"m{model}", item, int(letter == key), letter)
        for item, key, letters in rows
        for model, letter in enumerate(letters)
    ]
    table = pd.DataFrame(long, columns=["model", "item", "response", "choice"])
    return table if choices else table.drop(columns="choice")


# All agree on B; three of five on B; all right; wrong in different ways.
ROWS = [("agree", "A", "BBBBB"), ("most", "A", "BBBAA"), ("right", "A", "AAAAA"),
        ("apart", "A", "BCDEB")]  # fmt: skip


def test_agreement_on_one_other_option_comes_first():
    items = evidence.evidence(answers(ROWS))
    assert items["item"].tolist() == ["agree", "most", "apart", "right"]
    assert items["other"].tolist() == [5, 3, 2, 0]
    assert items["right"].tolist() == [0, 2, 0, 5]
    assert items["option"].tolist() == ["B", "B", "B", ""]


def test_without_options_the_share_wrong_orders():
    items = evidence.evidence(answers(ROWS, choices=False))
    assert set(items["item"][:2]) == {"agree", "apart"}
    assert items["item"].tolist()[2:] == ["most", "right"]
    assert items["other"].isna().all()


def test_wrong_answers_without_an_option_count_as_no_agreement():
    rows = answers(ROWS)
    rows.loc[rows["item"] == "agree", "choice"] = ""
    items = evidence.evidence(rows).set_index("item")
    assert items.loc["agree", "other"] == 0


def test_ability_of_those_who_are_wrong_is_compared_by_hand():
    """Model 0 is right on three of four items, model 1 on two, model 2 on one."""
    rows = [("a", "A", "BAA"), ("b", "A", "AAB"), ("c", "A", "ABB"), ("d", "A", "ABB")]
    items = evidence.evidence(answers(rows)).set_index("item")
    assert items.loc["a", "abler"] == pytest.approx(3 / 4 - (2 / 4 + 1 / 4) / 2)


@pytest.mark.parametrize(
    ("rows", "message"),
    [(answers([("a", "A", "AB")]), "2 models"),
     (answers(ROWS).assign(response=0.5), "graded")],
)  # fmt: skip
def test_answers_that_cannot_be_judged_are_refused(rows, message):
    with pytest.raises(InputError, match=message):
        evidence.evidence(rows)


def test_probabilities_are_the_logistic_regression():
    items = evidence.evidence(answers(ROWS))
    weights = Weights(np.array([-3.0, 2.0, -1.0, 1.0, 0.5]), 0.0, 10, np.inf)
    by_hand = [
        special.expit(-3 + 2 * o - r + o * o + 0.5 * o * r)
        for o, r in zip([1, 0.6, 0.4, 0], [0, 0.4, 0, 1])
    ]
    np.testing.assert_allclose(evidence.probabilities(items, weights), by_hand)


def test_expected_number_has_the_variance_of_items_and_subjects():
    """40 items of 0.25: variance 7.5 of items, and (0.5 + 0.1) of the ratio's 0.4 times 100."""
    chance, groups = np.full(40, 0.25), np.repeat([0, 1], 20)
    stated = evidence.expected_wrong(chance, Weights(np.zeros(5), 0.4, 10, np.inf), groups)
    assert stated.expected == pytest.approx(10)
    draws = np.random.default_rng(1).gamma(100 / 31.5, 3.15, 400_000)
    low, high = np.quantile(draws, [0.05, 0.95])
    assert stated.lower == np.floor(low)
    assert stated.upper == np.ceil(high)


def test_few_degrees_of_freedom_widen_the_part_of_the_subjects():
    """Of 5 degrees: Student's 2.015 for the normal's 1.645, so that 24 becomes 24 times 1.5."""
    chance, groups = np.full(40, 0.25), np.repeat([0, 1], 20)
    stated = evidence.expected_wrong(chance, Weights(np.zeros(5), 0.4, 10, 5), groups)
    variance = 7.5 + 24 * (2.015048 / 1.644854) ** 2
    draws = np.random.default_rng(1).gamma(100 / variance, variance / 10, 400_000)
    low, high = np.quantile(draws, [0.05, 0.95])
    assert (stated.lower, stated.upper) == (np.floor(low), np.ceil(high))


def test_no_more_keys_are_wrong_than_there_are_items():
    weights, one = Weights(np.zeros(5), 3.0, 5, np.inf), np.zeros(4, int)
    assert evidence.expected_wrong(np.full(4, 0.9), weights, one).upper == 4
    assert evidence.expected_wrong(np.zeros(4), weights, one) == (0, 0, 0)


def test_reasons_name_option_and_counts():
    items = evidence.evidence(answers(ROWS))
    reasons = list(evidence.reasons(items))
    assert reasons[0] == "5 of 5 models chose B, none agrees with the key"
    assert "2 of 5 agree with the key" in reasons[1]
