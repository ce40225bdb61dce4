import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import figures, growth, names
from saturation.pages import style

MONTHS = ["2024-01", "2024-02", "2024-04"]
BEST = {("v", "a"): [0.5, 0.86, 0.8], ("v", "b"): [0.2, 0.3, 0.4], ("w", "c"): [0.7, 0.9, 0.95]}
BDI = {("v", "a"): [0.8, 0.7, 0.6], ("v", "b"): [0.5, 0.55, 0.6], ("w", "c"): [0.9, 0.8, 0.7]}
GAP = {("v", "a"): [0.02, 0.009, 0.01], ("v", "b"): [0.03, 0.02, 0.02], ("w", "c"): [0.005] * 3}


@pytest.fixture(autouse=True)
def _style():
    with style.style():
        yield
    plt.close("all")


@pytest.fixture
def monthly():
    frames = [
        pd.DataFrame(
            {"leaderboard": board, "benchmark": name, "month": MONTHS, "elapsed": [0, 1, 3],
             "n_models": [100, 60, 40], "max_score": best, "ceiling_proximity": best,
             "bdi": BDI[board, name], "top10_gap": GAP[board, name],
             "n_submitters": [80, 55, 30], "bdi_submitters": np.array(BDI[board, name]) + 0.02,
             "bdi_submitters_lower": [*(np.array(BDI[board, name]) - 0.05)[:2], np.nan],
             "bdi_submitters_upper": [*(np.array(BDI[board, name]) + 0.06)[:2], np.nan]}
        )
        for (board, name), best in BEST.items()
    ]  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def lines(axes):
    """Label to the data of each line that is in the legend."""
    return {
        line.get_label(): np.array(line.get_xydata())
        for line in axes.lines
        if not line.get_label().startswith("_")
    }


def title_of(axes):
    """The title, which the style puts on the left."""
    return axes.get_title(loc="left")


def suptitle(figure):
    """The title over all panels, however it breaks."""
    return " ".join(figure.get_suptitle().split())


def test_trajectories_are_the_best_scores_in_percent(monthly):
    left, right = figures.trajectories(monthly[::-1]).axes
    # More than 85 %: a; b never comes near.
    assert title_of(left) == "v: 1 of 2 passed 85 %"
    assert lines(left)["a"].tolist() == [[0, 50], [1, 86], [3, 80]]
    assert lines(right)["c"][:, 1] == pytest.approx([70, 90, 95])
    assert left.get_xlabel() == "window (n = 200, 40 to 100 a window)"
    assert left.get_xticks().tolist() == [0, 1, 3]
    level = monthly.assign(max_score=monthly["max_score"].clip(upper=0.85))
    assert title_of(figures.trajectories(level).axes[0]) == "v: 0 of 2 passed 85 %"


def test_the_index_is_drawn_with_its_interval_and_the_papers_beside_it(monthly):
    large = pd.DataFrame(
        {"leaderboard": ["v", "v", "w"], "benchmark": ["a", "b", "c"],
         "p_value": [0.01, 0.3, np.nan],
         "comparison": "first_to_last", "last_window": "large",
         "submitters_change": [-0.1, 0.1, np.nan],
         "significant": pd.Series([True, False, None], dtype=object)}
    )  # fmt: skip
    other = large.assign(p_value=0.01, submitters_change=0.2, significant=True)
    others = other.assign(last_window="any"), other.assign(comparison="peak_to_last")
    changes = pd.concat([large, *others])
    figure = figures.discriminability(monthly, changes)
    shown = [axes for axes in figure.axes if axes.get_visible()]
    said = ["a (v): fell", "b (v): unclear", "c (w): not tested"]
    assert [title_of(axes) for axes in shown] == said
    assert suptitle(figure).endswith("1 fell, 1 unclear, 1 not tested")
    drawn = lines(shown[1])
    assert drawn["each submitter once"][:, 1] == pytest.approx([0.52, 0.57, np.nan], nan_ok=True)
    hollow = drawn["the same, too few for an interval"][:, 1]
    assert hollow == pytest.approx([np.nan, np.nan, 0.62], nan_ok=True)
    assert drawn["the paper's: each evaluation once"][:, 1].tolist() == [0.5, 0.55, 0.6]
    band = shown[2].collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == pytest.approx((0.75, 0.96))
    sizes = figure.legends[0].get_title().get_text()
    assert sizes == "9 windows, of 30 to 80 submitters each"


def test_curves_say_whether_a_ceiling_is_projected(monthly):
    fit = {"leaderboard": "v", "benchmark": ["a", "b"], "rate": 0.5, "midpoint": 1.0}
    paper = pd.DataFrame({**fit, "reading": "paper", "ceiling": 0.8, "r_squared": 0.876})
    honest = pd.DataFrame({**fit, "reading": "honest", "ceiling": 0.9, "abstains": [False, True]})
    figure = figures.curves(monthly, pd.concat([paper, honest]))
    first, second = figure.axes
    assert suptitle(figure) == "v: a ceiling can be projected for 1 of 2 benchmarks"
    assert title_of(first) == "a: L = 90 %\npaper: L = 80.0 %, R² = 0.88"
    assert title_of(second).startswith("b: no projection\n")
    drawn = lines(first)
    assert drawn["best of the window"][:, 1].tolist() == [50, 86, 80]
    assert drawn["best so far"][:, 1].tolist() == [50, 86, 86]
    months = drawn["paper's bounds"][:, 0]
    assert (months[0], months[-1]) == (0, pytest.approx(3.9))
    for label, ceiling in (("paper's bounds", 0.8), ("ceiling ≥ best so far", 0.9)):
        expected = 100 * growth.logistic(months, ceiling, 0.5, 1)
        assert drawn[label][:, 1] == pytest.approx(expected)
    # A curve that is no projection is faint.
    assert [axes.lines[3].get_alpha() for axes in (first, second)] == [None, 0.35]


def test_the_status_is_that_of_the_latest_window(monthly):
    axes = figures.status(monthly).axes[0]
    # In the order of the ceiling proximity; 0.95 alone is above 0.85.
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "b (v, 2024-04, n = 40)", "a (v, 2024-04, n = 40)", "c (w, 2024-04, n = 40)"
    ]  # fmt: skip
    widths = {bar.get_y() + bar.get_height() / 2: bar.get_width() for bar in axes.patches}
    assert widths == pytest.approx({0: 40, 1: 80, 2: 95})
    assert [text.get_text() for text in axes.texts] == ["BDI 0.60", "BDI 0.60", "BDI 0.70"]
    assert suptitle(axes.figure).startswith("1 of 3 benchmarks")


def test_gaps_are_in_points(monthly):
    figure = figures.gaps(monthly)
    assert suptitle(figure).startswith("In 44% of windows")
    # 0.01 itself is not below 1 point.
    said = ["a (v): 1 of 3", "b (v): 0 of 3", "c (w): 3 of 3"]
    assert [title_of(axes) for axes in figure.axes] == said
    drawn = lines(figure.axes[0])
    assert drawn["mean gap of the top ten"][:, 1] == pytest.approx([2, 0.9, 1])
    assert set(drawn["1 point"][:, 1]) == {1}


def test_kinds_have_their_gains_in_the_title(monthly):
    paces = pd.DataFrame(
        {"leaderboard": ["v", "v", "w"], "benchmark": ["a", "b", "c"],
         "kind": ["knowledge", "reasoning", "other"], "gain_a_month": [0.012, 0.046, 0.1]}
    )  # fmt: skip
    left, right = figures.kinds(monthly, paces).axes
    assert title_of(left) == "v, points a month:\nknowledge +1.2, reasoning +4.6"
    assert title_of(right) == "w, points a month:\n"
    assert lines(left)["a (knowledge)"][:, 1].tolist() == [50, 86, 86]  # the best so far


@pytest.mark.parametrize(("sign", "rho"), [(-1, "+1.00"), (1, "−1.00")])
def test_the_overview_says_how_the_two_measures_agree(monthly, sign, rho):
    index = monthly[names.KEYS].assign(scope="window", s_index=0.5 + sign * monthly["bdi"] / 2)
    axes = figures.overview(monthly, index).axes[0]
    assert title_of(axes) == f"BDI and S go together: rank correlation {rho}"
    points = np.concatenate([part.get_offsets() for part in axes.collections])
    expected = np.column_stack([1 - monthly["bdi"], index["s_index"]])
    np.testing.assert_allclose(np.sort(points, axis=0), np.sort(expected, axis=0))


def test_bin_choice_counts_the_shifts_within_the_papers_bounds():
    months = [f"2024-0{i}" for i in range(1, 5)]
    shifts = {10: [0.07, 0.0, -0.05, 0.08], 20: [0] * 4, 50: [-0.2, -0.07, -0.01, -0.1]}
    table = pd.concat(
        pd.DataFrame({"leaderboard": "v", "benchmark": "a", "month": months, "bins": bins,
                      "bdi": np.array(by, dtype=float)})
        for bins, by in shifts.items()
    )  # fmt: skip
    summary = pd.DataFrame(
        {"bins": [10, 20, 50], "order_agreement": [0.8, 1, 0.7],
         "worst_month_agreement": [0.5, 1, 0.4], "trend_agreement": [0.9, 1, 0.75]}
    )  # fmt: skip
    figure = figures.bin_choice(table, summary, 20)
    # 5 of 8.
    assert "62% of shifts of BDI are within ±0.07, 75% to 90% of trends" in suptitle(figure)
    heights = [line[:, 1].tolist() for line in lines(figure.axes[1]).values()]
    assert heights == [[0.8, 1, 0.7], [0.5, 1, 0.4], [0.9, 1, 0.75]]
    assert "n = 4 benchmark-windows" in [text.get_text() for text in figure.texts]


def test_declines_are_confirmed_where_the_families_decline_too():
    chosen = pd.DataFrame(
        {"leaderboard": "v", "benchmark": ["a", "b", "c", "d"], "comparison": "first_to_last",
         "last_window": "large", "unit": "family", "members": [16, 20, 3, 12],
         "plain_change": [-0.2, -0.1, -0.3, 0.1],
         "corrected_change": [-0.15, 0.05, np.nan, -0.2],
         "corrected_change_lower": [-0.25, np.nan, np.nan, -0.3],
         "corrected_change_upper": [-0.01, np.nan, np.nan, -0.1]}
    )  # fmt: skip
    others = [chosen.assign(unit="model"), chosen.assign(last_window="any"),
              chosen.assign(comparison="peak_to_last")]  # fmt: skip
    figure = figures.population(pd.concat([chosen, *others], ignore_index=True))
    axes = figure.axes[0]
    # Of three declines one has enough families, and its interval leaves out 0; d did not decline.
    said = "fell in 3: 1 can be tested on the same families, 1 confirmed"
    assert suptitle(figure).endswith(said)
    bars = axes.containers[0]
    assert bars.lines[0].get_xdata().tolist() == [-0.15, -0.2]
    ends = [segment[:, 0].tolist() for segment in bars.lines[2][0].get_segments()]
    assert ends == [pytest.approx(e) for e in ([-0.25, -0.01], [-0.3, -0.1])]
    drawn = lines(axes)
    assert drawn["families present in both, too few for an interval"][:, 0].tolist() == [0.05]
    assert drawn["all submitted models"][:, 0].tolist() == [-0.2, -0.1, -0.3, 0.1]


def test_retirement_counts_the_criteria_met():
    table = pd.DataFrame(
        {"leaderboard": "v", "benchmark": ["a"] * 2 + ["b"], "month": ["2024-01", "2024-03",
         "2024-01"], "elapsed": [0, 2, 0], "met": [1, 3, 0], "due": [False, True, False]}
    )  # fmt: skip
    axes = figures.retirement(table).axes[0]
    assert title_of(axes) == "v: a met all three"
    # None for the window that b does not have.
    assert [text.get_text() for text in axes.texts] == ["1", "3", "0"]
    assert axes.images[0].get_array().tolist() == [[1, 3], [0, None]]
    none = figures.retirement(table.assign(due=False)).axes[0]
    assert title_of(none) == "v: none met all three"
