"""What is wrong in several tables is said at once."""

import functools

import pytest

from saturation.errors import InputError, shortened, together


def fails(*violations):
    raise InputError(list(violations))


def test_what_is_wrong_in_any_step_is_raised_after_the_last():
    steps = [functools.partial(fails, "a", "b"), lambda: 1, functools.partial(fails, "c")]
    with pytest.raises(InputError) as raised:
        together(steps)
    assert raised.value.violations == ["a", "b", "c"]


def test_without_a_violation_every_step_gives_what_it_makes():
    assert together([lambda: 1, lambda: 2]) == [1, 2]
    assert together([]) == []


def test_other_errors_are_raised_at_once():
    with pytest.raises(ZeroDivisionError):
        together([lambda: 1 / 0, functools.partial(fails, "never")])


def test_of_many_violations_the_first_are_listed():
    assert shortened([str(number) for number in range(22)])[-1] == "and 2 more violations"
    assert shortened(["a"]) == ["a"]
