"""What the figures of the controls say."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PathCollection

from saturation.pages import style
from saturation.plateau import controls, equal_top, figures


def texts(axes):
    return [text.get_text() for text in axes.texts]


@pytest.fixture(scope="module")
def drawn(results):
    with style.style():
        yield figures.effects(results["controls"])


def test_the_effects_are_counted_in_the_title_and_marked(drawn, results):
    verdicts = controls.without_n(results["controls"])
    title = drawn.get_suptitle()
    assert title.startswith(f"{verdicts['shown'].sum()} of {len(verdicts)} effects")
    assert title.endswith(f"; {verdicts['kept'].sum()} of them without test-set size")
    marks = texts(drawn.axes[-1])
    assert marks.count("stays") == verdicts["kept"].sum()
    assert marks.count("goes") == (verdicts["shown"] & ~verdicts["kept"]).sum()


def test_every_panel_holds_its_control(drawn, results):
    rows = results["controls"]
    for axes, control in zip(drawn.axes, ("index", "dealt_n", None, "gap_rank")):
        dots = [marks for marks in axes.collections if isinstance(marks, PathCollection)]
        found = np.sort(np.concatenate([marks.get_offsets()[:, 0] for marks in dots]))
        same_n = rows["control"].str.startswith("same_n")
        chosen = same_n if control is None else rows["control"] == control
        expected = np.sort(rows.loc[chosen, "effect"].dropna().to_numpy())
        assert np.asarray(found) == pytest.approx(expected)
    labels = [label.get_text() for label in drawn.axes[0].get_yticklabels()]
    first = labels.index("H1 public − private")
    assert labels[first + 1 : first + 3] == ["at equal age", "H2 English-only − others"]


def test_the_equal_top_says_how_many_gaps_are_small(results):
    table = results["equal_top"]
    counts = equal_top.counted(table, 0.7).query("errors == 'items' and dependence == 0")
    saturated = counts[counts["saturated"]]
    with style.style():
        figure = figures.equal_top(table, 0.7)
        figure.canvas.draw()
        left, right = figure.axes
        assert figure.get_suptitle().startswith(
            f"At most {(saturated['n'] - saturated['larger']).max()} of 29 saturated benchmarks"
        )
        assert left.lines[0].get_ydata() == pytest.approx(saturated["n"] - saturated["larger"])
        assert "20 equal models" in right.get_xlabel()
        assert sum(len(dots.get_offsets()) for dots in right.collections) == 60


def test_without_a_saturated_benchmark_or_a_row_the_figure_says_so(results):
    low = results["equal_top"].assign(s_index=0.1)
    with style.style():
        for table in (low, low.head(0)):
            figure = figures.equal_top(table, 0.7)
            figure.canvas.draw()
            assert figure.get_suptitle() == "No benchmark is saturated"


def test_effects_that_are_not_defined_leave_their_rows_empty(results):
    table = results["controls"].assign(effect=np.nan, lower=np.nan, upper=np.nan, p_value=np.nan)
    with style.style():
        figure = figures.effects(pd.DataFrame(table))
        figure.canvas.draw()
    assert figure.get_suptitle().startswith(f"0 of {len(controls.without_n(table))} ")
