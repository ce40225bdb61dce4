"""Render the tables of checks in docs/simulation.md from the committed one (make docs)."""

import re
from pathlib import Path

import pandas as pd

from saturation.files import stages
from saturation.simulation.check import HOLDS
from saturation.simulation.schemas import TABLE
from saturation.simulation.table import by_estimator, compact

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "simulation.md"
COMMITTED = ROOT / "resources" / "simulation" / "table.csv"
BLOCK = re.compile(r"(<!-- checks -->\n).*(<!-- /checks -->)", re.DOTALL)


def rendered(text: str) -> str:
    """The page's text with fresh tables: a summary, what does not hold, and all by part, folded."""
    table = stages.read(COMMITTED, TABLE)
    shown = compact(table).drop(columns="error of the simulation")
    fails = shown[shown["verdict"] != HOLDS].drop(columns="verdict")
    parts = [
        f"{len(table) - len(fails)} of {len(table)} checks hold.\n",
        f"### What does not hold\n\n{markdown(fails)}",
        f"### By estimator\n\n{markdown(by_estimator(table))}",
        "### Every check\n",
        *(folded(name, own) for name, own in shown.groupby(shown["estimator"].map(part))),
    ]
    content = "\n".join(parts)
    return BLOCK.sub(lambda match: match[1] + content + match[2], text)


def part(estimator: str) -> str:
    """The package of an estimator."""
    return estimator.removeprefix("saturation.").partition(".")[0]


def folded(name: str, own: pd.DataFrame) -> str:
    """The checks of a package, which open at a click."""
    holding = int((own["verdict"] == HOLDS).sum())
    summary = f"{name}: {holding} of {len(own)} hold"
    return f"<details><summary>{summary}</summary>\n\n{markdown(own)}\n</details>\n"


def markdown(table: pd.DataFrame) -> str:
    """A table without spaces that line it up: they would be most of the page."""
    lines = table.to_markdown(index=False, disable_numparse=True).splitlines()
    closer = [re.sub(r" {2,}", " ", re.sub(r"-{3,}", "--", line)) for line in lines]
    return "\n".join(closer) + "\n"


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
