"""Render the table of checks in docs/simulation.md from the committed one (make docs)."""

import re
from pathlib import Path

from saturation.files import stages
from saturation.simulation.check import HOLDS
from saturation.simulation.schemas import TABLE
from saturation.simulation.table import compact

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "simulation.md"
COMMITTED = ROOT / "resources" / "simulation" / "table.csv"
BLOCK = re.compile(r"(<!-- checks -->\n).*(<!-- /checks -->)", re.DOTALL)


def rendered(text: str) -> str:
    """The page's text with a fresh table."""
    table = stages.read(COMMITTED, TABLE)
    shown = compact(table).drop(columns="error of the simulation")
    holding = int((table["verdict"] == HOLDS).sum())
    content = f"{holding} of {len(table)} checks hold.\n\n{shown.to_markdown(index=False)}\n"
    return BLOCK.sub(lambda match: match[1] + content + match[2], text)


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
