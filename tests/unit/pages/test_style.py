"""Names that are too long, and contrasts of pages."""

import pytest
from matplotlib.colors import to_rgb

from saturation.pages import style


def test_a_long_name_is_cut_where_it_says_so():
    assert [style.short("name", most) for most in (4, 3, 9)] == ["name", "na…", "name"]


def luminance(colour):
    """Relative luminance, as the web content guidelines define it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


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
