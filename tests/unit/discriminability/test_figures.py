import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from saturation.discriminability import figures, names
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
    assert suptitle(left.figure) == "2 of 3 benchmarks passed 85 %"
    assert lines(left)["a"].tolist() == [[0, 50], [1, 86], [3, 80]]
    assert lines(right)["c"][:, 1] == pytest.approx([70, 90, 95])
    assert left.get_xlabel() == "window (n = 200, 40 to 100 a window)"
    assert left.get_xticks().tolist() == [0, 1, 3]
    level = monthly.assign(max_score=monthly["max_score"].clip(upper=0.85))
    assert suptitle(figures.trajectories(level)).startswith("0 of 3")


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
    said = ["a (v)\nfell", "b (v)\nunclear", "c (w)\nnot tested"]
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


@pytest.mark.parametrize(("sign", "rho"), [(-1, "+1.00"), (1, "−1.00")])
def test_the_overview_says_how_the_two_measures_agree(monthly, sign, rho):
    index = monthly[names.KEYS].assign(scope="window", s_index=0.5 + sign * monthly["bdi"] / 2)
    axes = figures.overview(monthly, index).axes[0]
    assert title_of(axes) == f"BDI and S go together: rank correlation {rho}"
    points = np.concatenate([part.get_offsets() for part in axes.collections])
    expected = np.column_stack([1 - monthly["bdi"], index["s_index"]])
    np.testing.assert_allclose(np.sort(points, axis=0), np.sort(expected, axis=0))


def test_retirement_counts_the_criteria_met():
    table = pd.DataFrame(
        {"leaderboard": "v", "benchmark": ["a"] * 2 + ["b"], "month": ["2024-01", "2024-03",
         "2024-01"], "elapsed": [0, 2, 0], "met": [1, 3, 0], "due": [False, True, False]}
    )  # fmt: skip
    axes = figures.retirement(table).axes[0]
    assert suptitle(axes.figure).startswith("a met all three")
    # None for the window that b does not have.
    assert [text.get_text() for text in axes.texts] == ["1", "3", "0"]
    assert axes.images[0].get_array().tolist() == [[1, 3], [0, None]]
    none = figures.retirement(table.assign(due=False))
    assert suptitle(none).startswith("No benchmark met")
