"""Numbers that R computed: tests/golden/statistics.R."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

GOLDEN = Path(__file__).parents[2] / "golden/statistics.csv"


@pytest.fixture(scope="session")
def golden():
    """A function that gives R's values of a case."""
    cases = {key: part["value"].tolist() for key, part in
             pd.read_csv(GOLDEN).groupby(["what", "case"])}  # fmt: skip
    return lambda what, case: pytest.approx(cases[what, case], abs=1e-9)


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
