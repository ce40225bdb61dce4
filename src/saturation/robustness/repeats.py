"""The floor of consistency: how often ten runs of one and the same prompt already disagree."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from saturation.statistics import intervals


def agreement(runs: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Consistency of every model and task over repetitions that change nothing.

    Parameters
    ----------
    runs
        From :func:`saturation.robustness.sources.repeats`.
    confidence
        Coverage of the intervals.

    Returns
    -------
    pandas.DataFrame
        `model`, `task`, `shots`, `run`, `repetitions`, `questions`, `performance`,
        `answer_consistency` and `text_consistency` (the same answer, the same text in every
        repetition) with Wilson intervals, `always_right` and `always_wrong`.
    """
    questions = runs["questions"]
    shares = {
        "performance": runs["right"] / (questions * runs["repetitions"]),
        "always_right": runs["always_right"] / questions,
        "always_wrong": 1 - runs["ever_right"] / questions,
    }
    for name, column in (("answer", "same_answer"), ("text", "same_text")):
        lower, upper = intervals.wilson(runs[column], questions, confidence)
        shares |= {
            f"{name}_consistency": runs[column] / questions,
            f"{name}_consistency_lower": lower,
            f"{name}_consistency_upper": upper,
        }
    named = runs[["model", "task", "shots", "run", "repetitions", "questions"]]
    return named.assign(**shares).sort_values(["model", "task", "shots", "run"], ignore_index=True)


def floor(table: pd.DataFrame, confidence: float) -> pd.DataFrame:
    """Mean consistency of every model over its tasks, and of the mean model.

    Parameters
    ----------
    table
        From :func:`agreement`.
    confidence
        Coverage of the t intervals: over tasks for a model, over models for the mean model.

    Returns
    -------
    pandas.DataFrame
        `model` (`all` for the mean model), `tasks`, `answer_consistency`, `lower`, `upper`.
    """
    by_task = table.groupby(["model", "task"])["answer_consistency"].mean()
    means = by_task.groupby("model").mean()
    rows = [
        _with_mean(model, tasks.to_numpy(), len(tasks), confidence)
        for model, tasks in by_task.groupby("model")
    ]
    rows.append(_with_mean("all", means.to_numpy(), by_task.index.unique("task").size, confidence))
    return pd.DataFrame(rows)


def _with_mean(
    model: object, values: npt.NDArray[np.float64], tasks: int, confidence: float
) -> dict[str, object]:
    lower, upper = intervals.mean(values, confidence)
    return {
        "model": model,
        "tasks": tasks,
        "answer_consistency": values.mean(),
        "lower": lower,
        "upper": upper,
    }
