"""What the tests of the multiverse share: a small set of choices, and the embedded benchmarks."""

from pathlib import Path

import pytest

from saturation.files.tables import load_table
from studies.multiverse.specifications import Data, Design

CHOICES = {
    "k": [3, 5],
    "alpha": [0.0, 0.5],
    "error_model": ["independent", "smoothed"],
    "outcome": ["s_index", "z", "saturated"],
    "saturated_from": [0.7],
    "age": ["months_at_observation", "age_months"],
    "excluded": ["nothing", "any_flag"],
    "test": ["student", "robust", "rank", "permutation"],
    "smallest_group": 3,
}


@pytest.fixture(scope="session")
def choices():
    return CHOICES


@pytest.fixture(scope="session")
def multiverse_data(prepared):
    return Data.prepare(*prepared, CHOICES)


@pytest.fixture(scope="session")
def aged():
    """A design of all benchmarks at the observation's age."""
    return lambda conclusion, grouping, adjustment, test: Design(
        conclusion, grouping, adjustment, "months_at_observation", "nothing", test
    )


@pytest.fixture(scope="session")
def golden():
    """A table that R made, see tests/golden."""
    folder = Path(__file__).parents[2] / "golden"
    return lambda name: load_table(folder / f"{name}.csv")
