"""Made-up benchmarks, whose statistics R has computed (tests/golden/plateau_statistics.R)."""

from pathlib import Path

import pandas as pd
import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


@pytest.fixture(scope="session")
def made_up():
    """One row a benchmark: two groupings, index, ages, size and citations."""
    table = pd.read_csv(GOLDEN / "plateau_data.csv")
    return table.astype({"citations": "Int64"})


@pytest.fixture(scope="session")
def from_r(golden):
    """R's number by name."""
    return golden("plateau_statistics")
