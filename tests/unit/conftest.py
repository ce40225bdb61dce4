"""What unit tests of several packages share: figures that can be read, and answers of families."""

import numpy as np
import pytest
from scipy.special import expit


@pytest.fixture(scope="session")
def family_answers():
    """A function that draws a bank of 100 items, and the family of each of its 28 models.

    The two-parameter model with a chance to guess; where families differ, each is better at some
    tenths of the items than at others.
    """
    from saturation.adaptive.responses import Bank

    def drawn(guessing=0.0, families_differ=True, models=4):
        random, families, items = np.random.default_rng(8), np.repeat(np.arange(7), models), 100
        slope, difficulty = np.exp(random.normal(0, 0.5, items)), random.normal(0, 1, items)
        ability = random.normal(0, 0.7, 7)[families] + random.normal(0, 0.7, len(families))
        topics = np.repeat(random.normal(0, 0.7, (7, 10))[families], 10, axis=1)
        knows = expit(slope * (ability[:, None] - difficulty) + families_differ * topics)
        chance = guessing + (1 - guessing) * knows
        cells = (random.random(chance.shape) < chance).astype(np.int8)
        names = [f"m{row}" for row in range(len(cells))]
        return Bank(names, [f"i{item}" for item in range(items)], cells), list(map(str, families))

    return drawn


@pytest.fixture(scope="session")
def unreadable():
    """A function that says why a figure cannot be read on a printed page, if it cannot."""
    # Only for tests that draw.
    from matplotlib.text import Text

    from saturation.pages.style import COLUMN, SMALLEST

    def reasons(figure):
        width = figure.get_figwidth()
        wide = [f"{width:g} inches wide, more than {COLUMN:g}"] if width > COLUMN else []
        small = {
            f"'{text.get_text()}' has {text.get_fontsize():g} points, less than {SMALLEST:g}"
            for text in figure.findobj(Text)
            if text.get_visible() and text.get_text().strip() and text.get_fontsize() < SMALLEST
        }
        return wide + sorted(small)

    return reasons


@pytest.fixture(scope="session")
def overlapping():
    """A function that names the level texts of a figure that lie on each other or are cut off."""
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    def shown(figure):
        ticks, seen = set(), set()
        for axes in figure.findobj(Axes):
            for axis in (axes.xaxis, axes.yaxis):
                ticks.update(tick.label1 for tick in [*axis.majorTicks, *axis.minorTicks])
                if axes.axison and axes.get_visible():
                    # Labels of ticks outside the limits are made, and not drawn.
                    seen.update(tick.label1 for tick in axis._update_ticks())
        for text in figure.findobj(Text):
            upright = text.get_rotation() % 90 == 0
            # A remark's first lines are empty, the key stands there.
            said = bool(text.get_text().strip()) and not text.get_text().startswith(" \n")
            if text.get_visible() and upright and said and (text not in ticks or text in seen):
                yield text, text.get_window_extent()

    def pairs(figure):
        figure.canvas.draw()
        texts = list(shown(figure))
        cut = [
            (text.get_text(), "the edge")
            for text, box in texts
            if min(box.x0, figure.bbox.x1 - box.x1) < -2
        ]
        return cut + [
            (first.get_text(), second.get_text())
            for place, (second, box) in enumerate(texts)
            for first, other in texts[:place]
            # A pixel or two are the space around letters.
            if min(box.x1, other.x1) - max(box.x0, other.x0) > 1
            and min(box.y1, other.y1) - max(box.y0, other.y0) > 1.5
        ]

    return pairs


@pytest.fixture(autouse=True, scope="module")
def figures_that_print(request):
    """Each figure that a module of tests on figures makes is checked when its tests are done."""
    if not request.module.__name__.endswith("figures"):
        yield
        return
    import matplotlib.pyplot as plt

    unreadable = request.getfixturevalue("unreadable")
    made, make = [], plt.figure

    def collected(*args, **options):
        made.append(make(*args, **options))
        return made[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(plt, "figure", collected)
        yield
    assert made
    found = {reason for figure in made for reason in unreadable(figure)}
    assert not found, "\n".join(sorted(found))
