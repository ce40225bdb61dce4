"""One style for figures and pages: colour-blind-safe palette, sizes and small helpers.

Pages need no Matplotlib, so it is imported where a figure is drawn.
"""

# Okabe and Ito (2008): distinguishable with every common form of colour blindness.
PALETTE = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "yellow": "#F0E442",
    "grey": "#8A8A8A",
    "black": "#222222",
}

# In small letters, as style sheets have them.
_MARKS = {name: colour.lower() for name, colour in PALETTE.items()}

# Colours of pages by their names in the style sheets, on light and on dark ground. Text and links
# are darker or lighter than the palette's: they need more contrast than marks do.
PAGE = {
    "light": {
        "ink": "#1f2328",
        "soft": "#59636e",
        "line": "#d1d9e0",
        "ground": "#ffffff",
        "panel": "#f6f8fa",
        "link": "#0058a3",
        "good": "#00614a",
        "bad": "#a33c00",
        "focus": _MARKS["blue"],
        "mark": _MARKS["blue"],
        "tie": _MARKS["vermilion"],
        "warn": _MARKS["yellow"],
    },
    "dark": {
        "ink": "#e6edf3",
        "soft": "#9aa4af",
        "line": "#3d444d",
        "ground": "#0d1117",
        "panel": "#151b23",
        "link": "#79c0ff",
        "good": "#56d4a4",
        "bad": "#ffa264",
        "focus": _MARKS["sky"],
        "mark": _MARKS["sky"],
        "tie": _MARKS["orange"],
        "warn": _MARKS["yellow"],
    },
}


def short(text: str, most: int) -> str:
    """Shorten a name to some letters; the last says that letters are left out."""
    return text if len(text) <= most else text[: most - 1] + "…"
