"""The style of figures holds inside its context only, and its helpers draw what they say."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.layout_engine import ConstrainedLayoutEngine
from PIL import Image

from studies import style


def test_the_style_holds_inside_its_context_and_closes_its_figures():
    before = mpl.rcParams["axes.spines.top"], mpl.rcParams["font.size"]
    with style.style():
        plt.figure()
        assert not mpl.rcParams["axes.spines.top"]
        assert mpl.rcParams["font.size"] == 9
        colours = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
        assert colours == style.CYCLE
    assert (mpl.rcParams["axes.spines.top"], mpl.rcParams["font.size"]) == before
    assert plt.get_fignums() == []


def test_every_colour_of_the_palette_has_its_name():
    names = {name: getattr(style, name.upper()) for name in style.PALETTE}
    assert names == style.PALETTE


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


def test_a_figure_s_png_keeps_its_colours_with_few_of_them(tmp_path):
    with style.style():
        figure, axes = plt.subplots(figsize=(3, 2))
        axes.axhspan(0, 1, color=style.PALETTE["vermilion"])
        axes.imshow(np.arange(600).reshape(20, 30), cmap="viridis", aspect="auto", zorder=2)
        style.write_figure(figure, [tmp_path / "few.png"])
        figure.savefig(tmp_path / "many.png", dpi=200)
    with Image.open(tmp_path / "few.png") as few, Image.open(tmp_path / "many.png") as many:
        assert few.size == many.size == (600, 400)
        assert few.getcolors(256)
        assert few.info["dpi"] == pytest.approx((200, 200), abs=0.1)
        moved = np.abs(np.asarray(few.convert("RGB"), int) - np.asarray(many.convert("RGB"), int))
        assert moved.max() < 40
        assert moved.mean() < 3


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_figures_are_written_with_the_same_bytes(tmp_path, suffix):
    for name in ("one", "two"):
        with style.style():
            figure, axes = plt.subplots(figsize=(2, 2))
            axes.plot([0, 1], [0, 1])
            axes.fill_between([0, 1], [0, 1], hatch="/")  # hatches and clips have ids in SVG
            axes.annotate("n = 2", xy=(0, 0))
            style.write_figure(figure, [tmp_path / "new" / f"{name}.{suffix}"])
    first, second = (
        (tmp_path / "new" / f"{name}.{suffix}").read_bytes() for name in ("one", "two")
    )
    assert len(first) > 1000
    assert first == second


def test_last_bits_of_the_layout_change_no_byte(tmp_path, monkeypatch):
    execute = ConstrainedLayoutEngine.execute
    noise = iter((0.0, 3e-16))

    def moved(engine, figure):
        execute(engine, figure)
        (axes,) = figure.axes
        box = axes.get_position(original=True)
        axes._set_position(box.translated(0, next(noise)))

    monkeypatch.setattr(ConstrainedLayoutEngine, "execute", moved)
    for name in ("one", "two"):
        with style.style():
            figure, axes = plt.subplots(figsize=(2, 2))
            axes.plot([0, 1], [0, 1])
            style.write_figure(figure, [tmp_path / f"{name}.svg"])
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_figures_go_to_the_paths_that_name_them(tmp_path):
    with style.style():
        drawn = {name: plt.subplots(figsize=(size, 1))[0] for name, size in (("a", 1), ("b", 2))}
        style.write_figures(
            drawn, [tmp_path / f"{name}.{s}" for name in "ba" for s in ("png", "svg")]
        )
    wide = {name: plt.imread(tmp_path / f"{name}.png").shape[1] for name in "ab"}
    assert wide["b"] == 2 * wide["a"]
    assert (tmp_path / "a.svg").exists()
