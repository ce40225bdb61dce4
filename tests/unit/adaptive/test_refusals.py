import numpy as np
import pytest

from saturation.adaptive.fit import check_cells, check_parameters
from saturation.errors import InputError


def test_cells_are_right_wrong_or_missing():
    check_cells(np.array([[1, 0, -1]], dtype=np.int8))
    with pytest.raises(InputError, match=r"row 1, column 2: value 2 is not allowed; expected 0"):
        check_cells(np.array([[1, 0, -1], [0, 0, 2]], dtype=np.int8))
    with pytest.raises(InputError, match=r"value nan is not"):
        check_cells(np.array([[1, np.nan]]))
    for shape in ((3,), (0, 4), (4, 0)):
        with pytest.raises(InputError, match="expected respondents by items"):
            check_cells(np.zeros(shape, dtype=np.int8))


def test_many_bad_cells_are_counted():
    with pytest.raises(InputError, match="and 10 more violations"):
        check_cells(np.full((5, 6), 7, dtype=np.int8))


def test_parameters_are_finite_and_as_many_as_items():
    check_parameters(np.ones(3), np.zeros(3), 3)
    for a, b in (
        (np.ones(2), np.zeros(3)),
        (np.ones(3), np.zeros(4)),
        (np.ones((3, 1)), np.ones(3)),
    ):
        with pytest.raises(InputError, match="the bank 3 items; give one value an item"):
            check_parameters(a, b, 3)
    with pytest.raises(InputError, match="item 1: discrimination nan is not a finite number"):
        check_parameters(np.array([1, np.nan]), np.zeros(2), 2)
    with pytest.raises(InputError, match="item 0: difficulty inf is not a finite number"):
        check_parameters(np.ones(2), np.array([np.inf, 0]), 2)
