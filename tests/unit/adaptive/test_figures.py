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


def remark(figure):
    """What stands below, in one line."""
    return " ".join(figure.get_supxlabel().split())


@pytest.mark.parametrize(
    ("name", "said"),
    [("livebench", "LiveBench"), ("nlu_snli", "SNLI"), ("nlu", "NLU banks"), ("my_own", "my own")],
)
def test_readers_know_a_bank_by_its_name(name, said):
    assert figures.called(name) == said


def test_item_curves_are_the_models_at_three_items():
    drawn = figures.item_curves(ITEMS, ABILITY, "bank")
    (axes,) = drawn.axes
    *curves, ticks, weak, strong = axes.lines
    assert [line.get_label().split(":")[0] for line in curves] == ["easy", "hard", "flat"]
    assert len({line.get_linestyle() for line in curves}) == 3
    numbers = {}
    for line in curves:
        name, text = line.get_label().replace("−", "-").split(":")
        a, b = (float(part.split("=")[1]) for part in text.split(","))
        x, y = line.get_data()
        assert (x.min(), x.max()) == (-2.5, 2.5)
        item = ITEMS.iloc[(ITEMS["difficulty"] - b).abs().argmin()]
        assert item["discrimination"] == pytest.approx(a, abs=0.006)
        of_item = np.array([item["discrimination"]]), np.array([item["difficulty"]])
        np.testing.assert_allclose(y, model.probability(x, *of_item)[:, 0])
        low, high = model.probability(np.array([-1.2, 1.2]), *of_item)[:, 0]
        numbers[name] = (b, high - low)
    # Among the steeper half, whose difficulties end below 0: nearest to the tenth and ninetieth.
    assert numbers["easy"][0] == pytest.approx(-1.2, abs=0.06)
    assert numbers["hard"][0] == pytest.approx(-0.05, abs=0.01)
    assert [weak.get_xdata()[0], strong.get_xdata()[0]] == pytest.approx([-1.2, 1.2])
    np.testing.assert_array_equal(ticks.get_xdata(), ABILITY)
    assert drawn.get_suptitle() == (
        f"Weak to strong, the hard item rises by {numbers['hard'][1]:.2f}, the flat one by "
        f"{numbers['flat'][1]:.2f}\nbank"
    )
    assert remark(drawn).endswith("ticks: all 11; 40 items")


def test_the_slice_shows_information_against_difficulty():
    drawn = figures.information_slice(ITEMS, 0.5, "bank")
    axes = drawn.axes[0]
    most, rest = (np.asarray(dots.get_offsets()) for dots in axes.collections)
    expected = model.information(
        np.array([0.5]), ITEMS["discrimination"].to_numpy(), ITEMS["difficulty"].to_numpy()
    )[0]
    b, info = np.concatenate([most, rest]).T
    np.testing.assert_allclose(info, np.sort(expected)[::-1])
    np.testing.assert_allclose(np.sort(b), np.sort(ITEMS["difficulty"]))
    # As few items as give half of it.
    assert most[:, 1].sum() >= expected.sum() / 2 > most[:-1, 1].sum()
    assert axes.lines[0].get_xdata()[0] == 0.5
    assert axes.get_ylabel() == "information at θ = 0.5"
    share = len(most) / 40
    assert drawn.get_suptitle() == (
        f"{share:.0%} of the items give half of the information at one ability\nbank"
    )


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


def test_items_stand_by_difficulty_and_respondents_by_ability(monkeypatch):
    monkeypatch.setattr(figures, "FIRST_STEPS", 1)
    drawn = figures.selected_items(taken(harder=True), ITEMS, 2, "bank")
    later, looking = drawn.axes[0].lines
    assert looking.get_xdata().tolist() == later.get_xdata().tolist() == [1, 2, 3, 4, 5, 6]
    assert looking.get_ydata().tolist() == [1, 7, 13, 19, 25, 31]
    assert later.get_ydata().tolist() == [2, 8, 14, 20, 26, 32]
    assert looking.get_marker() != later.get_marker()
    assert drawn.get_suptitle() == (
        "Stronger models are given harder items (rank correlation 1.00)\nbank"
    )
    assert remark(drawn) == "first 2 items of 6 adaptive tests; 40 items"


def test_a_test_that_does_not_adapt_is_not_said_to():
    drawn = figures.selected_items(taken(harder=False), ITEMS, 3, "bank")
    assert drawn.get_suptitle().startswith("Items by ability (rank correlation 0.")


@pytest.mark.parametrize(
    ("lengths", "capped", "title", "scale"),
    [
        ([10, 20, 50], [False, False, True], "2 of 3 tests are precise enough by 50", "linear"),
        ([10, 20, 51], [False, False, True], "2 of 3 tests are precise enough by 51", "log"),
        ([10, 20, 30], [False] * 3, "No one test length suits all: median 20", "linear"),
        ([30, 30, 30], [True] * 3, "0 of 3 tests are precise enough by 30", "linear"),
    ],
)
def test_who_reached_the_limit_stands_apart_from_numbers_of_items(lengths, capped, title, scale):
    stopped = pd.DataFrame(
        {"ability": [-1.0, 0.0, 1.0], "n_items": lengths, "reached_limit": capped}
    )
    drawn = figures.stopping(stopped, "bank")
    (axes,) = drawn.axes
    dots, *limited = axes.lines
    assert dots.get_ydata().tolist() == [n for n, at in zip(lengths, capped) if not at]
    assert [line.get_xdata().tolist() for line in limited] == (
        [stopped.loc[capped, "ability"].tolist()] if any(capped) else []
    )
    assert drawn.get_suptitle().startswith(title)
    assert axes.get_yscale() == scale
    said = [text.get_text() for text in axes.texts]
    assert len(said) == any(capped)
    if any(capped):
        assert said[0].endswith(f"{max(lengths)} items: {sum(capped)} tests")
        # In parts of the axes: above them.
        assert set(limited[0].get_ydata()) == {1.04}


def test_the_frontier_says_how_much_the_error_grows_at_the_top():
    curve = pd.DataFrame({"ability": [-2.0, -1.0, 0.0, 1.0, 2.0], "se": [0.9, 0.4, 0.1, 0.2, 0.3]})
    drawn = figures.frontier(curve, ABILITY, pd.Series([1.0, 1.5]), "bank")
    (axes,) = drawn.axes
    line, best, top, ticks = axes.lines
    # Only where there are respondents: from -1.5 to 1.5.
    assert line.get_ydata().tolist() == [0.4, 0.1, 0.2]
    assert (best.get_xdata()[0], best.get_ydata()[0]) == (0, 0.1)
    assert ticks.get_xdata().tolist() == ABILITY.tolist()
    np.testing.assert_allclose(top.get_ydata(), [0.2, 0.25])
    assert drawn.get_suptitle() == "At the top the error is 2.5 times the bank's best\nbank"
    labels = [text.get_text() for text in drawn.legends[0].get_texts()]
    assert labels == ["the bank's best: 0.1", "top 2 models: up to 0.25"]
    assert axes.get_ylim() == (0, pytest.approx(0.42))


def test_a_smallest_error_outside_all_respondents_is_not_the_banks_best():
    curve = pd.DataFrame({"ability": [-2.0, -1.0, 0.0, 1.0, 2.0], "se": [0.9, 0.4, 0.2, 0.2, 0.1]})
    drawn = figures.frontier(curve, ABILITY, pd.Series([1.0]), "bank")
    assert drawn.get_suptitle().startswith("At the top the error is 1.0 times")


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
    assert drawn.get_suptitle() == (
        "Correlation with the truth: discrimination 1.00, difficulty −1.00\nbank"
    )
    assert left.get_xlabel() == "true log discrimination"
    assert right.get_ylabel() == "fitted difficulty"
