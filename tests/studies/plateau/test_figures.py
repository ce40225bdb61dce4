"""Figures show the numbers of their tables, and their titles no more than the tests say."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection

from studies.plateau import figures
from studies.plateau.names import FIGURES

pytestmark = pytest.mark.usefixtures("styled")


@pytest.fixture
def names(results):
    return results["benchmarks"].set_index("benchmark_id")["name"]


def points(axes):
    """Of every set of points, one below the other."""
    sets = [
        artist.get_offsets() for artist in axes.collections if isinstance(artist, PathCollection)
    ]
    return np.concatenate(sets)


def drawn(figure):
    """Draw it, so that layout and text are really done."""
    figure.canvas.draw()
    return figure


def test_figures_are_those_that_were_read_through(results, overlapping, figures_as_reviewed):
    made = figures.figures(results, 5, 0.5, 0.7)
    assert sorted(made) == sorted(FIGURES)
    figures_as_reviewed("plateau", made)
    for name, figure in made.items():
        assert overlapping(figure) == [], name


def test_of_more_benchmarks_than_a_page_can_name_the_figure_keeps_its_size(results, names):
    copies = [results["index"].assign(benchmark_id=lambda t, n=n: t["benchmark_id"] + f"_{n}")
              for n in range(10)]  # fmt: skip
    index = pd.concat(copies, ignore_index=True)
    intervals = index[["benchmark_id"]].assign(s_lower=index["s_index"], s_upper=1.0)
    figure = drawn(figures.overview(index, intervals, names, 0.7))
    (axes,) = figure.axes
    assert figure.get_figheight() == figures.UNNAMED_HEIGHT
    assert axes.get_ylabel() == "600 benchmarks, by S"
    assert len(points(axes)) == 600


def segments(axes):
    return np.concatenate(
        [part.get_segments() for part in axes.collections if isinstance(part, LineCollection)]
    )


@pytest.mark.parametrize(("p", "finding"), [(0.05, "a difference"), (0.0501, "no difference")])
def test_a_difference_is_claimed_up_to_five_percent(results, p, finding):
    tests = results["tests"].assign(p_value=p, effect=-0.1)
    rates = results["groups"].query("hypothesis == 'h1'")
    panel = figures._describe_groups("h1", rates, pd.Series(), {**results, "tests": tests})
    assert panel.title.startswith(f"H1 accessibility: {finding}")
    assert panel.numbers.startswith("difference −0.10 (p = 0.05); at equal age −0.10 (p = 0.05)")


@pytest.fixture
def trend():
    return pd.Series({"estimate": 0.123, "p_value": 0.456})


@pytest.mark.parametrize(
    ("estimate", "p", "said"),
    [
        (0.2, 0.05, "S rises with citations (Spearman 0.20, p = 0.05)"),
        (-0.2, 0.05, "S falls with citations (Spearman -0.20, p = 0.05)"),
        (-0.2, 0.2, "No evidence that S falls with citations (Spearman -0.20, p = 0.20)"),
        (np.nan, np.nan, "S and citations: the correlation is not defined"),
    ],
)
def test_a_title_claims_what_is_shown(estimate, p, said):
    assert figures._describe_citations(pd.Series({"estimate": estimate, "p_value": p})) == said


def test_citations_that_are_not_counted_are_said_and_none_is_one(results, data, trend):
    uncited = data.copy()
    uncited.loc[uncited["citations"].idxmin(), "citations"] = 0
    (axes,) = figures.citation_bins(uncited, results["bins"], trend).axes
    missing = int(data["citations"].isna().sum())
    assert f"{missing} without a count not shown" in axes.get_xlabel()
    lines = segments(axes)
    flat, upright = np.log(lines[::2, :, 0]), np.log(lines[1::2, 0, 0])
    assert upright == pytest.approx(flat.mean(axis=1))
    shown = points(axes)
    assert np.isfinite(shown[:, 0]).sum() == 60 - missing
    assert np.nanmin(shown[:, 0]) == 1
