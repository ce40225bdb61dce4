"""Fill the measured parts of README.md and docs from results/ (make docs)."""

import re
import shutil
import string
from collections import Counter
from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from saturation.files.tables import read_table, records, write_text
from saturation.ledger.rules import quoted
from saturation.ledger.schemas import VERDICTS

ROOT = Path(__file__).resolve().parents[3]
RESULTS = ROOT / "results"
IMAGES = {
    "boards": "boards/overview.png",
    "sensitivity": "plateau/sensitivity.png",
    "permuted_n": "plateau/permuted_n.png",
}


# Whose headline numbers the texts quote.
STUDIES = {
    "plateau": "plateau",
    "regression": "regression",
    "forecast": "forecast",
    "boards": "boards",
    "multiverse": "multiverse/reduced",
    "discriminability": "discriminability",
    "robustness": "robustness",
    "adaptive": "adaptive",
}
# What runs by explicit target gave: `make full` takes too long for every run, and the boards of
# SWE-bench need a file that may not be embedded.
FULL = ROOT / "docs" / "tables" / "regression_full.csv"
SWEBENCH = ROOT / "docs" / "tables" / "forecast_swebench.csv"
# Single cells of other results, each with the command that makes them.
CELLS = ROOT / "docs" / "tables" / "cells.csv"
# Measured levels, as committed: `make results` does not simulate.
VALIDATION = ROOT / "validation" / "table.csv"
BDI = RESULTS / "discriminability"
NLU = RESULTS / "adaptive" / "collections" / "nlu"
# Tables whose cells the texts quote: what their names begin with, the file, what names a row.
TABLES: dict[str, tuple[Path, list[str]]] = {
    "with_swebench": (SWEBENCH, ["predictor", "ahead"]),
    # LiveBench's items are counted among the boards too.
    "adaptive": (RESULTS / "adaptive" / "quantities.csv", ["quantity"]),
    "contrast": (NLU / "contrasts.csv", ["contrast"]),
    "partners": (NLU / "partners.csv", ["bank", "partner"]),
    "author": (BDI / "author.csv", ["quantity"]),
    "retirement": (BDI / "retirement.csv", ["benchmark", "month"]),
    "population": (BDI / "population.csv", ["benchmark", "comparison", "last_window", "unit"]),
    "artefact": (RESULTS / "regression" / "artefact.csv", ["control", "predictor"]),
    "choice": (
        RESULTS / "multiverse" / "reduced" / "choices.csv",
        ["conclusion", "choice", "value"],
    ),
}
BLOCKS = ROOT / "docs" / "blocks"
# README's first block, which is also on the report's front page.
FINDINGS = ROOT / "workflow" / "report" / "findings.md"
NUMBER = r"(-?\d[\d,]*(?:\.\d+)?(?:e-\d+)?)"
# Parts of docs/forecast.md.
FORECAST = ("forecast_scores", "forecast_indices", "forecast_swebench", "forecast_lives")


def values() -> dict[str, Any]:
    """Everything that the texts quote."""
    summary = read_table(RESULTS / "ledger/summary.csv")
    grades = read_table(RESULTS / "ledger/grades.csv")
    tables = {
        study: read_table(RESULTS / folder / "quantities.csv") for study, folder in STUDIES.items()
    }
    named = quoted(tables, summary, grades)
    named |= full() | simulated() | judged() | cells()
    for name, (path, keys) in TABLES.items():
        named |= keyed(path, name, keys)
    return named | {"table": summary.to_markdown(index=False)}


def full() -> dict[str, Any]:
    """Fit of every model of the full run: ``full_MODEL_MEASURE``, held out with ``_folds``."""
    named: dict[str, Any] = {}
    for row in records(read_table(FULL)):
        ending = "" if row["data"] == "in_sample" else f"_{row['data']}"
        name = f"full_{row['model']}_{row['measure']}{ending}"
        named |= {f"{name}_{key}": row[key] for key in ("sd", "lower", "upper")}
        named[name] = row["value"]
    return named


def cells() -> dict[str, float]:
    """Values of the table of cells, which ``cells.py`` has renewed."""
    table = read_table(CELLS)
    return dict(zip(table["quantity"], table["value"], strict=True))


def keyed(path: Path, name: str, keys: list[str]) -> dict[str, Any]:
    """Cells of a table: ``NAME_KEY_COLUMN``, with the row's values of all keys.

    A point in such a value becomes ``_``: inside braces it means something else.
    """
    return {
        "_".join([name, *(str(row[key]).replace(".", "_") for key in keys), column]): row[column]
        for row in records(read_table(path))
        for column in row
    }


def simulated() -> dict[str, Any]:
    """Shares that the checks found: ``simulated_CHECK_found``, also ``_trials`` and so on.

    Of the checks whose names begin alike, ``simulated_BEGINNING_least``, ``_most`` and ``_off``,
    the largest distance from what is stated.
    """
    table = read_table(VALIDATION)
    table["off"] = (table["found"] - table["stated"]).abs()
    table["beginning"] = [
        list(accumulate(words[:-1], "{}_{}".format)) for words in table["check"].str.split("_")
    ]
    alike = table.explode("beginning").groupby("beginning")
    named = keyed(VALIDATION, "simulated", ["check"])
    for ending, shares in {
        "least": alike["found"].min(),
        "most": alike["found"].max(),
        "off": alike["off"].max(),
    }.items():
        named |= {f"simulated_{beginning}_{ending}": share for beginning, share in shares.items()}
    return named


def judged() -> dict[str, int]:
    """Counts of a paper's claims by grade, and of their replications by outcome.

    ``graded_PAPER_GRADE``, ``tried_PAPER_OUTCOME`` and, of all outcomes, ``tried_PAPER``.
    """
    ledger = read_table(RESULTS / "ledger/ledger.csv")
    evidence = read_table(RESULTS / "ledger/evidence.csv")
    tried = evidence[evidence["role"] == "replication"]
    papers = tried["claim_id"].str.split("_").str[0]
    words = [
        "graded_" + ledger["paper"] + "_" + ledger["grade"],
        "tried_" + papers + "_" + tried["outcome"],
        "tried_" + papers,
    ]
    return Counter(pd.concat(words).str.replace(" ", "_"))


class Percentages(string.Formatter):
    """Formats as usual; ``!p`` makes a percentage of a share, ``!m`` turns the sign."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """The value that the format is given."""
        factor = {"p": 100, "m": -1}.get(str(conversion))
        return factor * value if factor else super().convert_field(value, conversion)


def sentences() -> dict[str, list[str]]:
    """By page of docs, the sentences whose numbers are written anew."""
    text = (BLOCKS / "sentences.yaml").read_text(encoding="utf-8")
    said: dict[str, list[str]] = yaml.safe_load(text)
    return said


def found(text: str, sentence: str) -> re.Match[str]:
    """Where a sentence stands in a page, each number in it a group.

    Raises
    ------
    ValueError
        If it does not stand there exactly once.
    """
    parts = Percentages().parse(sentence)
    pattern = "".join(
        re.sub(r"(\\ )+", r"\\s+", re.escape(words)) + (NUMBER if name is not None else "")
        for words, name, _, _ in parts
    )
    places = list(re.finditer(pattern, text))
    if len(places) != 1:
        raise ValueError(f"stands {len(places)} times and not once: {sentence}")
    return places[0]


def renewed(text: str, sentence: str, named: Mapping[str, Any]) -> str:
    """The page with the numbers of a sentence written anew; its line breaks stay."""
    place = found(text, sentence)
    fields = [part for part in Percentages().parse(sentence) if part[1] is not None]
    for group, (_, name, form, conversion) in reversed(list(enumerate(fields, start=1))):
        field = f"{{{name}{f'!{conversion}' if conversion else ''}:{form}}}"
        start, end = place.span(group)
        text = text[:start] + Percentages().vformat(field, (), named) + text[end:]
    return text


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
    findings = FINDINGS.read_text(encoding="utf-8")
    rewrite(ROOT / "README.md", "first", findings.format(**named))
    rewrite(ROOT / "README.md", "ledger", block("ledger").format(**named))
    rewrite(ROOT / "README.md", "forecast", block("forecast").format(**named))
    for part in FORECAST:
        rewrite(ROOT / "docs/forecast.md", part, block(part).format(**named))
    rewrite(ROOT / "docs/plateau.md", "findings", block("findings").format(**plateau_only(named)))
    for page, listed in sentences().items():
        path = ROOT / "docs" / f"{page}.md"
        text = path.read_text(encoding="utf-8")
        for sentence in listed:
            text = renewed(text, sentence, named)
        write_text(text, path)
    for name, source in IMAGES.items():
        shutil.copyfile(RESULTS / "figures" / source, ROOT / "docs/images" / f"{name}.png")
