import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, figures
from saturation.adaptive.figures import METHODS


@pytest.fixture(scope="module")
def summary(evaluated):
    compared = evaluation.comparable(evaluated[4].assign(bank="one"))
    return evaluation.summarise(compared, np.random.default_rng(0))


def test_a_line_a_method_through_its_values(summary):
    drawn = figures.quality(summary, "mine")
    assert [(axes.get_title(), axes.get_ylabel()) for axes in drawn.axes] == list(
        figures.MEASURES.values()
    )
    for axes, name in zip(drawn.axes, figures.MEASURES):
        measured = summary[summary["measure"] == name].sort_values("n_items")
        lines = {line.get_label(): line for line in axes.lines}
        assert list(lines) == [
            "random items, accuracy",
            "random items, ability",
            "adaptive items, ability",
            "accuracy, all items",
        ]
        assert len({line.get_marker() for line in lines.values()}) == 4
        # Bars a method, beside its marks.
        for bars, (method, (label, *_)) in zip(axes.collections, METHODS.items(), strict=True):
            rows = measured[measured["method"] == method]
            beside = lines[label].get_xdata() / rows["n_items"]
            assert beside.tolist() == pytest.approx([figures.BESIDE[method]] * len(rows))
            np.testing.assert_allclose(lines[label].get_ydata(), rows["value"])
            ends = np.array(bars.get_segments())[:, :, 1]
            np.testing.assert_allclose(ends, rows[["lower", "upper"]])
        whole = measured.loc[measured["method"] == "full_accuracy", "value"].item()
        assert lines["accuracy, all items"].get_ydata()[0] == whole
        assert [label.get_text() for label in axes.get_xticklabels()] == ["10", "50"]
        assert axes.get_xscale() == "log"
    assert drawn.axes[1].get_ylim()[0] == 1
    assert drawn.axes[1].get_ylim()[1] <= 12
    assert drawn.get_suptitle().endswith("\nmine")


@pytest.mark.parametrize("missing", [["rank_distance"], list(figures.MEASURES)])
def test_a_panel_says_what_was_not_measured(summary, missing):
    drawn = figures.quality(summary[~summary["measure"].isin(missing)], "mine")
    texts = [text.get_text() for axes in drawn.axes for text in axes.texts]
    assert texts == [f"not measured:\n{figures.NEEDS[name]}" for name in missing]
    assert [axes.axison for axes in drawn.axes] == [name not in missing for name in figures.NEEDS]


def models(fluid_variation, fluid_order):
    """Two models with three random subsets and one adaptive test, at ten items."""
    rows = []
    for model in ("a", "b"):
        common = {"bank": "one", "model": model, "n_items": 10}
        for draw, variation, order in ((0, 2.0, 0.5), (1, 4.0, 0.7), (2, 3.0, 0.6)):
            rows.append(
                {**common, "method": "random", "draw": draw}
                | {"total_variation": variation, "monotonicity": order}
            )
        rows.append(
            {**common, "method": "fluid", "draw": 0}
            | {"total_variation": fluid_variation, "monotonicity": fluid_order}
        )
    return pd.DataFrame(rows)


def medians(axes):
    """Where the middle lines of the boxes stand."""
    return [line.get_ydata()[0] for line in axes.lines if line.get_linewidth() == 2]


def test_a_pair_is_the_adaptive_test_against_the_median_of_subsets():
    drawn = figures.pairs(models(1.5, 0.9), "mine")
    left, right = drawn.axes
    assert medians(left) == pytest.approx([1.5 / 3])
    assert medians(right) == pytest.approx([0.9 - 0.6])
    assert (left.get_yscale(), right.get_yscale()) == ("log", "linear")
    assert (left.get_title(), right.get_title()) == ("2 pairs", "2 pairs")
    assert [label.get_text() for label in left.get_xticklabels()] == ["10"]
    assert [axes.texts[0].get_text() for axes in drawn.axes] == ["100%", "100%"]
    assert drawn.get_suptitle() == (
        "Adaptive tests vary less in 100%, rise more steadily in 100% of pairs\nmine"
    )
    # No difference is no better.
    equal = figures.pairs(models(3.0, 0.6), "mine").get_suptitle()
    assert equal.startswith("Adaptive tests vary less in 0%, rise more steadily in 0%")
    # Better is below the line on the left, above it on the right.
    worse = figures.pairs(models(5.0, 0.1), "mine").get_suptitle()
    assert worse.startswith("Adaptive tests vary less in 0%, rise more steadily in 0%")
    lines = [axes.lines[-1].get_ydata()[0] for axes in drawn.axes]
    assert lines == [1, 0]


def test_models_without_a_number_are_in_no_pair():
    table = models(1.5, 0.9)
    table.loc[table["model"] == "a", "total_variation"] = np.inf
    assert figures.pairs(table, "mine").axes[0].get_title() == "1 pairs"
    nothing = figures.pairs(table.assign(total_variation=np.nan), "mine")
    assert nothing.axes[0].texts[0].get_text() == (
        "not measured:\nneeds several checkpoints a model"
    )
    assert nothing.get_suptitle() == "Adaptive tests rise more steadily in 100% of pairs\nmine"
    none = figures.pairs(table.assign(total_variation=np.nan, monotonicity=np.nan), "mine")
    assert none.get_suptitle().startswith("Adaptive tests against random items")


@pytest.mark.parametrize(
    ("fluid", "title"),
    [
        ([3.0, 1.0], "50 adaptive items are as valid as 500 random ones"),
        ([3.0, 2.0], "50 adaptive items are as valid as 500 random ones"),
        ([3.0, 2.1], "Adaptive tests against random items"),
    ],
)
def test_the_title_says_how_few_items_are_enough(fluid, title):
    rows = [("random", 10, 5.0), ("random", 500, 2.0), ("fluid", 10, fluid[0])]
    rows += [("fluid", 50, fluid[1]), ("fluid", 500, 1.5 if fluid[1] == 1 else 2.5)]
    summary = pd.DataFrame(rows, columns=["method", "n_items", "value"])
    summary = summary.assign(measure="rank_distance", lower=1.0, upper=6.0, n_models=18)
    assert figures.quality(summary, "mine").get_suptitle() == f"{title}\nmine"
