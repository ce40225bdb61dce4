"""Fill the measured parts of README.md and docs from results/ (make docs)."""

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from saturation.files.tables import read_table, write_text
from saturation.ledger.quoted import quoted
from saturation.ledger.verdict import VERDICTS

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
IMAGES = {
    "boards": "boards/overview.png",
    "sensitivity": "plateau/sensitivity.png",
    "permuted_n": "plateau/permuted_n.png",
}


# Whose headline numbers the texts quote.
STUDIES = ("plateau", "regression", "forecast", "boards")
BLOCKS = ROOT / "docs" / "blocks"
# Parts of docs/forecast.md.
FORECAST = ("forecast_scores", "forecast_indices", "forecast_lives")


def values() -> dict[str, Any]:
    """Everything that the texts quote."""
    summary = read_table(RESULTS / "ledger/summary.csv")
    grades = read_table(RESULTS / "ledger/grades.csv")
    tables = {study: read_table(RESULTS / study / "quantities.csv") for study in STUDIES}
    return quoted(tables, summary, grades) | {"table": summary.to_markdown(index=False)}


def plateau_only(named: dict[str, Any]) -> dict[str, Any]:
    """The same with the counts of the plateau paper's claims."""
    ledger = read_table(RESULTS / "ledger/ledger.csv")
    counts = Counter(ledger.loc[ledger["paper"] == "plateau", "verdict"])
    by_verdict = {verdict.replace(" ", "_"): counts[verdict] for verdict in VERDICTS}
    return {**named, **by_verdict, "claims": counts.total()}


def block(name: str) -> str:
    """Text of a block, with the quantities to fill in named in braces."""
    return (BLOCKS / f"{name}.md").read_text(encoding="utf-8")


def filled(text: str, name: str, content: str) -> str:
    """The text with the named block replaced."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*(<!-- /{name} -->)", re.DOTALL)
    return pattern.sub(lambda match: match[1] + content + match[2], text)


def rewrite(path: Path, name: str, content: str) -> None:
    """Replace a block of a file."""
    write_text(filled(path.read_text(encoding="utf-8"), name, content), path)


if __name__ == "__main__":
    named = values()
    rewrite(ROOT / "README.md", "first", block("first").format(**named))
    rewrite(ROOT / "README.md", "ledger", block("ledger").format(**named))
    rewrite(ROOT / "README.md", "forecast", block("forecast").format(**named))
    for part in FORECAST:
        rewrite(ROOT / "docs/forecast.md", part, block(part).format(**named))
    rewrite(ROOT / "docs/plateau.md", "findings", block("findings").format(**plateau_only(named)))
    for name, source in IMAGES.items():
        shutil.copyfile(RESULTS / "figures" / source, ROOT / "docs/images" / f"{name}.png")
