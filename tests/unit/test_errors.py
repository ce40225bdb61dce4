"""What is wrong in several tables is said at once."""

import pytest

from saturation.errors import InputError, listed, shortened, together


def fails(*violations):
    def step():
        raise InputError(list(violations))

    return step


def test_what_is_wrong_in_any_step_is_raised_after_the_last():
    with pytest.raises(InputError) as raised:
        together([fails("a", "b"), lambda: 1, fails("c")])
    assert raised.value.violations == ["a", "b", "c"]
    assert together([lambda: 1, lambda: 2]) == [1, 2]
    with pytest.raises(ZeroDivisionError):
        together([lambda: 1 / 0, fails("never")])


def test_of_many_violations_and_names_the_first_are_listed():
    assert shortened(["a"] * 20) == ["a"] * 20
    assert shortened(["a"] * 22)[20:] == ["and 2 more violations"]
    assert listed("hgfedcba") == "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'"
    assert listed("jhigfedcba").endswith("'h' and 2 more")
