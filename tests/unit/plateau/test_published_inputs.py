"""The embedded tables: sixty benchmarks, five scores each."""

from pathlib import Path

import pytest

from saturation.files.schema import validate
from saturation.files.tables import read_table
from saturation.plateau import schemas

EMBEDDED = Path(__file__).parents[3] / "resources" / "plateau"


@pytest.mark.parametrize(
    ("name", "schema", "rows"),
    [
        ("benchmarks.csv", schemas.BENCHMARKS, 60),
        ("top_scores.csv", schemas.TOP_SCORES, 300),
    ],
)
def test_the_embedded_tables_are_valid(name, schema, rows):
    assert len(validate(read_table(EMBEDDED / name), schema, name)) == rows


def test_every_score_belongs_to_a_benchmark():
    benchmarks = read_table(EMBEDDED / "benchmarks.csv")["benchmark_id"]
    counts = read_table(EMBEDDED / "top_scores.csv")["benchmark_id"].value_counts()
    assert counts.to_dict() == dict.fromkeys(benchmarks, 5)
