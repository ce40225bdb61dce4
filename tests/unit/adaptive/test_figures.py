"""What figures draw, and the numbers in their titles."""

import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import evaluation, figures, model

SLOPE, DIFFICULTY = np.linspace(0.5, 2.5, 40), np.linspace(2, -2, 40)
NAMES = [f"q{number}" for number in range(40)]
ITEMS = pd.DataFrame({"item": NAMES, "discrimination": SLOPE, "difficulty": DIFFICULTY})
ABILITY = pd.Series(np.linspace(-1.5, 1.5, 11))


def test_item_curves_are_the_models_at_three_items():
    drawn = figures.item_curves(ITEMS, ABILITY, "bank", "model rejected")
    *curves, ticks, weak, strong = drawn.axes[0].lines
    difficulties = []
    for line in curves:
        text = line.get_label().replace("−", "-").split(":")[1]
        a, b = (float(part.split("=")[1]) for part in text.split(","))
        item = ITEMS.iloc[(ITEMS["difficulty"] - b).abs().argmin()]
        assert item["discrimination"] == pytest.approx(a, abs=0.006)
        of_item = np.array([item["discrimination"]]), np.array([item["difficulty"]])
        x, y = line.get_data()
        assert (x.min(), x.max()) == (-2.5, 2.5)
        np.testing.assert_allclose(y, model.probability(x, *of_item)[:, 0])
        difficulties.append(b)
    # Among the steeper half, whose difficulties end below 0: nearest to the tenth and ninetieth.
    assert difficulties[:2] == pytest.approx([-1.2, -0.05], abs=0.06)
    assert [weak.get_xdata()[0], strong.get_xdata()[0]] == pytest.approx([-1.2, 1.2])
    np.testing.assert_array_equal(ticks.get_xdata(), ABILITY)
    assert drawn.get_supxlabel().endswith("model rejected")


@pytest.fixture(scope="module")
def summary(evaluated):
    compared = evaluation.comparable(evaluated[4].assign(bank="one"))
    return evaluation.summarise(compared, np.random.default_rng(0))


def test_a_line_a_method_through_its_values(summary):
    drawn = figures.quality(summary, "mine")
    for axes, name in zip(drawn.axes, figures.MEASURES, strict=True):
        measured = summary[summary["measure"] == name].sort_values("n_items")
        lines = {line.get_label(): line for line in axes.lines}
        # Bars a method, beside its marks.
        methods = figures.METHODS.items()
        for bars, (method, (label, *_)) in zip(axes.collections, methods, strict=True):
            rows = measured[measured["method"] == method]
            beside = lines[label].get_xdata() / rows["n_items"]
            assert beside.tolist() == pytest.approx([figures.BESIDE[method]] * len(rows))
            np.testing.assert_allclose(lines[label].get_ydata(), rows["value"])
            ends = np.array(bars.get_segments())[:, :, 1]
            np.testing.assert_allclose(ends, rows[["lower", "upper"]])
        whole = measured.loc[measured["method"] == "full_accuracy", "value"].item()
        assert lines["accuracy, all items"].get_ydata()[0] == whole
        assert [label.get_text() for label in axes.get_xticklabels()] == ["10", "50"]


@pytest.mark.parametrize(("at_50", "enough"), [(1.0, True), (2.0, True), (2.1, False)])
def test_the_title_says_how_few_items_are_enough(at_50, enough):
    rows = [("random", 10, 5.0), ("random", 500, 2.0)]
    rows += [("fluid", 10, 3.0), ("fluid", 50, at_50), ("fluid", 500, 2.5)]
    table = pd.DataFrame(rows, columns=["method", "n_items", "value"])
    table = table.assign(measure="rank_distance", lower=1.0, upper=6.0, n_models=18)
    title = figures.quality(table, "mine").get_suptitle()
    assert ("50 adaptive items are as valid as 500 random ones" in title) == enough
