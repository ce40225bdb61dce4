"""Counts of attempts, read as pass@k."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.leaderboard.read.formats.plain import pass_at_k
from saturation.leaderboard.read.rows import Choice


def test_attempts_become_pass_at_k(write, read, violation, responses_of):
    path = write("model,item,attempts,correct\na,q1,5,1\na,q2,5,0\n", "x.csv")
    imported = read(path, Choice(pass_k=2))
    assert [r.response for r in responses_of(imported)] == pytest.approx([0.4, 0.0])
    assert (imported.minimum, imported.maximum, imported.higher_is_better) == (0, 1, True)
    assert "give the k of pass@k" in violation(path)
    assert "row 2: 1 of 5 attempts; allowed: at least 6" in violation(path, Choice(pass_k=6))


@pytest.mark.parametrize(
    ("counts", "row"),
    [("1,1", 3), ("2,3", 3), ("2,-1", 3), ("2,", 3), (",1", 3), ("2.5,1", 3), ("3,1.5", 3)],
)
def test_counts_that_cannot_be_are_named(write, violation, counts, row):
    path = write(f"model,item,attempts,correct\na,q1,2,2\na,q2,{counts}\n", "x.csv")
    (sentence,) = violation(path, Choice(pass_k=2)).splitlines()
    assert f"row {row}: " in sentence
    assert "allowed: at least 2 attempts (pass_k), at most as many correct" in sentence


def test_as_many_attempts_as_k_and_as_many_right_as_attempts_are_allowed(write, read, responses_of):
    path = write("model,item,attempts,correct\na,q1,2,2\na,q2,2,0\n", "x.csv")
    imported = read(path, Choice(pass_k=2))
    assert [r.response for r in responses_of(imported)] == [1.0, 0.0]


def test_pass_at_k_counts_subsets():
    assert pass_at_k([5, 5, 5, 5], [0, 1, 4, 5], 2) == pytest.approx([0, 0.4, 1, 1])
    assert pass_at_k(10_000, 1, 100) == pytest.approx(0.01)
    assert pass_at_k(9, 3, 4) == pytest.approx(1 - math.comb(6, 4) / math.comb(9, 4), abs=1e-12)


@given(st.integers(1, 40), st.data())
def test_pass_at_1_is_the_share_and_pass_at_k_rises_with_k(n, data):
    c = data.draw(st.integers(0, n))
    values = [float(pass_at_k(n, c, k)) for k in range(1, n + 1)]
    assert values[0] == pytest.approx(c / n)
    assert (np.diff(values) >= -1e-12).all()
