"""List the numbers in README.md and docs that are typed and not rendered from results.

Of these docs/blocks/constants.yaml names what may be typed, by page: what a method sets, what a
paper prints, what describes an input, what was measured once. Small whole numbers and years may
stand anywhere.
"""

import importlib.util
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import ModuleType

import yaml

ROOT = Path(__file__).resolve().parents[3]
CONSTANTS = ROOT / "docs" / "blocks" / "constants.yaml"
# Blocks, code, addresses and headings' anchors: what is rendered or no number of ours.
ELSEWHERE = re.compile(
    # Sections on time and memory say by which script of speed/ they were measured.
    r"^## (?:What it costs|Cost|How it grows|How it scales|Measured against other libraries)$"
    r".*?(?=^## |\Z)"
    r"|<!-- (\w+) -->\n.*?<!-- /\1 -->|^```.*?^```"
    r"|(?<=\n)(?: {4}[^\n]*\n)+(?=\n|$)|`[^`\n]*`|\]\([^)]*\)",
    re.DOTALL | re.MULTILINE,
)
# Neither inside a word or a version, such as H1 or Llama-3.1, nor the marks of a list.
NUMBER = re.compile(r"(?<![\w.,-])-?(?:\d[\d,]*\d|\d)(?:\.\d+)?(?![\w]|-\w|\.\d)|(?<![\w.])\.\d+")
MARK = re.compile(r"^\d+\. |^#+ \d+\. ", re.MULTILINE)


def pages() -> dict[str, Path]:
    """The texts, by the name under which sentences and constants are listed."""
    docs = {path.stem: path for path in sorted((ROOT / "docs").glob("*.md"))}
    return {"README": ROOT / "README.md", **docs}


def typed(text: str, sentences: Sequence[str]) -> list[tuple[int, str]]:
    """Line and number of each that is typed."""
    readme = _readme()
    spans = [place.span() for place in chain(ELSEWHERE.finditer(text), MARK.finditer(text))]
    for sentence in sentences:
        place = readme.found(text, sentence)
        spans += [place.span(group) for group in range(1, place.re.groups + 1)]
    left = text
    for start, end in spans:
        left = left[:start] + re.sub(r"[^\n]", " ", left[start:end]) + left[end:]
    return [(left.count("\n", 0, place.start()) + 1, place[0]) for place in NUMBER.finditer(left)]


def constants() -> dict[str, set[str]]:
    """What may be typed, by page; under `everywhere` on all."""
    listed = yaml.safe_load(CONSTANTS.read_text(encoding="utf-8"))
    return {page: set(" ".join(reasons.values()).split()) for page, reasons in listed.items()}


def allowed(number: str, named: set[str]) -> bool:
    """Whether a number may be typed: named, a whole number up to ten, or a year."""
    whole = number.isdigit() and (int(number) <= 10 or 1900 <= int(number) <= 2030)
    return whole or number in named


def untraced(said: Mapping[str, Sequence[str]]) -> list[str]:
    """Every number that is neither rendered nor named."""
    named = constants()
    return [
        f"{path.name}:{line}: {number}"
        for page, path in pages().items()
        for line, number in typed(path.read_text(encoding="utf-8"), said.get(page, []))
        if not allowed(number, named.get(page, set()) | named["everywhere"])
    ]


def _readme() -> ModuleType:
    """The script beside this one, which knows where a sentence stands."""
    spec = importlib.util.spec_from_file_location("readme", Path(__file__).with_name("readme.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    print("\n".join(untraced(_readme().sentences())))
