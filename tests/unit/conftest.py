"""What holds for every figure that any unit test draws: it can be read on a printed page."""

import pytest


@pytest.fixture(scope="session")
def unreadable():
    """A function that says why a figure cannot be read on a printed page, if it cannot."""
    # Only for tests that draw.
    from matplotlib.text import Text

    from saturation.drawing.style import SMALLEST, WIDTH

    def reasons(figure):
        width = figure.get_figwidth()
        wide = [f"{width:g} inches wide, more than {WIDTH:g}"] if width > WIDTH else []
        small = {
            f"'{text.get_text()}' has {text.get_fontsize():g} points, less than {SMALLEST:g}"
            for text in figure.findobj(Text)
            if text.get_visible() and text.get_text().strip() and text.get_fontsize() < SMALLEST
        }
        return wide + sorted(small)

    return reasons


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
