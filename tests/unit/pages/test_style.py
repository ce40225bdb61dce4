"""The style of figures holds inside its context only, and its helpers draw what they say."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_rgb

from saturation.pages import style


def test_the_style_holds_inside_its_context_and_closes_its_figures():
    before = mpl.rcParams["axes.spines.top"], mpl.rcParams["font.size"]
    with style.style():
        plt.figure()
        assert not mpl.rcParams["axes.spines.top"]
        assert mpl.rcParams["font.size"] == 9
        colours = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
        assert colours == [style.PALETTE[name] for name in style.CYCLE]
    assert (mpl.rcParams["axes.spines.top"], mpl.rcParams["font.size"]) == before
    assert plt.get_fignums() == []


def luminance(colour):
    """Relative luminance, as the web content guidelines define it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_bins_darken_as_saturation_rises():
    shades = [luminance(colour) for colour in style.BIN_COLOURS.values()]
    assert shades == sorted(shades, reverse=True)
    assert list(style.BIN_COLOURS) == ["very_low", "low", "moderate", "high", "very_high"]


def test_a_headline_breaks_where_the_figure_ends():
    with style.style():
        figure = plt.figure(figsize=(4, 3))
        style.headline(figure, "A finding\n" + "word " * 20)
        first, *rest = figure.get_suptitle().splitlines()
    assert first == "A finding"
    assert len(rest) > 1
    assert max(map(len, rest)) <= 4 * style.HEADLINE_LETTERS_AN_INCH


def test_a_percent_sign_stays_with_its_number():
    with style.style():
        figure = plt.figure(figsize=(1, 1))
        style.footnote(figure, "bands of 50 % and 80 %")
        lines = figure.get_supxlabel().splitlines()
    assert lines == ["bands of 50 % and", "80 %"]


def test_a_long_name_is_cut_where_it_says_so():
    assert [style.short("name", most) for most in (4, 3, 9)] == ["name", "na…", "name"]


@pytest.mark.parametrize(("columns", "rows"), [(4, 1), (2, 2), (1, 3)])
@pytest.mark.parametrize("words", [3, 60])
def test_a_key_stands_between_the_panels_and_its_remark(columns, rows, words):
    with style.style():
        figure, axes = plt.subplots(figsize=(5, 3))
        for name in ("one", "two", "three"):
            axes.plot([0, 1], label=name)
        axes.set_xlabel("below the axes")
        style.key(figure, axes, "word " * words, columns)
        figure.canvas.draw()
        legend = figure.legends[0].get_window_extent()
        remark = figure.get_supxlabel().split("\n")
        label = axes.xaxis.label.get_window_extent()
        (text,) = [text for text in figure.texts if text.get_text() == figure.get_supxlabel()]
        whole = text.get_window_extent()
    written = [line for line in remark if line.strip()]
    assert remark[: 2 * rows] == [" "] * (2 * rows)
    assert len(written) == len(remark) - 2 * rows
    assert legend.y1 <= label.y0
    assert legend.y0 >= whole.y0 + whole.height * len(written) / len(remark) - 2


def contrast(first, second):
    lighter, darker = sorted([luminance(first), luminance(second)], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", style.PAGE)
def test_text_of_pages_has_contrast_on_its_ground(scheme):
    colours = style.PAGE[scheme]
    for name in ("ink", "soft", "link", "good", "bad"):
        for ground in ("ground", "panel"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
    assert style.PAGE["light"].keys() == style.PAGE["dark"].keys()
