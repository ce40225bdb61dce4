"""Draw the README's badges from what they speak of (make docs): no service is asked."""

import re
import tomllib
from pathlib import Path
from xml.sax.saxutils import escape

import pandas as pd

from saturation.files.tables import read_table, write_text

ROOT = Path(__file__).resolve().parents[3]
IMAGES = ROOT / "docs" / "images"
SUMMARY = ROOT / "results" / "ledger" / "summary.csv"
VALIDATION = ROOT / "validation" / "table.csv"
# Of a letter of 11 pixels, on average; browsers fit the text to the width that is given.
LETTER, MARGIN, HEIGHT = 6.3, 7, 20
DRAWN = """<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img" aria-label="{what}: {value}">
<title>{what}: {value}</title>
<rect width="{width:.0f}" height="{height}" rx="3" fill="#0b5394"/>
<path d="M3 0h{left:.1f}v{height}h-{left:.1f}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="#444"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{margin}" y="14" textLength="{what_length:.1f}">{what}</text>
<text x="{second:.1f}" y="14" textLength="{value_length:.1f}">{value}</text>
</g>
</svg>
"""  # noqa: E501


def drawn(what: str, value: str) -> str:
    """A badge: what it speaks of, and its value."""
    lengths = [LETTER * len(text) for text in (what, value)]
    widths = [length + 2 * MARGIN for length in lengths]
    return DRAWN.format(
        what=escape(what),
        value=escape(value),
        width=sum(widths),
        height=HEIGHT,
        margin=MARGIN,
        left=widths[0] - 3,
        second=widths[0] + MARGIN,
        what_length=lengths[0],
        value_length=lengths[1],
    )


def values(summary: pd.DataFrame, validation: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """What each badge says, by its name.

    Parameters
    ----------
    summary
        The ledger's counts by paper and sense, the last row of all.
    validation
        The committed table of checks.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lowest, beyond = map(int, re.findall(r"3\.(\d+)", project["requires-python"]))
    every = summary.iloc[-1]
    hold = (validation["verdict"] == "holds").sum()
    return {
        "claims": (
            f"{every['claims']} claims",
            f"{every['reproduced']} reproduced, {every['differs']} differ",
        ),
        "validation": ("stated levels that hold", f"{hold} of {len(validation)}"),
        "python": ("Python", f"3.{lowest} to 3.{beyond - 1}"),
        "licence": ("licence", project["license"]),
    }


if __name__ == "__main__":
    for name, said in values(read_table(SUMMARY), read_table(VALIDATION)).items():
        write_text(drawn(*said), IMAGES / f"badge_{name}.svg")
