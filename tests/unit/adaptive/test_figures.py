import numpy as np
import pandas as pd
import pytest

from saturation.adaptive import figures, model

ITEMS = pd.DataFrame(
    {
        "item": [f"q{number}" for number in range(40)],
        "discrimination": np.linspace(0.5, 2.5, 40),
        "difficulty": np.linspace(-2, 2, 40)[::-1],
    }
)
ABILITY = pd.Series(np.linspace(-1.5, 1.5, 11))


def said(figure):
    """Every text of a figure."""
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def test_item_curves_are_the_models_at_three_items():
    drawn = figures.item_curves(ITEMS, ABILITY, "bank")
    (axes,) = drawn.axes
    *curves, ticks = axes.lines
    assert [line.get_label().split(":")[0] for line in curves] == ["easy", "hard", "flat"]
    for line in curves:
        a, b = (float(part.split("=")[1]) for part in line.get_label().split(":")[1].split(","))
        x, y = line.get_data()
        assert (x.min(), x.max()) == (-2.5, 2.5)
        item = ITEMS.iloc[(ITEMS["difficulty"] - b).abs().argmin()]
        assert item["discrimination"] == pytest.approx(a, abs=0.006)
        expected = model.probability(
            x, np.array([item["discrimination"]]), np.array([item["difficulty"]])
        )
        np.testing.assert_allclose(y, expected[:, 0])
    easy, hard = (float(line.get_label().split("b = ")[1]) for line in curves[:2])
    # Among the steeper half, whose difficulties end below 0: nearest to the tenth and ninetieth.
    assert easy == pytest.approx(-1.2, abs=0.06)
    assert hard == pytest.approx(-0.05, abs=0.01)
    np.testing.assert_array_equal(ticks.get_xdata(), ABILITY)
    assert axes.get_title().endswith("near its difficulty\nbank")
    assert said(drawn) == ["ticks: 11 respondents; 40 items in the bank"]


def test_the_slice_shows_information_against_difficulty():
    drawn = figures.information_slice(ITEMS, 0.5, "bank")
    axes = drawn.axes[0]
    b, info = np.asarray(axes.collections[0].get_offsets()).T
    expected = model.information(
        np.array([0.5]), ITEMS["discrimination"].to_numpy(), ITEMS["difficulty"].to_numpy()
    )[0]
    np.testing.assert_allclose(info, np.sort(expected))
    np.testing.assert_allclose(np.sort(b), np.sort(ITEMS["difficulty"]))
    assert list(axes.lines[0].get_xdata()) == [0.5, 0.5]
    assert axes.get_yscale() == "log"
    assert axes.get_ylabel() == "information at θ = 0.5"
    colours = np.asarray(axes.collections[0].get_array())
    assert colours.max() == pytest.approx(np.log10(2.5))


def taken(harder):
    """Six respondents; the abler are given harder items, or all the same."""
    items = ITEMS.sort_values("difficulty")["item"].tolist()
    return pd.DataFrame(
        [
            {
                "respondent": f"r{5 - rank}",
                "step": step,
                "ability": rank / 2 + step / 100,
                "item": item,
            }
            for rank in range(6)
            for step, item in enumerate(items[6 * rank :][:3] if harder else items[:3], start=1)
        ]
    )


def test_items_stand_by_difficulty_and_respondents_by_ability():
    drawn = figures.selected_items(taken(harder=True), ITEMS, 2, "bank")
    axes = drawn.axes[0]
    x, y = np.asarray(axes.collections[0].get_offsets()).T
    assert x.tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert y.tolist() == [1, 2, 7, 8, 13, 14, 19, 20, 25, 26, 31, 32]
    assert np.asarray(axes.collections[0].get_array()).tolist() == [1, 2] * 6
    assert axes.get_title() == "Stronger models are given harder items\nbank"
    assert said(drawn) == ["first 2 items of 6 adaptive tests; 40 items"]


def test_a_test_that_does_not_adapt_is_not_said_to():
    drawn = figures.selected_items(taken(harder=False), ITEMS, 3, "bank")
    assert drawn.axes[0].get_title() == "Items given, by ability\nbank"


@pytest.mark.parametrize(
    ("lengths", "capped", "title", "scale"),
    [
        ([10, 20, 50], [False, False, True], "2 of 3 tests are precise enough by 50", "linear"),
        ([10, 20, 51], [False, False, True], "2 of 3 tests are precise enough by 51", "log"),
        ([10, 20, 30], [False] * 3, "No one test length suits all: median 20", "linear"),
        ([30, 30, 30], [True] * 3, "0 of 3 tests are precise enough by 30", "linear"),
    ],
)
def test_stopping_shows_who_reached_the_limit(lengths, capped, title, scale):
    stopped = pd.DataFrame(
        {"ability": [-1.0, 0.0, 1.0], "n_items": lengths, "reached_limit": capped}
    )
    drawn = figures.stopping(stopped, "bank")
    (axes,) = drawn.axes
    everyone, limited = (np.asarray(dots.get_offsets()) for dots in axes.collections)
    assert everyone[:, 1].tolist() == lengths
    assert len(limited) == sum(capped)
    assert axes.get_title().startswith(title)
    assert axes.get_yscale() == scale
    assert (axes.get_legend() is not None) == any(capped)
    if any(capped):
        assert f"({sum(capped)})" in axes.get_legend().get_texts()[0].get_text()


def test_the_frontier_says_how_much_the_error_grows_at_the_top():
    curve = pd.DataFrame({"ability": [-2.0, 0.0, 2.0], "se": [0.4, 0.1, 0.3]})
    drawn = figures.frontier(curve, ABILITY, pd.Series([1.0, 2.0]), "bank")
    (axes,) = drawn.axes
    line, ticks, top = axes.lines
    assert line.get_ydata().tolist() == [0.4, 0.1, 0.3]
    assert ticks.get_xdata().tolist() == ABILITY.tolist()
    np.testing.assert_allclose(top.get_ydata(), [0.2, 0.3])
    assert axes.get_title() == "At the top the error is 3.0 times the bank's best\nbank"
    assert axes.get_legend().get_texts()[0].get_text() == "top 2 models"
    assert axes.get_ylim() == (0, pytest.approx(0.42))


def test_recovered_parameters_stand_against_the_truth():
    fitted = ITEMS.assign(
        discrimination=ITEMS["discrimination"] * 1.5, difficulty=-ITEMS["difficulty"]
    )
    drawn = figures.recovered(ITEMS, fitted, "bank")
    left, right = drawn.axes
    np.testing.assert_allclose(
        np.asarray(left.collections[0].get_offsets()),
        np.log(np.column_stack([ITEMS["discrimination"], fitted["discrimination"]])),
    )
    np.testing.assert_allclose(
        np.asarray(right.collections[0].get_offsets()),
        np.column_stack([ITEMS["difficulty"], fitted["difficulty"]]),
    )
    assert (left.get_title(), right.get_title()) == ("correlation 1.00", "correlation -1.00")
    assert left.get_xlabel() == "true log discrimination"
    assert right.get_ylabel() == "fitted difficulty"
