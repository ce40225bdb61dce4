"""Fill the measured parts of README.md and docs/plateau.md from results/ (make docs)."""

import re
import shutil
from pathlib import Path

from saturation.files.tables import read_table, write_text

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
IMAGES = {
    "sensitivity": "plateau/sensitivity.png",
    "permuted_n": "plateau/permuted_n.png",
}


BLOCKS = ROOT / "docs" / "blocks"


def values() -> dict[str, object]:
    """Everything that the texts quote."""
    summary = read_table(RESULTS / "ledger/summary.csv")
    plateau = read_table(RESULTS / "plateau/quantities.csv").set_index("quantity")
    regression = read_table(RESULTS / "regression/quantities.csv")
    total = summary[summary["study"] == "all"].iloc[0].to_dict()
    shown = summary.rename(columns={"study": "paper's study"})
    effect = plateau.loc["h2_age_adjusted_effect"]
    return {
        **plateau["value"].to_dict(),
        **regression.set_index("quantity")["value"].to_dict(),
        **{name: total[name] for name in ("reproduced", "differs", "undecidable", "claims")},
        "table": shown.to_markdown(index=False),
        "h2_lower": effect["lower"],
        "h2_upper": effect["upper"],
    }


def plateau_only(quoted: dict[str, object]) -> dict[str, object]:
    """The same with the plateau study's own counts of claims."""
    ledger = read_table(RESULTS / "ledger/ledger.csv")
    counts = ledger[ledger["study"] == "plateau"]["verdict"].value_counts()
    return {**quoted, **counts.to_dict(), "claims": int(counts.sum())}


def block(name: str) -> str:
    """Text of a block, with the quantities to fill in named in braces."""
    return (BLOCKS / f"{name}.md").read_text(encoding="utf-8")


def filled(text: str, name: str, content: str) -> str:
    """The text with the named block replaced."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*(<!-- /{name} -->)", re.DOTALL)
    return pattern.sub(lambda found: found[1] + content + found[2], text)


def rewrite(path: Path, name: str, content: str) -> None:
    """Replace a block of a file."""
    write_text(filled(path.read_text(encoding="utf-8"), name, content), path)


if __name__ == "__main__":
    quoted = values()
    rewrite(ROOT / "README.md", "ledger", block("ledger").format(**quoted))
    rewrite(ROOT / "docs/plateau.md", "findings", block("findings").format(**plateau_only(quoted)))
    for name, source in IMAGES.items():
        shutil.copyfile(RESULTS / "figures" / source, ROOT / "docs/images" / f"{name}.png")
