"""A claim, a page or a caption names each headline number; other numbers stay in tables."""

import re
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[3]
PLACES = [
    "resources/ledger/evidence/*.csv", "docs/*.md", "docs/blocks/*", "docs/site/*.md",
    "docs/tables/*.csv", "docs/tools/*.py", "README.md", "workflow/report/*/*.rst",
]  # fmt: skip
# Quantities that no place names, because they are made of every benchmark where some are quoted.
# The numbers may only fall.
UNNAMED = {
    "boards": 2,
    "discriminability": 161,
    "forecast": 6,
    "plateau": 37,
    "renewal": 15,
    "robustness": 103,
}


@pytest.fixture(scope="module")
def named():
    """The words of all places; bounds name their quantity."""
    text = "\n".join(path.read_text("utf-8") for place in PLACES for path in ROOT.glob(place))
    words = set(re.findall(r"\w+", text))
    return words | {re.sub("_(lower|upper)$", "", word) for word in words}


@pytest.mark.parametrize("study", UNNAMED)
def test_quantities_are_named_somewhere(named, study):
    made = set(pd.read_csv(ROOT / f"tests/golden/quantities_{study}.csv")["quantity"])
    assert len(made - named) <= UNNAMED[study], sorted(made - named)


def test_every_study_is_counted():
    golden = (ROOT / "tests/golden").glob("quantities_*.csv")
    assert {path.stem.removeprefix("quantities_") for path in golden} == set(UNNAMED)
