"""Every number of the ledger leads to the line of code that makes it."""

from saturation.ledger import judge

TEXT = '''"""A module."""


def _one():
    def inner():
        pass
'''
MAKERS = """
from saturation.quantity import Quantity


def written(name):
    yield Quantity(name, 1.0)


def subject():
    yield from written("a")
    yield from [Quantity(letter, 1.0) for letter in "b"]


def study():
    return [*subject()]
"""


def test_functions_and_methods_have_their_lines():
    found = judge.places({"/home/me/src/project/src/saturation/toy/numbers.py": TEXT})
    assert found == {
        "saturation.toy.numbers:_one": "src/saturation/toy/numbers.py:4",
    }


def of_another_file():
    """Functions of a module that is not this one."""
    names = {"__name__": "saturation.toy.numbers"}
    exec(compile(MAKERS, "numbers.py", "exec"), names)
    return names


def test_a_quantity_knows_the_function_whose_subject_it_is():
    """Not that which writes several in one form, nor that which gathers all of them."""
    made = {row.quantity: row.made_by for row in of_another_file()["study"]()}
    assert made == dict.fromkeys("ab", "saturation.toy.numbers:subject")
    lines = judge.places({"src/saturation/toy/numbers.py": MAKERS})
    assert lines["saturation.toy.numbers:subject"] == "src/saturation/toy/numbers.py:9"


def test_a_changed_quantity_keeps_its_maker():
    (row,) = of_another_file()["written"]("a")
    assert row._replace(note="n").made_by == "saturation.toy.numbers:written"
