"""What the tests share: the repository's root and the embedded tables, read once."""

from pathlib import Path

import hypothesis
import pytest

from saturation import files, index, inputs

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
    return tuple(files.read_table(folder / f"{name}.csv") for name in ("benchmarks", "top_scores"))


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
    return prepared[0].merge(default_index.drop(columns="n_test"), on="benchmark_id")
