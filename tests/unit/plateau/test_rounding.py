"""Shares of n items round to what they are said to be, and to nothing between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.plateau.names import possible


@pytest.mark.parametrize(
    ("score", "n", "can"),
    [
        (99.2, 500, True),  # 496 of 500
        (98.3, 500, False),  # between 98.2 and 98.4
        (33.3, 3, True),
        (33.4, 3, False),
        (100.0, 7, True),
        (0.0, 7, True),
        (50.0, 100, None),  # whole per cents of a hundred items
        (12.3, 2500, None),
    ],
)
def test_by_hand(score, n, can):
    assert possible(score, n) is can


@given(st.integers(1, 600), st.data(), st.integers(0, 4))
def test_a_rounded_share_is_never_refused(n, data, decimals):
    right = data.draw(st.integers(0, n))
    assert possible(round(100 * right / n, decimals), n) in (True, None)
