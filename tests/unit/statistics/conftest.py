"""Numbers that R computed: tests/golden/statistics.R."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def golden(golden_cases):
    """A function that gives R's values of a case."""
    return golden_cases


@pytest.fixture(scope="session")
def graded():
    """Responses of four models to thirty items, as the R script has them."""
    i, j = np.arange(30)[:, None], np.arange(4)
    return ((7 * i + 5 * j + 3 * i * j + i**2) % 11) / 10


@pytest.fixture(scope="session")
def right(graded):
    """The same, right or wrong."""
    return (graded > [0.2, 0.35, 0.5, 0.5]).astype(float)


@pytest.fixture(scope="session")
def seven_clusters():
    """Clusters of the thirty items, of unequal size."""
    i = np.arange(30)
    return (i**2 + i // 9) % 7
