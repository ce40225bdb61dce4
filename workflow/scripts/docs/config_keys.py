"""Render the table of config keys in config/README.md from the schema (make docs)."""

import re
from pathlib import Path
from typing import Any

import yaml

from saturation.planning import config
from saturation.planning.config import STUDIES

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "config" / "README.md"
BLOCK = re.compile(r"(<!-- keys -->\n).*(<!-- /keys -->)", re.DOTALL)


def schema() -> dict[str, Any]:
    """The config's schema with each study's part put in, as the workflow loads it."""
    folder = ROOT / "workflow" / "schemas"
    parts = {
        path.name.split(".")[0]: yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in folder.glob("*.yaml")
    }
    return config.assemble(parts, STUDIES)


def rendered(text: str) -> str:
    """The README's text with a fresh table."""
    return BLOCK.sub(lambda match: match[1] + config.render_keys(schema()) + match[2], text)


if __name__ == "__main__":
    README.write_text(rendered(README.read_text(encoding="utf-8")), encoding="utf-8")
