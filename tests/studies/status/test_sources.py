"""Reported scores from the snapshot of llm-stats.com."""

import pandas as pd
import pytest

from saturation.errors import InputError
from studies.status.sources import LISTED, reported


def snapshot(scores, most=1.0):
    dates = pd.date_range("2026-01-01", periods=len(scores)).strftime("%Y-%m-%d")
    return pd.DataFrame(
        {"benchmark_name": "B", "model_name": [f"m{place}" for place in range(len(scores))],
         "benchmark_score": scores, "benchmark_max_score": most, "release_date": dates,
         "announcement_date": dates}
    )  # fmt: skip


FACTS = pd.DataFrame({"reports": ["B", None]})


def test_the_best_and_the_newest_scores_are_kept():
    scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3]
    table = reported(
        pd.concat([snapshot(scores), snapshot([0.1]).assign(benchmark_name="C")]), FACTS
    )
    assert table["score"].tolist() == [*scores[:LISTED], 0.3]
    assert table["date"].iloc[-1] == "2026-01-07"


def test_a_score_of_a_hundred_becomes_a_share_and_a_share_stays():
    assert reported(snapshot([85.0, 0.7], 100), FACTS)["score"].tolist() == [0.85, 0.7]


def test_a_name_that_the_snapshot_lacks_is_an_error():
    with pytest.raises(InputError, match="no benchmark 'D'"):
        reported(snapshot([0.5]), pd.DataFrame({"reports": ["B;D"]}))
