"""Repetitions of one prompt: shares with their intervals, and means over tasks and models."""

import pandas as pd
import pytest

from saturation.robustness import consistency
from saturation.statistics import intervals


def runs():
    return pd.DataFrame(
        {
            "model": ["b", "a", "a", "a"],
            "task": ["t", "t", "t", "u"],
            "shots": ["0", "few", "0", "0"],
            "run": 1,
            "repetitions": 10,
            "questions": [10, 10, 10, 20],
            "right": [50, 60, 70, 200],
            "same_answer": [4, 6, 8, 20],
            "same_text": [0, 1, 2, 10],
            "always_right": [3, 5, 6, 20],
            "ever_right": [7, 7, 8, 20],
        }
    )


def test_shares_are_of_the_questions():
    table = consistency.agreement(runs(), 0.95)
    assert table["model"].tolist() == ["a", "a", "a", "b"]
    first = table.iloc[0]
    assert first["performance"] == 0.7
    assert first["answer_consistency"] == 0.8
    assert first["text_consistency"] == 0.2
    assert first["always_wrong"] == pytest.approx(0.2)
    limits = intervals.wilson(8, 10, 0.95)
    assert (first["answer_consistency_lower"], first["answer_consistency_upper"]) == limits


def test_the_floor_is_a_mean_over_tasks_then_models():
    floor = consistency.floor(consistency.agreement(runs(), 0.95), 0.95).set_index("model")
    # Shots of a task weigh as one task.
    assert floor.loc["a", "answer_consistency"] == pytest.approx((0.7 + 1.0) / 2)
    assert floor.loc["all", "answer_consistency"] == pytest.approx((0.85 + 0.4) / 2)
    assert floor.loc["a", ["lower", "upper"]].tolist() == pytest.approx(
        intervals.mean([0.7, 1.0], 0.95)
    )
    # One task says nothing of others.
    assert floor.loc["b", ["lower", "upper"]].isna().all()
    assert floor["tasks"].tolist() == [2, 1, 2]
