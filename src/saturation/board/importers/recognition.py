"""Which format a file has, from its content: its name is never asked."""

import json
from collections.abc import Iterable, Mapping

from saturation.board.importers import plain
from saturation.errors import InputError

UNDERSTOOD = (
    "lm-evaluation-harness results (JSON with 'results')",
    "lm-evaluation-harness samples (JSONL with 'doc_id')",
    "Every Eval Ever aggregate (JSON with 'evaluation_results')",
    "Every Eval Ever samples (JSONL with 'sample_id' and 'evaluation')",
    "HELM per_instance_stats (JSON list with 'instance_id' and 'stats')",
    "a leaderboard (CSV or Parquet with the columns model, score)",
    "responses (CSV or Parquet with the columns model, item, response; or with a first column "
    "'model' or 'item' and one column for each item or model)",
    "attempts (CSV or Parquet with the columns model, item, attempts, correct)",
)

# What tells the JSON formats apart: all of these keys at the top of a document or of a line.
_DOCUMENT_KEYS = {"lm_eval_results": ("results",), "every_eval_ever": ("evaluation_results",)}
_LINE_KEYS = {
    "lm_eval_samples": ("doc_id",),
    "every_eval_ever_samples": ("sample_id", "evaluation"),
}
_ELEMENT_KEYS = {"helm": ("instance_id", "stats")}


def shape(head: bytes, file: str) -> str:
    """``parquet``, ``array``, ``object`` or ``text``, from a file's first bytes.

    Raises
    ------
    InputError
        For an empty file, an HTML page and a compressed or other binary file.
    """
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start:
        raise InputError(f"{file}: the file is empty")
    if start.startswith(b"<"):
        raise InputError(
            f"{file}: this is an HTML page, not data; it was probably saved from a browser or is "
            "an error page of a download: fetch the raw file"
        )
    if start.startswith(b"PAR1"):
        return "parquet"
    if b"\x00" in head or start.startswith((b"\x1f\x8b", b"PK")):
        raise InputError(f"{file}: a compressed or binary file; unpack it first")
    return {b"[": "array", b"{": "object"}.get(start[:1], "text")


def first_object(line: str) -> dict[str, object] | None:
    """The object that is the whole of a line; None if the line is not a whole object."""
    try:
        content = json.loads(line)
    except json.JSONDecodeError:
        return None
    return content if isinstance(content, dict) else None


def line_format(keys: Iterable[str]) -> str | None:
    """Format of a JSONL file from the keys of its first line."""
    return _match(keys, _LINE_KEYS)


def document_format(keys: Iterable[str], file: str) -> str:
    """Format of a JSON document from its top-level keys."""
    return _match(keys, _DOCUMENT_KEYS) or unknown(file, keys)


def element_format(keys: Iterable[str], file: str) -> str:
    """Format of a JSON list from the keys of its first element."""
    return _match(keys, _ELEMENT_KEYS) or unknown(file, keys)


def table_format(columns: list[str], file: str) -> str:
    """Format of a plain table from its columns."""
    return plain.kind(columns) or unknown(file, columns)


def unknown(file: str, found: Iterable[str]) -> str:
    """Refuse a file of unknown format.

    Raises
    ------
    InputError
        Always; it lists what is understood.
    """
    shown = ", ".join(list(map(str, found))[:12]) or "nothing"
    raise InputError(
        [
            f"{file}: the format is not recognised (found: {shown}); understood are:",
            *(f"  - {entry}" for entry in UNDERSTOOD),
        ]
    )


def _match(keys: Iterable[str], formats: Mapping[str, tuple[str, ...]]) -> str | None:
    present = set(keys)
    return next((name for name, needed in formats.items() if present.issuperset(needed)), None)
