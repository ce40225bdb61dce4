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
    drawn = figures.item_curves(ITEMS, ABILITY, "bank")
    *curves, ticks, weak, strong = drawn.axes[0].lines
    difficulties, rises = [], []
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
        rises.append(np.diff(model.probability(np.array([-1.2, 1.2]), *of_item)[:, 0])[0])
    # Among the steeper half, whose difficulties end below 0: nearest to the tenth and ninetieth.
    assert difficulties[:2] == pytest.approx([-1.2, -0.05], abs=0.06)
    assert [weak.get_xdata()[0], strong.get_xdata()[0]] == pytest.approx([-1.2, 1.2])
    np.testing.assert_array_equal(ticks.get_xdata(), ABILITY)
    title = drawn.get_suptitle()
    assert f"the hard item rises by {rises[1]:.2f}, the flat one by {rises[2]:.2f}" in title


def test_the_slice_shows_information_against_difficulty():
    drawn = figures.information_slice(ITEMS, 0.5, "bank")
    axes = drawn.axes[0]
    most, rest = (np.asarray(dots.get_offsets()) for dots in axes.collections)
    a, b = ITEMS["discrimination"].to_numpy(), ITEMS["difficulty"].to_numpy()
    expected = model.information(np.array([0.5]), a, b)[0]
    places, info = np.concatenate([most, rest]).T
    np.testing.assert_allclose(info, np.sort(expected)[::-1])
    np.testing.assert_allclose(np.sort(places), np.sort(b))
    # As few items as give half of it.
    assert most[:, 1].sum() >= expected.sum() / 2 > most[:-1, 1].sum()
    assert axes.lines[0].get_xdata()[0] == 0.5
    assert drawn.get_suptitle().startswith(f"{len(most) / 40:.0%} of the items")


@pytest.mark.parametrize(("step", "claim"), [(6, "(rank correlation 1.00)"), (0, "Items by")])
def test_items_stand_by_difficulty_and_respondents_by_ability(monkeypatch, step, claim):
    """The abler of six are given harder items, or all the same."""
    monkeypatch.setattr(figures, "FIRST_STEPS", 1)
    ordered = ITEMS.sort_values("difficulty")["item"].tolist()
    rows = [
        (f"r{5 - rank}", place, rank / 2 + place / 100, ordered[step * rank + place - 1])
        for rank in range(6)
        for place in (1, 2, 3)
    ]
    taken = pd.DataFrame(rows, columns=["respondent", "step", "ability", "item"])
    drawn = figures.selected_items(taken, ITEMS, 2, "bank")
    later, looking = drawn.axes[0].lines
    assert looking.get_xdata().tolist() == later.get_xdata().tolist() == [1, 2, 3, 4, 5, 6]
    assert looking.get_ydata().tolist() == [1 + step * rank for rank in range(6)]
    assert later.get_ydata().tolist() == [2 + step * rank for rank in range(6)]
    assert claim in drawn.get_suptitle()


@pytest.mark.parametrize(
    ("lengths", "capped", "scale"),
    [
        ([10, 20, 50], [False, False, True], "linear"),
        ([10, 20, 51], [False, False, True], "log"),
        ([10, 20, 30], [False] * 3, "linear"),
    ],
)
def test_who_reached_the_limit_stands_apart_from_numbers_of_items(lengths, capped, scale):
    abilities = [-1.0, 0.0, 1.0]
    stopped = pd.DataFrame({"ability": abilities, "n_items": lengths, "reached_limit": capped})
    drawn = figures.stopping(stopped, "bank")
    (axes,) = drawn.axes
    dots, *limited = axes.lines
    assert dots.get_ydata().tolist() == [n for n, at in zip(lengths, capped) if not at]
    limit = [stopped.loc[capped, "ability"].tolist()] if any(capped) else []
    assert [line.get_xdata().tolist() for line in limited] == limit
    assert ("2 of 3" in drawn.get_suptitle()) == any(capped)
    assert axes.get_yscale() == scale


def test_the_frontier_says_how_much_the_error_grows_at_the_top():
    """Only where there are respondents, from -1.5 to 1.5: 0.05 beyond them is not the best."""
    errors = [0.05, 0.4, 0.1, 0.25, 0.25]
    curve = pd.DataFrame({"ability": [-2.0, -1.0, 0.0, 1.0, 2.0], "se": errors})
    drawn = figures.frontier(curve, ABILITY, pd.Series([1.0, 1.5]), "bank")
    line, best, top, ticks = drawn.axes[0].lines
    assert line.get_ydata().tolist() == [0.4, 0.1, 0.25]
    assert (best.get_xdata()[0], best.get_ydata()[0]) == (0, 0.1)
    assert ticks.get_xdata().tolist() == ABILITY.tolist()
    np.testing.assert_allclose(top.get_ydata(), [0.25, 0.25])
    assert "the error is 2.5 times the bank's best" in drawn.get_suptitle()
    assert drawn.axes[0].get_ylim() == (0, pytest.approx(0.42))


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


def paired(fluid_variation, fluid_order):
    """Two models with three random subsets and one adaptive test, at ten items."""
    drawn = [("random", 0, 2.0, 0.5), ("random", 1, 4.0, 0.7), ("random", 2, 3.0, 0.6)]
    drawn += [("fluid", 0, fluid_variation, fluid_order)]
    columns = ["method", "draw", "total_variation", "monotonicity"]
    tables = [pd.DataFrame(drawn, columns=columns).assign(model=name) for name in ("a", "b")]
    return pd.concat(tables, ignore_index=True).assign(bank="one", n_items=10)


def test_a_pair_is_the_adaptive_test_against_the_median_of_subsets():
    drawn = figures.pairs(paired(1.5, 0.9), "mine")
    middles = [
        [line.get_ydata()[0] for line in axes.lines if line.get_linewidth() == 2]
        for axes in drawn.axes
    ]
    assert middles == [pytest.approx([1.5 / 3]), pytest.approx([0.9 - 0.6])]
    # Better is below the line on the left, above it on the right.
    assert [axes.lines[-1].get_ydata()[0] for axes in drawn.axes] == [1, 0]
    said = "Adaptive tests vary less in {0}, rise more steadily in {0} of pairs\nmine"
    assert drawn.get_suptitle() == said.format("100%")
    for no_better in ((3.0, 0.6), (5.0, 0.1)):
        assert figures.pairs(paired(*no_better), "mine").get_suptitle() == said.format("0%")


def test_models_without_a_number_are_in_no_pair():
    table = paired(1.5, 0.9)
    table.loc[table["model"] == "a", "total_variation"] = np.inf
    assert figures.pairs(table, "mine").axes[0].get_title() == "1 pairs"
    nothing = figures.pairs(table.assign(total_variation=np.nan), "mine")
    assert nothing.axes[0].texts[0].get_text().startswith("not measured")


@pytest.mark.parametrize(("at_50", "enough"), [(1.0, True), (2.0, True), (2.1, False)])
def test_the_title_says_how_few_items_are_enough(at_50, enough):
    rows = [("random", 10, 5.0), ("random", 500, 2.0)]
    rows += [("fluid", 10, 3.0), ("fluid", 50, at_50), ("fluid", 500, 2.5)]
    table = pd.DataFrame(rows, columns=["method", "n_items", "value"])
    table = table.assign(measure="rank_distance", lower=1.0, upper=6.0, n_models=18)
    title = figures.quality(table, "mine").get_suptitle()
    assert ("50 adaptive items are as valid as 500 random ones" in title) == enough
