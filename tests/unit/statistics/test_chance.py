from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.statistics import intervals


def enumerated(p, configurations, answers):
    """Sum of the probabilities of every sequence of answers in which all are the same."""
    probability = [p] + [(1 - p) / (answers - 1)] * (answers - 1)
    total = 0.0
    for sequence in product(range(answers), repeat=configurations):
        if len(set(sequence)) == 1:
            total += np.prod([probability[answer] for answer in sequence])
    return total


@pytest.mark.parametrize("p", [0.0, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(("configurations", "answers"), [(1, 2), (3, 2), (4, 3), (5, 4)])
def test_agreement_is_what_enumeration_gives(p, configurations, answers):
    found = intervals.agreement(p, configurations, answers)
    assert found == pytest.approx(enumerated(p, configurations, answers))


def test_agreement_by_hand():
    """Three of three by p = 0.6 against one other answer, and against two of 0.2 each."""
    assert intervals.agreement(0.6, 3) == pytest.approx(0.216 + 0.064)
    assert intervals.agreement(0.6, 3, 3) == pytest.approx(0.216 + 2 * 0.008)
    assert intervals.agreement([0.5, 1.0], [1, 24]) == pytest.approx([1, 1])
    assert intervals.agreement_of([0.5, 0.2, 0.9]) == pytest.approx(0.09 + 0.5 * 0.8 * 0.1)


def test_agreement_of_two_is_the_one_that_fleiss_expects():
    """Of two raters: the sum of squared shares (Fleiss 1971), here of answers 0.7, 0.15, 0.15."""
    assert intervals.agreement(0.7, 2, 3) == pytest.approx(0.7**2 + 2 * 0.15**2)


def test_the_papers_baseline_on_imdb():
    assert intervals.agreement([0.95, 0.97], 24) == pytest.approx([0.29199, 0.48142], abs=1e-5)


@given(st.floats(0, 1), st.integers(1, 30))
def test_more_answers_never_agree_more_often(p, configurations):
    two, four = (intervals.agreement(p, configurations, k) for k in (2, 4))
    assert 0 <= four <= two + 1e-12 <= 1 + 1e-9


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_agreement_of_unequal_configurations_by_enumeration(rates):
    total = sum(
        np.prod([r if right else 1 - r for r in rates])
        for right in (True, False)
    )  # fmt: skip
    assert intervals.agreement_of(rates) == pytest.approx(total)
    assert intervals.agreement_of([rates[0]] * 5) == pytest.approx(intervals.agreement(rates[0], 5))


@pytest.mark.parametrize("p", [-0.1, 1.1, -1e-9, 1 + 1e-9, float("nan")])
def test_impossible_probabilities_are_refused(p):
    with pytest.raises(ValueError, match="must lie in"):
        intervals.agreement(p, 3)
    with pytest.raises(ValueError, match="must lie in"):
        intervals.agreement_of([0.5, p])


def test_one_answer_is_refused():
    with pytest.raises(ValueError, match="at least two"):
        intervals.agreement(0.5, 3, 1)
