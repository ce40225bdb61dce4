"""Suites of tasks: how embedded tables are made, and what few tasks do not show."""

from pathlib import Path

import pandas as pd
import pytest

from saturation.files.tables import load_table
from saturation.suite import report
from studies.suites import study

RESOURCES = Path(__file__).parents[3] / "resources" / "suites"


def test_of_several_evaluations_the_newest_counts():
    evaluations = pd.DataFrame(
        {
            "Model": ["lab/a", "lab/a", "b", "lab/c"],
            "date": ["2024-02-01T10:00:00Z", "2024-01-01T10:00:00Z", None, "2023-12-01"],
            **{task: [50.0, 90.0, 10.0, None] for task in study.OPEN_LLM[study.V1][2]},
        }
    )
    table = study.compact_open_llm(study.V1, evaluations).set_index("model")
    assert table.index.tolist() == ["b", "lab/a"]
    assert table.loc["lab/a", ["family", "released", "ARC"]].tolist() == ["lab", "2024-02-01", 0.5]
    assert pd.isna(table.loc["b", "released"])


def test_a_model_s_family_is_the_first_word_of_its_name():
    table = study.compact_helm({"B two": {"y": 0.123456, "x": 0.5}, "A one": {"x": 1.0}})
    assert table["family"].tolist() == ["A", "B"]
    assert list(table) == ["model", "family", "x", "y"]
    assert table["y"].iloc[1] == 0.12346


@pytest.mark.parametrize("name", [study.V1, study.V2, study.HELM])
def test_six_tasks_separate_no_neighbouring_ranks_and_no_tasks_are_dropped(name):
    table = study.plain_suite(load_table(RESOURCES / f"{name}.csv"))
    suite = report.describe(table)
    assert suite.aggregates[0].adjacent_by_tasks == 0
    assert len(suite.aggregates[0].possibly_best_by_tasks) > 0.8 * suite.models
    assert suite.lite.fewest() is suite.lite.fewest(report.FRONTIER) is None
    assert "too few to say which tasks keep them" in dict(report.text(suite))["lite suite"]
