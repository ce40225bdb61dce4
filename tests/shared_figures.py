"""What unit tests of several packages share: figures that can be read, and answers of families."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit

GOLDEN = Path(__file__).parent / "golden"


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

    from studies.style import COLUMN, SMALLEST

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


@pytest.fixture
def styled():
    """Figures have the project's style for a test, and are closed after it."""
    from studies.style import style

    with style():
        yield


@pytest.fixture(scope="session")
def as_reviewed():
    """Compares a text with a file of ``tests/golden`` that was read through.

    ``SATURATION_REVIEW=1 pytest ...`` writes it anew: read the difference before it is committed.
    """

    def compared(file, text):
        if os.environ.get("SATURATION_REVIEW"):
            (GOLDEN / file).write_text(text, encoding="utf-8")
        assert text.splitlines() == (GOLDEN / file).read_text(encoding="utf-8").splitlines()

    return compared


@pytest.fixture(scope="session")
def figures_as_reviewed(as_reviewed):
    """The same of all that a study's figures show, but for the sizes of letters and marks."""

    def compared(name, figures):
        lines = [line for key, figure in figures.items() for line in (key, *_seen(figure), "")]
        as_reviewed(f"figures_{name}.txt", "\n".join(lines))

    return compared


def _seen(figure):
    """Size and words of a figure, then axes, words and marks of every panel."""
    words = (figure.get_suptitle(), figure.get_supylabel(), figure.get_supxlabel())
    yield f"size {_numbers(figure.get_size_inches())}"
    yield from (_line(text) for text in words if text)
    yield from map(_legend, figure.legends)
    for axes in figure.axes:
        if not axes.get_visible():
            continue
        yield f"panel {_line(''.join(_titles(axes)))}"
        for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            ticks = " | ".join(_line(label.get_text()) for label in axis.get_ticklabels())
            limits = _numbers(axis.get_view_interval())
            yield f"  {name} {limits}: {_line(axis.get_label_text())} [{ticks}]"
        if axes.get_legend():
            yield f"  {_legend(axes.get_legend())}"
        yield from (f"  {mark}" for mark in map(_mark, axes.get_children()) if mark)


def _legend(legend):
    labels = " | ".join(_line(text.get_text()) for text in legend.texts)
    return f"legend {_line(legend.get_title().get_text())}: {labels}"


def _mark(artist):
    """Kind, look and numbers of a mark; nothing of what is not drawn or is no mark."""
    from matplotlib.collections import Collection, LineCollection, PathCollection
    from matplotlib.colors import to_hex
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.text import Annotation, Text

    def colours(values):
        return " ".join(dict.fromkeys(to_hex(value) for value in values))

    match artist:
        case Line2D():
            look = f"{artist.get_marker()} {artist.get_linestyle()} {to_hex(artist.get_color())}"
            return f"line {look}: {_numbers(artist.get_xydata())}"
        case Rectangle() if artist.axes:  # the panel itself has none
            look = f"{to_hex(artist.get_facecolor())} {artist.get_hatch() or ''}".rstrip()
            return f"bar {look}: {_numbers([*artist.get_xy(), *artist.get_bbox().size])}"
        case LineCollection():
            ends = np.reshape(artist.get_segments(), (-1, 4))
            return f"bars {colours(artist.get_colors())}: {_numbers(ends)}"
        case PathCollection():
            return f"points {colours(artist.get_facecolors())}: {_numbers(artist.get_offsets())}"
        case Collection() if artist.get_paths():
            edge = artist.get_paths()[0].vertices
            return f"band {colours(artist.get_facecolors())}: {_numbers(edge)}"
        case AxesImage():
            return f"image {artist.get_clim()}: {_numbers(artist.get_array())}"
        case Text() if artist.get_text().strip() and artist.get_text() not in _titles(artist.axes):
            place = artist.xy if isinstance(artist, Annotation) else artist.get_position()
            return f"text {_numbers(place)}: {_line(artist.get_text())}"
    return None


def _line(text):
    return " ".join(text.split())


def _titles(axes):
    return [axes.get_title(place) for place in ("left", "center", "right")]


def _numbers(values):
    """Six digits of each; of more than a dozen points the first, the middle and the last."""
    # What is nought but for rounding differs between processors.
    rows = np.atleast_2d(np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)).round(12) + 0.0
    kept = rows if len(rows) <= 12 else rows[[0, len(rows) // 2, -1]]
    return ", ".join(" ".join(f"{value:.6g}" for value in row) for row in kept)
