"""Print the ledger in a terminal: counts by paper and verdict, claims, or a claim's evidence."""

import difflib
import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import Row, json_line, list_rows, shipped
from saturation.ledger import schemas
from saturation.ledger.schemas import PAPERS, UNDETERMINED, VERDICTS, paper
from saturation.pages.templates import readable, wrap

# The tables of the last run, in the package: `make docs` copies them.
SHIPPED = "resources/ledger/judged"
TABLES = ("ledger", "evidence")
LABEL = 11
# Labels of a claim's values, and their columns.
_VALUES = (("printed", "published"), ("computed", "computed"))

NAME = re.compile(r"[a-z]+_\d+")
NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")

# Without a run there, the shipped tables are read.
DEFAULT_RESULTS = Path("results")


def run(options: Namespace) -> str:
    """Return what the command prints."""
    ledger, evidence = load_tables(options.results)
    claims, words = _parse_claims(options)
    chosen = _select(ledger, claims, words, options)
    listed = bool(options.claims or options.paper or options.verdict)
    rows = list_rows(chosen)
    if options.json:
        complete = [{**row, "pieces": _pieces(row, evidence)} for row in rows]
        return json_line(complete if listed else _counts(chosen))
    if claims and not words:
        return "\n\n".join("\n".join(_claim(row, _pieces(row, evidence))) for row in rows)
    return "\n".join(_listed(rows, len(ledger)) if listed else _table(chosen))


def verdict_of(text: str) -> str:
    """Read a verdict as typed: ``not run here``, ``not-run-here`` or ``not_run_here``.

    Examples
    --------
    >>> verdict_of("not-run-here")
    'not run here'
    """
    name = text.replace("-", " ").replace("_", " ").strip().lower()
    if name not in VERDICTS:
        raise ValueError(f"'{text}' is no verdict; there are {', '.join(VERDICTS)}")
    return name


def load_tables(results: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read a run's ledger and the evidence on its claims; without a run, the shipped files."""
    folder = results / "ledger"
    if not (folder / "ledger.csv").is_file():
        if results == DEFAULT_RESULTS:
            return load_shipped()
        raise InputError(f"{folder}/ledger.csv: the file does not exist; `make results` makes it")
    return (
        stages.read(folder / "ledger.csv", schemas.LEDGER, dtype=schemas.AS_TEXT),
        stages.read(folder / "evidence.csv", schemas.JUDGED, dtype={"computed": str}),
    )


def load_shipped() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the ledger and the evidence that the package holds."""
    ledger, evidence = (shipped(f"{SHIPPED}/{name}.parquet") for name in TABLES)
    return stages.read(ledger, schemas.LEDGER), stages.read(evidence, schemas.JUDGED)


def _parse_claims(options: Namespace) -> tuple[list[str], list[str]]:
    """Split the words into identifiers of claims, numbers and words to look for."""
    given = [text.lower() for text in options.claims]
    claims = [text for text in given if NAME.fullmatch(text)]
    return claims, [text for text in given if text not in claims]


def _search(ledger: pd.DataFrame, text: str) -> pd.Series:
    """Claims that print this number, or have these words in their statement or quotation."""
    words = ledger[["statement", "quotation"]].fillna("").agg(" ".join, axis=1)
    said = _plain(words.map(readable))
    number = text.replace(",", "")
    if NUMBER.fullmatch(number):
        printed = pd.to_numeric(ledger["published"], errors="coerce")
        alone = rf"(?<![\d.]){re.escape(number)}(?!\.?\d)"
        found = (printed == float(number)) | said.str.contains(alone)
    else:
        found = said.str.contains(_plain(pd.Series([text])).iloc[0], regex=False)
    if not found.any():
        raise InputError(
            f"no claim prints '{text}' or has it in its statement or quotation; give one number "
            "or a few words as the paper has them"
        )
    return found


def _plain(texts: pd.Series) -> pd.Series:
    """Lower case, without hyphens and without commas in numbers."""
    return texts.str.lower().str.replace(r"(?<=\d),(?=\d)", "", regex=True).str.replace("-", " ")


def _select(
    ledger: pd.DataFrame, claims: list[str], words: list[str], options: Namespace
) -> pd.DataFrame:
    """Return the claims with these names, numbers, words, paper and verdict."""
    known = list(ledger["claim_id"])
    if unknown := [name for name in claims if name not in known]:
        near = difflib.get_close_matches(unknown[0], known, n=3)
        there = f"did you mean {' or '.join(near)}?" if near else f"such as {known[0]}"
        raise InputError(f"the ledger has no claim '{unknown[0]}'; {there}")
    fits = ledger["claim_id"].isin(claims) if claims else pd.Series(True, index=ledger.index)
    for text in words:
        fits &= _search(ledger, text)
    if options.paper:
        fits &= ledger["paper"] == _paper_by_name(options.paper, list(ledger["paper"].unique()))
    if options.verdict:
        fits &= ledger["verdict"] == options.verdict
    return ledger[fits]


def _paper_by_name(text: str, papers: list[str]) -> str:
    """Return the paper with this short name, or with this word among its authors and title."""
    wanted = text.lower()
    matches = [name for name in papers if wanted == name] or [
        name for name in papers if wanted in " ".join(paper(name)[:2]).lower()
    ]
    if len(matches) != 1:
        listed = ", ".join(
            f"{name} ({PAPERS[name].authors})" if name in PAPERS else name for name in papers
        )
        problem = (
            f"several papers match '{text}'" if matches else f"the ledger has no paper '{text}'"
        )
        raise InputError(f"{problem}; there are {listed}")
    return matches[0]


def _counts(ledger: pd.DataFrame) -> dict[Any, dict[Any, int]]:
    """Count the claims by paper and verdict."""
    table = pd.crosstab(ledger["paper"], ledger["verdict"]).reindex(
        index=ledger["paper"].unique(), columns=list(VERDICTS), fill_value=0
    )
    return table.to_dict("index")


def _table(ledger: pd.DataFrame) -> Iterator[str]:
    """Render a line a paper and a line of totals."""
    counts = _counts(ledger)
    total = {name: sum(row[name] for row in counts.values()) for name in VERDICTS}
    first = max(map(len, [*counts, "paper"]))
    yield f"{len(ledger)} claims of {len(counts)} papers"
    yield "  ".join(["paper".ljust(first), *VERDICTS, "claims"])
    for name, row in [*counts.items(), ("all", total)]:
        cells = [str(row[verdict]).rjust(len(verdict)) for verdict in VERDICTS]
        yield "  ".join([name.ljust(first), *cells, str(sum(row.values())).rjust(len("claims"))])


def _listed(rows: list[Row], of: int) -> Iterator[str]:
    """Render a claim in two lines: its verdict with the grade, and its statement."""
    yield f"{len(rows)} of {of} claims"
    for row in rows:
        yield f"{row['claim_id']}  {row['verdict']}: {row['grade']}"
        yield from wrap(f"{row['statement']}{_numbers(row)} ({row['places']})", "  ", "  ")


# What a rule gives in place of a number.
_HOLDS = ("holds", "does not hold")
# A conclusion whose verdict is undetermined neither holds nor fails; its grade says why.
_OPEN = {"not contradicted": "not rejected", "not shown by the data": "not shown"}


def _computed(row: Row) -> str:
    """Return the computed value, in words that do not contradict the verdict."""
    if row["verdict"] == UNDETERMINED and row["computed"] in _HOLDS:
        return _OPEN.get(row["grade"], "")
    return row["computed"] or ""


def _numbers(row: Row) -> str:
    """Return the printed and the computed value, or whether a conclusion holds."""
    if row["computed"] in _HOLDS:
        outcome = _computed(row)
        return f": {outcome} here" if outcome else ""
    parts = [f"{name} {row[key]}" for name, key in _VALUES if row[key]]
    return f": {', '.join(parts)}" if parts else ""


def _claim(row: Row, pieces: list[Row]) -> Iterator[str]:
    """Render a claim with its quotation, its verdict and all evidence."""
    of = paper(row["paper"])
    yield f"{row['claim_id']}: {row['statement']}"
    yield from _line("paper", f"{of.title}{f' ({of.authors})' if of.authors else ''}")
    yield from _line("where", row["places"])
    if row["quotation"]:
        yield from _line("quotation", f'"{readable(row["quotation"]).replace("*", "")}"')
    yield from _line("printed", row["published"])
    yield from _line("computed", _computed(row))
    yield from _line("verdict", f"{row['verdict']}: {row['grade']}")
    for place, piece in enumerate(pieces, start=1):
        yield from _line(f"evidence {place}", _phrase(piece))
        yield from _evidence(piece)


def _evidence(piece: Row) -> Iterator[str]:
    """Render remark, code, source and place of a piece of evidence."""
    # A remark begins with its rule.
    yield from _line("", piece["remark"] or piece["rule"])
    yield from _line("", piece["note"])
    yield from _line("  code", piece["code"])
    yield from _line("  from", piece["source"])
    if file := piece["file"]:
        yield from _line("  stands in", f"{file}, {piece['cell']}" if piece["cell"] else file)
        # The papers' own numbers have no maker.
        if file.startswith("results/"):
            yield from _line("  made by", f"snakemake --cores 2 {file}")


def _phrase(piece: Row) -> str:
    """Outcome, kind and origin of a piece of evidence."""
    role = {"natural": "natural reading", "reading": "another reading"}.get(
        piece["role"], piece["role"]
    )
    return (
        f"{piece['outcome']} ({role}; {piece['data']}; method: {piece['method']}; "
        f"study: {piece['study']})"
    )


def _pieces(row: Row, evidence: pd.DataFrame) -> list[Row]:
    """Return the evidence on a claim; None where a cell is empty."""
    return list_rows(evidence[evidence["claim_id"] == row["claim_id"]])


def _line(label: str, text: Any) -> Iterator[str]:
    """Print a text beside its label; nothing where the text is empty."""
    if text:
        yield from wrap(str(text), " " * (LABEL + 1), label.ljust(LABEL) + " ")
