"""Fill the measured parts of README.md and docs from results/ (make docs)."""

import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

from saturation.files.tables import read_table, records, write_text
from saturation.ledger.names import VERDICTS

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
IMAGES = {
    "boards": "boards/overview.png",
    "sensitivity": "plateau/sensitivity.png",
    "permuted_n": "plateau/permuted_n.png",
}


BLOCKS = ROOT / "docs" / "blocks"
# Parts of docs/forecast.md.
FORECAST = ("forecast_scores", "forecast_indices", "forecast_lives")


def values() -> dict[str, Any]:
    """Everything that the texts quote."""
    summary = read_table(RESULTS / "ledger/summary.csv")
    (total,) = records(summary[summary["paper"] == "all"])
    quoted: dict[str, Any] = {name.replace(" ", "_"): total[name] for name in total}
    for row in records(read_table(RESULTS / "ledger/grades.csv")):
        quoted[row["grade"].replace(",", "").replace(" ", "_")] = row["claims"]
    for study in ("plateau", "regression", "forecast", "boards"):
        for row in records(read_table(RESULTS / study / "quantities.csv")):
            name = row["quantity"]
            quoted[name] = row["value"]
            if study in ("forecast", "boards"):
                quoted |= {f"{name}_{key}": row[key] for key in ("lower", "upper", "note")}
            if row["quantity"] == "h2_age_adjusted_effect":
                quoted |= {"h2_lower": row["lower"], "h2_upper": row["upper"]}
    quoted["n_boards_told_apart"] = quoted["n_boards"] - quoted["n_boards_kth_tied"]
    return quoted | {"table": summary.to_markdown(index=False)}


def plateau_only(quoted: dict[str, object]) -> dict[str, object]:
    """The same with the counts of the plateau paper's claims."""
    ledger = read_table(RESULTS / "ledger/ledger.csv")
    counts = Counter(ledger.loc[ledger["paper"] == "plateau", "verdict"])
    named = {verdict.replace(" ", "_"): counts[verdict] for verdict in VERDICTS}
    return {**quoted, **named, "claims": counts.total()}


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
    quoted = values()
    rewrite(ROOT / "README.md", "first", block("first").format(**quoted))
    rewrite(ROOT / "README.md", "ledger", block("ledger").format(**quoted))
    rewrite(ROOT / "README.md", "forecast", block("forecast").format(**quoted))
    for part in FORECAST:
        rewrite(ROOT / "docs/forecast.md", part, block(part).format(**quoted))
    rewrite(ROOT / "docs/plateau.md", "findings", block("findings").format(**plateau_only(quoted)))
    for name, source in IMAGES.items():
        shutil.copyfile(RESULTS / "figures" / source, ROOT / "docs/images" / f"{name}.png")
