"""The plateau study's embedded tables, in the library's units."""

from pathlib import Path

import pandas as pd
import pytest

EMBEDDED = Path(__file__).parents[3] / "resources/plateau"


@pytest.fixture(scope="session")
def embedded():
    """Benchmarks and top scores, scores as proportions."""
    top_scores = pd.read_csv(EMBEDDED / "top_scores.csv")
    return (
        pd.read_csv(EMBEDDED / "benchmarks.csv"),
        top_scores.assign(score=top_scores["score"] / 100),
    )
