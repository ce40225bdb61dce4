"""What the figures of public answers draw, read back from their artists."""

import numpy as np
import pandas as pd
import pytest

from saturation.pages.style import style
from saturation.robustness import figures


@pytest.fixture(autouse=True)
def _style():
    with style():
        yield


VARIANTS = pd.DataFrame(
    {
        "model": ["a", "b"] * 3,
        "dataset": ["MATH-500"] * 2 + ["SimpleQA"] * 2 + ["TruthfulQA"] * 2,
        "performance": [0.5, 0.9, 0.1, 0.3, 0.4, 0.7],
        "answer_consistency": [0.3, 0.8, np.nan, np.nan, np.nan, np.nan],
        "verdict_consistency": [0.6, 0.85, 0.7, 0.6, 0.5, 0.7],
        "always_right": [0.25, 0.8, 0.01, 0.2, 0.2, 0.6],
    }
)
PAIRS = pd.DataFrame(
    {
        "measure": "inputs",
        "model": ["a", "b", "a"],
        "dataset": ["cola", "cola", "new"],
        "performance": [0.5, 0.7, 0.6],
        "output_consistency": [0.6, 0.8, 0.7],
    }
)
TRENDS = pd.DataFrame(
    {
        "measure": ["verdicts", "verdicts", "answers", "score_std", "verdicts"],
        "dataset": ["MATH-500", "all", "MATH-500", "all", "SimpleQA"],
        "reading": ["models", "mixed", "models", "mixed", "models"],
        "n": [20, 47, 20, 47, 2],
        "slope": [0.6, 0.52, 1.2, -0.1, np.nan],
        "lower": [-0.1, 0.4, 1.0, -0.2, np.nan],
        "upper": [1.0, 0.7, 1.4, 0.0, np.nan],
    }
)


def heading(figure):
    return " ".join(figure.get_suptitle().split())


def test_verdicts_and_answers_are_the_ends_of_what_is_known():
    figure = figures.variants(VARIANTS, PAIRS, TRENDS)
    math, truthful, simple, inputs = figure.axes
    assert math.get_title(loc="left") == "MATH-500: 2 models"
    lower, upper = math.lines[0], math.lines[1]
    assert list(lower.get_ydata()) == [0.3, 0.8]
    assert list(upper.get_ydata()) == [0.6, 0.85]
    assert lower.get_label() == "same answer"
    assert truthful.lines[0].get_label() == simple.lines[0].get_label() == "always right"
    assert list(simple.lines[0].get_ydata()) == [0.01, 0.2]
    assert [line.get_label() for line in inputs.lines[:2]] == ["CoLA", "new"]
    assert heading(figure).startswith("Abler models answer more consistently: by 1.20")
    assert heading(figure).endswith("by 0.52 where verdicts are")
    unclear = figures.variants(VARIANTS, PAIRS, TRENDS.assign(lower=0.0))
    assert heading(unclear).startswith("Consistency follows performance: by 1.20")


def test_trends_leave_out_what_was_not_estimated():
    figure = figures.trends(TRENDS)
    (axes,) = figure.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == [
        "same verdict: all 47 pairs",
        "same verdict: MATH-500 (20)",
        "same answer: MATH-500 (20)",
    ]
    assert heading(figure) == "2 of 3 slopes are clearly above zero"
    markers = [line.get_marker() for line in axes.lines if len(line.get_xdata()) == 1]
    assert markers[:3] == ["D", "o", "o"]


def test_components_name_the_largest_share_of_the_model():
    table = pd.DataFrame(
        {
            "measure": np.repeat(["verdicts", "inputs"], 4),
            "component": ["performance", "dataset", "model", "residual"] * 2,
            "share": [0.6, 0.2, 0.02, 0.18, 0.7, 0.1, 0.04, 0.16],
            "lower": 0.0,
            "upper": [0.8, 0.4, 0.05, 0.3, 0.8, 0.2, 0.15, 0.3],
        }
    )
    figure = figures.components(table)
    assert "at most 4% of consistency (limits up to 15%)" in heading(figure)
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [
        "performance", "data set", "model", "rest",
    ]  # fmt: skip


def test_prompts_are_in_the_order_of_their_share():
    tests = pd.DataFrame(
        {
            "task": ["two_words", "one"],
            "share_of_answers": [0.02, 0.001],
            "share_by_chance": 0.0009,
            "paraphrases": [100, 200],
            "models": [5, 7],
        }
    )
    spreads = pd.DataFrame(
        {"task": ["one", "two_words"] * 2, "spread": [0.1, 0.2, 0.12, 0.2], "by_chance": 0.04}
    )
    figure = figures.prompts(tests, spreads)
    left, right = figure.axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["one", "two words"]
    assert "in 1 of 2 tasks" in heading(figure)
    assert "by 0.16 (median)" in heading(figure)
    assert left.xaxis.get_major_formatter()(0.02) == "2%"
    assert list(right.lines[0].get_xdata()) == [0.1, 0.12]


def test_repeats_are_models_in_order():
    table = pd.DataFrame(
        {"model": ["a", "a", "b"], "task": ["t", "u", "t"], "answer_consistency": [0.9, 0.7, 0.5]}
    ).assign(questions=100)
    floor = pd.DataFrame(
        {
            "model": ["a", "b", "all"],
            "answer_consistency": [0.8, 0.5, 0.65],
            "lower": 0.4,
            "upper": 0.9,
        }
    )
    figure = figures.repeats(table, floor)
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["b", "a"]
    assert "50% to 80%" in heading(figure)


def test_every_figure_is_drawn_by_its_name(monkeypatch):
    for name in ("variants", "trends", "components", "prompts", "repeats"):
        monkeypatch.setattr(figures, name, lambda *tables, name=name: (name, len(tables)))
    monkeypatch.setattr(figures, "audit", lambda table: ("audit", 1))
    names = ["variants", "trend_pairs", "trends", "trend_components", "prompts"]
    names += ["prompt_spreads", "repeats", "floor", "audit_datasets"]
    drawn = figures.public_figures_drawn(dict.fromkeys(names))
    assert drawn == {
        "variants": ("variants", 3), "trends": ("trends", 1), "components": ("components", 1),
        "prompts": ("prompts", 2), "repeats": ("repeats", 2), "audit": ("audit", 1),
    }  # fmt: skip
