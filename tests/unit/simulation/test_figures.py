import pytest

from saturation.drawing import style
from saturation.simulation import figures
from saturation.simulation.check import HOLDS


@pytest.fixture
def drawn(table):
    with style.style():
        yield figures.levels(table)


def texts(axes):
    return [text.get_text().strip() for text in axes.texts]


def test_the_title_counts_what_holds(drawn, table):
    assert drawn.axes[0].get_title(loc="left") == "2 of 5 checks hold what they state"
    with style.style():
        figure = figures.levels(table.assign(verdict=HOLDS))
    assert figure.axes[0].get_title(loc="left") == "All 5 checks hold what they state"


def test_what_fails_is_named_or_counted_and_what_is_far_off_has_its_distance(drawn, table):
    assert texts(drawn.axes[0]) == ["2 of 3 do not hold", "die_b (nothing was stated)"]
    for check, text in (("coin_b", "coin_b"), ("coin_c", "coin_c (-35)")):
        with style.style():
            alone = figures.levels(table[table["check"] == check])
        assert texts(alone.axes[0]) == [text]


def test_each_estimator_has_one_label_and_each_check_its_band_and_point(drawn):
    axes = drawn.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "a.module.coin", "a.module.die",
    ]  # fmt: skip
    bands = sorted((round(bar.get_x(), 6), round(bar.get_width(), 6)) for bar in axes.patches)
    assert bands == [(-2.0, 4.5)] * 5
    points = {
        container.get_label(): container.lines[0].get_xdata().tolist()
        for container in axes.containers
        if hasattr(container, "lines")
    }
    assert points["found, holds"] == pytest.approx([-1, -1])
    # What is farther off than the axis stands at its edge.
    assert points["found, does not hold"] == pytest.approx([-5, -figures.FARTHEST])
