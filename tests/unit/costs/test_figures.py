"""The figure of costs draws every rule's numbers beside its name."""

import pandas as pd
import pytest

from saturation.costs import figures
from saturation.costs.jobs import Totals
from saturation.pages import style

RULES = pd.DataFrame(
    {
        "rule": ["slow", "quick"],
        "jobs": [3, 1],
        "wall_s": [30.0, 2.0],
        "cpu_s": [28.0, 1.5],
        "start_s": [4.0, 1.0],
        "max_rss_mb": [300.0, 120.0],
    }
)


@pytest.fixture
def drawn():
    with style.style():
        yield figures.costs(RULES, Totals(wall=32, cpu=40, start=10, critical=12.4), {"slow"})


def test_the_costliest_rule_is_on_top_and_the_critical_path_marked(drawn):
    time, _ = drawn.axes
    labels = {label.get_text(): place for label, place in zip(time.get_yticklabels(),
                                                              time.get_yticks())}  # fmt: skip
    assert labels == {"quick": 0, "→ slow ×3": 1}


def test_bars_are_as_long_as_the_costs(drawn):
    time, memory = drawn.axes
    wall, cpu = ([bar.get_width() for bar in bars] for bars in time.containers)
    assert (wall, cpu) == ([2.0, 30.0], [1.5, 28.0])
    assert [bar.get_width() for bar in memory.containers[0]] == [120.0, 300.0]
    assert time.lines[0].get_xdata().tolist() == [1.0, 4.0]
    # The two bars of a rule stand above and below its line.
    assert [bar.get_y() + bar.get_height() / 2 for bar in time.containers[0]] == pytest.approx(
        [0.2, 1.2]
    )


def test_titles_and_labels_say_the_sums_and_units(drawn):
    time, memory = drawn.axes
    assert drawn.get_suptitle() == "Start-up is 25% of 40 processor seconds"
    assert time.get_xlabel() == "seconds, summed over a rule's jobs"
    assert memory.get_xlabel() == "largest memory, MB"
    assert drawn.get_supxlabel().endswith(
        "n = 4 jobs of 2 rules; → on the critical path, 12 s long"
    )
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == [
        "start-up (interpreter and imports)", "wall time", "processor time",
    ]  # fmt: skip
