"""What the tests share: the repository's root, the embedded tables and the study of them."""

from pathlib import Path

import hypothesis
import pandas as pd
import pytest

from saturation import index
from saturation.files.tables import read_table
from saturation.plateau import inputs

ROOT = Path(__file__).resolve().parents[1]

# The same examples in every run, and no failure because a shared machine is slow.
hypothesis.settings.register_profile(
    "steady", derandomize=True, deadline=None, database=None, max_examples=40
)
hypothesis.settings.load_profile("steady")


@pytest.fixture(scope="session")
def published():
    """The embedded benchmarks and top scores as the source has them: scores in percent."""
    folder = ROOT / "resources" / "plateau"
    return tuple(read_table(folder / f"{name}.csv") for name in ("benchmarks", "top_scores"))


@pytest.fixture(scope="session")
def prepared(published):
    """The embedded benchmarks and top scores as the study uses them: scores as proportions."""
    return inputs.prepare(*published, score_scale="percent", observed_on="2025-11-01", at_least=5)


@pytest.fixture(scope="session")
def default_index(prepared):
    """The index table at the paper's default, k = 5 and alpha = 0.5."""
    return index.index_table(*prepared)


@pytest.fixture(scope="session")
def data(prepared, default_index):
    """One row a benchmark: annotations and index."""
    return index.annotated(prepared[0], default_index)


@pytest.fixture(scope="session")
def quick():
    """The study's settings with few draws and a small grid."""
    from saturation.plateau.study import Settings

    return Settings(resamples=100, permutations=99, grid_k=(3, 5), grid_alpha=(0.0, 0.5, 1.0))


@pytest.fixture(scope="session")
def results(prepared, quick):
    """The study's tables by name, with few draws."""
    from saturation.plateau.study import study

    return study(*prepared, quick)


@pytest.fixture(scope="session")
def golden():
    """Reads a table of ``tests/golden``: name and value, from software that is not ours."""

    def read(name):
        table = pd.read_csv(ROOT / "tests" / "golden" / f"{name}.csv")
        return dict(zip(table["name"], table["value"]))

    return read
