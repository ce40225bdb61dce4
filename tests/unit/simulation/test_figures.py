from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.pages import style
from saturation.simulation import figures
from saturation.simulation.check import FAILS, HOLDS

TABLE = Path(__file__).resolve().parents[3] / "resources/simulation/table.csv"


@pytest.fixture
def drawn(table):
    with style.style():
        yield figures.levels(table)


def points(figure):
    """Where the points of each kind stand, by their label."""
    (axes,) = figure.axes
    return {
        line.get_label(): np.asarray(line.get_xdata())
        for line in axes.lines
        if line.get_label().startswith("found")
    }


def test_the_title_counts_what_holds(drawn, table):
    assert drawn.get_suptitle() == "2 of 5 checks hold what they state"
    with style.style():
        figure = figures.levels(table.assign(verdict=HOLDS))
    assert figure.get_suptitle() == "All 5 checks hold what they state"


def test_no_text_lies_on_another(drawn, overlapping):
    assert overlapping(drawn) == []


def test_points_stand_between_what_is_stated_and_the_limits(drawn):
    found = points(drawn)
    # 0.94 of 0.95 stated and at least 0.93; 0.9; 0.6 is farther off than the edge.
    assert found["found, holds"] == pytest.approx([-0.5, -0.5])
    assert found["found, does not hold"] == pytest.approx([-2.5, -figures.FARTHEST])
    (axes,) = drawn.axes
    holds, fails = (np.array(bars.get_segments()) for bars in axes.collections)
    assert holds[:, :, 0] == pytest.approx(np.array([[-1, 0], [-1, 0]]))
    assert fails[0, :, 0] == pytest.approx([-3.5, -1.5])
    assert (fails[1, :, 0] == -figures.FARTHEST).all()
    markers = {line.get_marker() for line in axes.lines if line.get_label() in found}
    assert len(markers) == 2


def test_the_upper_limit_is_one_and_one_that_is_stated_itself_has_the_other_side(row):
    table = pd.DataFrame(
        [
            row("above", found=0.975, found_low=0.95, found_high=0.985),
            row("at_most", stated=0.05, lower=0.02, upper=0.05, found=0.065, found_low=0.035,
                found_high=0.08, verdict=FAILS),
        ]
    )  # fmt: skip
    away = figures._relative(table)
    assert away["found"].tolist() == pytest.approx([1, 0.5])
    assert away["found_low"].tolist() == pytest.approx([0, -0.5])
    assert away["found_high"].tolist() == pytest.approx([1.4, 1])


def test_each_package_has_a_row_with_its_counts(row):
    names = ["saturation.index.interval", "index.other", "a.first.one", "a.second.two"]
    table = pd.DataFrame(
        [row(f"c{place}", estimator=name) for place, name in enumerate(names)]
        + [row("f", estimator="a.first.one", verdict=FAILS)]
    )
    with style.style():
        (axes,) = figures.levels(table).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "index"]
    assert [text.get_text() for text in axes.texts] == ["2 of 3\none (1 not)", "2 of 2"]
    for line in axes.lines:
        if line.get_label().startswith("found"):
            assert set(np.round(line.get_ydata())) <= {0, 1}


def test_more_failing_estimators_than_have_room_are_counted(row):
    table = pd.DataFrame([row(f"c{n}", estimator=f"a.f{n}", verdict=FAILS) for n in range(5)])
    with style.style():
        (axes,) = figures.levels(table).axes
    assert axes.texts[0].get_text().splitlines() == [
        "0 of 5", "f0 (1 not)", "f1 (1 not)", "f2 (1 not)", "2 more",
    ]  # fmt: skip


def test_what_does_not_hold_in_the_table_is_named_in_words():
    table = pd.read_csv(TABLE)
    failing = table.loc[table["verdict"] == FAILS, "estimator"].str.removeprefix("saturation.")
    assert set(failing) == set(figures.WORDS)
