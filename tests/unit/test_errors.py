"""What is wrong in several tables is said at once."""

import pickle
from itertools import repeat

import pytest

from saturation.errors import InputError, Key, Violation, collect, listed, shortened


def fails(*violations):
    def step():
        raise InputError(list(violations))

    return step


def test_what_is_wrong_in_any_step_is_raised_after_the_last():
    with pytest.raises(InputError) as raised:
        collect([fails("a", "b"), lambda: 1, fails("c")])
    assert raised.value.violations == ["a", "b", "c"]
    assert collect([lambda: 1, lambda: 2]) == [1, 2]
    with pytest.raises(ZeroDivisionError):
        collect([lambda: 1 / 0, fails("never")])


def test_of_many_violations_and_names_the_first_are_listed():
    assert shortened(["a"] * 20) == ["a"] * 20
    assert shortened(["a"] * 22)[20:] == ["and 2 more violations"]
    assert shortened(repeat("a"))[20:] == ["and at least 10000 more violations"]
    assert listed("hgfedcba") == "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'"
    assert listed("jhigfedcba").endswith("'h' and 2 more")


def test_a_border_puts_the_keys_of_a_violation_into_its_own_words():
    inner = Violation("x.csv: n is missing; give it with ", Key("n_items"))
    outer = Violation("task: ", inner, ", or ", Key("columns", value={"n": "N", "score": "S"}))
    assert outer == (
        "task: x.csv: n is missing; give it with the key 'n_items', or the key 'columns': "
        "n=N, score=S"
    )
    assert outer.phrase(lambda key: f"<{key.name}>") == (
        "task: x.csv: n is missing; give it with <n_items>, or <columns>"
    )
    in_section = Violation(Key("n_items", "own.benchmarks.mine"), ": -1 is too few")
    assert in_section == "config: key 'own.benchmarks.mine.n_items': -1 is too few"
    again = pickle.loads(pickle.dumps(outer))
    assert (again, again.parts) == (outer, outer.parts)
