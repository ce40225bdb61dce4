"""Render what texts quote from results: config keys, cells, numbers, images, badges (make docs).

With ``--typed``: list the numbers in README.md and docs that are typed and not rendered.
"""

import ast
import io
import json
import os
import re
import shlex
import shutil
import string
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import chdir, redirect_stdout
from itertools import accumulate, chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape

import pandas as pd
import shipped_tables
import yaml

from saturation import __version__, cli
from saturation.errors import InputError
from saturation.files.tables import (
    fill_gaps,
    load_table,
    records,
    write_csv,
    write_parquet,
    write_text,
)
from saturation.ledger import terminal as ledger_terminal
from saturation.ledger.schemas import VERDICTS
from saturation.pages.templates import percent, quoting
from saturation.status import terminal
from studies.dashboard import rows
from studies.ledger.judge import causes
from studies.ledger.rules import quoted
from studies.planning import config

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
DOCS = ROOT / "docs"
BLOCKS = DOCS / "blocks"
# README's first block, which is also on the report's front page.
FINDINGS = ROOT / "workflow" / "report" / "findings.md"
# Measured levels, as committed: `make results` does not simulate.
VALIDATION = ROOT / "validation" / "table.csv"
# Single cells of other results, each with the command that makes them.
CELLS = DOCS / "tables" / "cells.csv"
# `make full` takes too long for every run, and SWE-bench's leaderboards need a file that may not
# be embedded.
FULL = DOCS / "tables" / "regression_full.csv"
SWEBENCH = DOCS / "tables" / "forecast_swebench.csv"
IMAGES = {
    "boards": "boards/overview.png",
    "sensitivity": "plateau/sensitivity.png",
    "status": "status/overview.png",
    "forecast": "forecast/record.png",
    "outlook": "status/outlook.png",
    "renewal_scores": "renewal/scores.png",
    "suites": "suites/lite.png",
    "claims": "releases/claims.png",
}
# Whose headline numbers the texts quote, by folder of the results.
QUOTED = [
    *("plateau", "regression", "forecast", "boards", "renewal", "multiverse/reduced"),
    *("discriminability", "robustness", "adaptive", "status", "releases"),
    *("suites", "review"),
]
_BDI, _NLU = RESULTS / "discriminability", RESULTS / "adaptive" / "collections" / "nlu"
# Tables whose cells the texts quote: what their names begin with, the file, what names a row.
TABLES: dict[str, tuple[Path, list[str]]] = {
    # What the project says of its own size.
    "cost": (DOCS / "tables" / "cost.csv", ["what"]),
    "with_swebench": (SWEBENCH, ["predictor", "ahead"]),
    # LiveBench's items are counted among the leaderboards too.
    "adaptive": (RESULTS / "adaptive/quantities.csv", ["quantity"]),
    "contrast": (_NLU / "contrasts.csv", ["contrast"]),
    "partners": (_NLU / "partners.csv", ["bank", "partner"]),
    "author": (_BDI / "author.csv", ["quantity"]),
    "retirement": (_BDI / "retirement.csv", ["benchmark", "month"]),
    "population": (_BDI / "population.csv", ["benchmark", "last_window", "unit"]),
    "artefact": (RESULTS / "regression/artefact.csv", ["control", "predictor"]),
    "choice": (RESULTS / "multiverse/reduced/choices.csv", ["conclusion", "choice", "value"]),
}


def values() -> dict[str, Any]:
    """Everything that the texts quote, by name."""
    summary, grades = (load_table(RESULTS / f"ledger/{name}.csv") for name in ("summary", "grades"))
    tables = {folder: load_table(RESULTS / folder / "quantities.csv") for folder in QUOTED}
    cells = load_table(CELLS)
    named = quoted(tables, summary, grades) | full() | simulated() | judged()
    named |= dict(zip(cells["quantity"], cells["value"], strict=True))
    for name, (path, keys) in TABLES.items():
        named |= keyed(path, name, keys)
    ledger = load_table(RESULTS / "ledger/ledger.csv")
    return named | {"table": summary.to_markdown(index=False), "differs_causes": causes(ledger)}


def full() -> dict[str, Any]:
    """Fit of every model: ``full_MODEL_MEASURE``, held out with ``_folds``.

    Where the default run has a number too, the number is that run's, as on the dashboard.
    """
    named: dict[str, Any] = {}
    tables = (load_table(FULL), load_table(RESULTS / "regression/fit.csv"))
    for row in (row for table in tables for row in records(table)):
        ending = "" if row["data"] == "in_sample" else f"_{row['data']}"
        name = f"full_{row['model']}_{row['measure']}{ending}"
        named |= {f"{name}_{key}": row[key] for key in ("sd", "lower", "upper")}
        named[name] = row["value"]
    return named


def keyed(path: Path, name: str, keys: list[str]) -> dict[str, Any]:
    """Cells of a table: ``NAME_KEY_COLUMN``, with the row's values of all keys.

    A point in such a value becomes ``_``: inside braces it means something else.
    """
    return {
        "_".join([name, *(str(row[key]).replace(".", "_") for key in keys), column]): row[column]
        for row in records(load_table(path))
        for column in row
    }


def simulated() -> dict[str, Any]:
    """Shares that the checks found: ``simulated_CHECK_found``, also ``_trials`` and so on.

    Of the checks whose names begin alike, ``simulated_BEGINNING_least``, ``_most`` and ``_off``,
    the largest distance from what is stated.
    """
    table = load_table(VALIDATION)
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
    ledger = load_table(RESULTS / "ledger/ledger.csv")
    evidence = load_table(RESULTS / "ledger/evidence.csv")
    tried = evidence[evidence["role"] == "replication"]
    papers = tried["claim_id"].str.split("_").str[0]
    words = [
        "graded_" + ledger["paper"] + "_" + ledger["grade"],
        "tried_" + papers + "_" + tried["outcome"],
        "tried_" + papers,
    ]
    return Counter(pd.concat(words).str.replace(" ", "_"))


def plateau_only(named: dict[str, Any]) -> dict[str, Any]:
    """The same with the counts of the plateau paper's claims."""
    ledger = load_table(RESULTS / "ledger/ledger.csv")
    counts = Counter(ledger.loc[ledger["paper"] == "plateau", "verdict"])
    by_verdict = {verdict.replace(" ", "_"): counts[verdict] for verdict in VERDICTS}
    return {**named, **by_verdict, "claims": counts.total()}


# Cells: a row names a quantity, the command whose run has it, the file in `results/`, which rows
# (a query), which column (or sum of columns), by what they are added up, and what is taken.

TAKEN: dict[str, Callable[["pd.Series[float]"], Any]] = {
    "only": lambda values: values.iloc[0],
    "least": min,
    "most": max,
    "mean": lambda values: values.mean(),
    "sum": sum,
    "count": len,
    "kinds": lambda values: values.nunique(),
    "two largest": lambda values: values.nlargest(2).sum(),
}


def read_cells() -> pd.DataFrame:
    """The committed table; a query or grouping that is left out is empty."""
    table = load_table(CELLS)
    return table.assign(**{name: table[name].fillna("").astype(str) for name in ("rows", "by")})


def renewed_cells(table: pd.DataFrame, results: Path) -> pd.DataFrame:
    """The table with the values of the files that are there; others keep what was read last.

    Files of the default run have to be there.
    """
    values = []
    for row in records(table):
        found = _selected(results / row["file"], row)
        several = row["taken"] == "only" and len(found) > 1
        if several or (found.empty and row["command"] == "make results"):
            raise InputError(
                f"{CELLS.name}: {row['quantity']} stands {len(found)} times in {row['file']}"
            )
        values.append(row["value"] if found.empty else float(TAKEN[row["taken"]](found)))
    return table.assign(value=values)


def _selected(path: Path, row: dict[str, Any]) -> "pd.Series[float]":
    if not path.is_file():
        return pd.Series(dtype=float)
    if path.suffix == ".json":
        frame = pd.json_normalize(json.loads(path.read_text(encoding="utf-8")))
    else:
        frame = load_table(path)
    chosen = frame.query(row["rows"], engine="python") if row["rows"] else frame
    wanted = pd.Series(chosen.eval(row["column"], engine="python"))
    return wanted.groupby(chosen[row["by"]]).sum() if row["by"] else wanted


# Sentences: their numbers are written anew where they stand.

NUMBER = r"(-?\d[\d,]*(?:\.\d+)?(?:e-\d+)?)"


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


def page_path(page: str) -> Path:
    """Return the file of a page by its name."""
    return ROOT / "README.md" if page == "README" else DOCS / f"{page}.md"


def found(text: str, sentence: str) -> re.Match[str]:
    """Where a sentence stands in a page, exactly once, each number in it a group."""
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


# Findings: every sentence of the first pages with a number is followed by what it does not say.

FIRST_PAGES = (FINDINGS, BLOCKS / "ledger.md")
# A bold heading belongs to the sentence after it.
SENTENCE_ENDS = re.compile(r"(?<=[.:]) (?=[A-Z\"(])")
NO_TEXT = re.compile(r"!\[.*?\]\(.*?\)|^\|.*$|\s*\(\[.*?\]\(.*?\)\)", re.MULTILINE)
PARAGRAPH_ENDS = re.compile(r"(\n\s*\n|\n(?=- |\d\. ))")
BULLET = re.compile(r"^(- |\d\. )")


def add_limits() -> list[str]:
    """Return the templates of the first pages with the limits of its sentences in each paragraph.

    Every sentence with a number needs one entry of ``stated.yaml``, and every entry a sentence.
    """
    limits: dict[str, str] = yaml.safe_load((BLOCKS / "stated.yaml").read_text(encoding="utf-8"))
    used: list[str] = []

    def add(paragraph: str) -> str:
        beginnings = [beginning_of(sentence, limits) for sentence in numbered_sentences(paragraph)]
        used.extend(beginnings)
        if not beginnings:
            return paragraph
        bullet = BULLET.match(paragraph)
        indent = " " * len(bullet[0]) if bullet else ""
        text = " ".join(limits[beginning].strip() for beginning in beginnings)
        lines = textwrap.fill(f"*Does not say:* {text}", 130, break_on_hyphens=False)
        return f"{paragraph.rstrip()}\n\n{textwrap.indent(lines, indent)}"

    pages = []
    for path in FIRST_PAGES:
        parts = PARAGRAPH_ENDS.split(path.read_text(encoding="utf-8").rstrip())
        pages.append("".join(map(add, parts)) + "\n")
    if sorted(used) != sorted(limits):
        raise ValueError(f"stated.yaml: no sentence begins {sorted(limits.keys() - used)}")
    return pages


def beginning_of(sentence: str, limits: Mapping[str, str]) -> str:
    """Return the entry of ``stated.yaml`` with which a sentence begins."""
    bare = re.sub(r"\{.*?\}", "{}", sentence)
    beginnings = [beginning for beginning in limits if bare.startswith(beginning)]
    if len(beginnings) != 1:
        raise ValueError(f"{len(beginnings)} entries of stated.yaml and not one begin: {bare}")
    return beginnings[0]


def numbered_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a template's paragraph that have a rendered number."""
    text = " ".join(NO_TEXT.sub("", paragraph).split())
    sentences = SENTENCE_ENDS.split(BULLET.sub("", text))
    return [sentence for sentence in sentences if "{" in sentence and sentence != "{table}"]


# Blocks of a page, and the table of config keys.


def filled(text: str, name: str, content: str) -> str:
    """The text with the named block replaced."""
    pattern = re.compile(rf"(<!-- {name} -->\n).*(<!-- /{name} -->)", re.DOTALL)
    return pattern.sub(lambda match: match[1] + content + match[2], text)


def rewrite(path: Path, name: str, content: str) -> None:
    """Replace a block of a file."""
    write_text(filled(path.read_text(encoding="utf-8"), name, content), path)


def schema() -> dict[str, Any]:
    """The config's schema, with each study's part put in."""
    parts = {
        path.name.split(".")[0]: yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in (ROOT / "workflow" / "schemas").glob("*.yaml")
    }
    return config.assemble(parts)


def config_keys() -> str:
    """Markdown table of the config's keys: path, type, allowed values and description."""
    lines = ["| key | type | allowed | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{path}` | {kind(part)} | {limits(part)} | {part.get('description', '')} |"
        for path, part in leaves(schema())
    ]
    return "\n".join(lines) + "\n"


def leaves(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Keys that have a value, with what the schema says of each."""
    named = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), Mapping):
        named["NAME"] = schema["additionalProperties"]
    for key, part in named.items():
        key_path = f"{path}.{key}".lstrip(".")
        if "properties" in part or isinstance(part.get("additionalProperties"), Mapping):
            yield from leaves(part, key_path)
            continue
        yield key_path, part
        named = part.get("additionalProperties")
        if isinstance(named, Mapping):  # a mapping from the user's names to keys of their own
            yield from leaves(named, f"{key_path}.NAME")


def kind(part: Mapping[str, Any]) -> str:
    """The type of a key's value."""
    named = part.get("type", "any")
    if isinstance(named, list):
        return " or ".join(named)
    return f"list of {kind(part.get('items', {}))}" if named == "array" else str(named)


def limits(part: Mapping[str, Any]) -> str:
    """What a key's value may be."""
    if part.get("type") == "array":
        return limits(part.get("items", {}))
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    bounds = [
        f"{sign} {part[name]}"
        for name, sign in (
            ("minimum", "≥"),
            ("exclusiveMinimum", ">"),
            ("maximum", "≤"),
            ("exclusiveMaximum", "<"),
        )
        if name in part
    ]
    return ", ".join(bounds)


# Commands whose output README shows, by the name of the block, with the number of lines. All but
# the status read the table that `saturation demo` writes.
EXAMPLES = {
    "status": ("saturation status", 5),
    "compare": (
        "saturation compare claude-sonnet-4-20250514 claude-3-7-sonnet-20250219 "
        "swebench_verified.csv --family accuracy",
        3,
    ),
    "card": (
        "saturation card swebench_verified.csv --family accuracy --observed-on 2025-05-22 "
        "--no-pages",
        2,
    ),
    "subset": ("saturation subset swebench_verified.csv --size 50 --output mine", 3),
    "claim": ("saturation ledger 48.3", 4),
}


def printed_examples() -> dict[str, str]:
    """Return each example of README with the first lines of its output."""
    with TemporaryDirectory() as folder, chdir(folder):
        run_command("saturation demo")
        return {
            name: f"```console\n$ {command}\n{run_command(command, lines)}```\n"
            for name, (command, lines) in EXAMPLES.items()
        }


def run_command(command: str, lines: int = 0) -> str:
    """Return the first lines that a command prints; ``...`` stands for further lines."""
    with redirect_stdout(io.StringIO()) as printed:
        cli.main(shlex.split(command)[1:])
    text = printed.getvalue().splitlines()
    return "\n".join([*text[:lines], *(["..."] if len(text) > lines else []), ""])


def executed(text: str) -> str:
    """A page after its cells in Python have been run in order, each with its output below it."""
    names: dict[str, Any] = {}

    def run(cell: re.Match[str]) -> str:
        tree = ast.parse(cell[1])
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        with redirect_stdout(io.StringIO()) as said:
            exec(compile(tree, "cell", "exec"), names)
            shown = eval(ast.unparse(last), names) if last is not None else None
            # Of a command it is the exit code.
            if shown is not None and not isinstance(shown, int):
                print(shown)
        lines = "".join(f"{line.rstrip()}\n" for line in said.getvalue().splitlines())
        return f"```python\n{cell[1]}```\n\n```text\n{lines}```\n"

    return re.sub(r"```python\n(.*?)```\n\n```text\n.*?```\n", run, text, flags=re.DOTALL)


# Badges, drawn here: no service is asked.

# Of a letter of 11 pixels, on average; browsers fit the text to the width that is given.
LETTER, MARGIN, HEIGHT = 6.3, 7, 20
DRAWN = """<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img" aria-label="{what}: {value}">
<title>{what}: {value}</title>
<rect width="{width:.0f}" height="{height}" rx="3" fill="#0b5394"/>
<path d="M3 0h{left:.1f}v{height}h-{left:.1f}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z" fill="#444"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="{margin}" y="14" textLength="{what_length:.1f}">{what}</text>
<text x="{second:.1f}" y="14" textLength="{value_length:.1f}">{value}</text>
</g>
</svg>
"""  # noqa: E501


def badges(summary: pd.DataFrame, validation: pd.DataFrame) -> dict[str, tuple[str, str]]:
    """What each badge says, by its name; the summary's last row is that of all claims."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lowest, beyond = map(int, re.findall(r"3\.(\d+)", project["requires-python"]))
    every = summary.iloc[-1]
    decided = validation.loc[validation["verdict"] != "undecided", "verdict"]
    hold = (decided != "does not hold").sum()
    outcomes = f"{every['reproduced']} reproduced, {every['differs']} differ"
    return {
        "claims": (f"{every['claims']} claims", outcomes),
        "validation": ("stated levels that hold", f"{hold} of {len(decided)}"),
        "status": ("current benchmarks", _statuses()),
        "python": ("Python", f"3.{lowest} to 3.{beyond - 1}"),
        "licence": ("licence", project["license"]),
    }


def _statuses() -> str:
    """Count the current benchmarks that are exhausted."""
    table = load_table(ROOT / terminal.SHIPPED)
    now = table[table["current"]]
    return f"{(now['status'] == 'exhausted').sum()} of {len(now)} exhausted"


def drawn(what: str, value: str) -> str:
    """A badge as SVG."""
    lengths = [LETTER * len(text) for text in (what, value)]
    widths = [length + 2 * MARGIN for length in lengths]
    return DRAWN.format(
        what=escape(what),
        value=escape(value),
        width=sum(widths),
        height=HEIGHT,
        margin=MARGIN,
        left=widths[0] - 3,
        second=widths[0] + MARGIN,
        what_length=lengths[0],
        value_length=lengths[1],
    )


# Numbers that are typed: docs/blocks/constants.yaml names what may be, by page.

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
TYPED = re.compile(r"(?<![\w.,-])-?(?:\d[\d,]*\d|\d)(?:\.\d+)?(?![\w]|-\w|\.\d)|(?<![\w.])\.\d+")
MARK = re.compile(r"^\d+\. |^#+ \d+\. ", re.MULTILINE)


def typed(text: str, sentences: Sequence[str]) -> list[tuple[int, str]]:
    """Line and number of each that is typed."""
    spans = [place.span() for place in chain(ELSEWHERE.finditer(text), MARK.finditer(text))]
    for sentence in sentences:
        place = found(text, sentence)
        spans += [place.span(group) for group in range(1, place.re.groups + 1)]
    left = text
    for start, end in spans:
        left = left[:start] + re.sub(r"[^\n]", " ", left[start:end]) + left[end:]
    return [(left.count("\n", 0, place.start()) + 1, place[0]) for place in TYPED.finditer(left)]


def allowed(number: str, named: set[str]) -> bool:
    """Whether a number may be typed: named, a whole number up to ten, or a year."""
    whole = number.isdigit() and (int(number) <= 10 or 1900 <= int(number) <= 2030)
    return whole or number in named


def untraced() -> list[str]:
    """Every number of the texts that is neither rendered nor named."""
    listed = yaml.safe_load((BLOCKS / "constants.yaml").read_text(encoding="utf-8"))
    named = {page: set(" ".join(reasons.values()).split()) for page, reasons in listed.items()}
    said = sentences()
    return [
        f"{path.name}:{line}: {number}"
        for path in (ROOT / "README.md", *sorted(DOCS.glob("*.md")))
        for line, number in typed(path.read_text(encoding="utf-8"), said.get(path.stem, []))
        if not allowed(number, named.get(path.stem, set()) | named["everywhere"])
    ]


# The one place of the version is the package, of its date the changelog, of the address make's.


def cited(text: str, changelog: str, address: str) -> str:
    """Write the version, its date and the repository's address into the text of CITATION.cff."""
    (date,) = re.findall(rf"^## {re.escape(__version__)} \((.*)\)$", changelog, re.MULTILINE)
    text = re.sub(r"(?m)^version: .*$", f"version: {__version__}", text)
    text = re.sub(r"(?m)^date-released: .*$", f"date-released: {date}", text)
    if not address:
        return text
    text = re.sub(r"(?m)^repository-code: .*\n", "", text)
    return text.replace("license: ", f"repository-code: {address}\nlicense: ", 1)


NEWS = """\
Statuses that the last refresh changed: {changes}.

{bests} of {current} current benchmarks have a best measured score of a model of the {months}
months before {day}.

| benchmark | status | best measured | model | released |
| --- | --- | --- | --- | --- |
"""


def new_in_status(status: pd.DataFrame) -> str:
    """Write the statuses that the last refresh changed, and the best scores of new models."""
    news = rows.news([fill_gaps(row) for row in records(status)])
    changes = "; ".join(f"{row['benchmark']}: {row['changed']}" for row in news["changed"])
    text = NEWS.format(
        changes=changes or "none on record",
        bests=len(news["bests"]),
        current=status["current"].sum(),
        months=news["months"],
        day=terminal.day(status["as_of"].iloc[0]),
    )
    for row in news["bests"]:
        # As HTML: the site's parser does not see the anchors in the table.
        link = f'<a href="#{row["anchor"]}">{row["benchmark"]}</a>'
        share = percent(row["best_share"])
        model = row["best_model"].replace("_", " ")
        text += f"| {link} | {row['status']} | {share} | {model} | {row['best_date']} |\n"
    return text


def ship_tables() -> None:
    """Copy the tables of the run that the package holds; the commands print them."""
    for table in (terminal.SHIPPED, terminal.SOURCES_FILE):
        shutil.copyfile(RESULTS / "status" / Path(table).name, ROOT / table)
    for name in ("rises", "record"):
        shutil.copyfile(RESULTS / f"forecast/{name}.csv", ROOT / f"resources/forecast/{name}.csv")
    for name, judged_table in shipped_tables.tables_of_ledger(RESULTS).items():
        write_parquet(judged_table, ROOT / ledger_terminal.SHIPPED / f"{name}.parquet")


def main() -> None:
    """Render everything."""
    rewrite(ROOT / "config" / "README.md", "keys", config_keys())
    write_csv(renewed_cells(read_cells(), RESULTS), CELLS)
    ship_tables()
    named = values()

    def block(name: str, named: Mapping[str, Any] = named) -> str:
        return quoting((BLOCKS / f"{name}.md").read_text(encoding="utf-8"), named)

    readme = ROOT / "README.md"
    rewrite(readme, "first", quoting(FINDINGS.read_text(encoding="utf-8"), named))
    for name, example in printed_examples().items():
        rewrite(readme, name, example)
    rewrite(readme, "verdicts", block("verdicts"))
    first, ledger_page = (quoting(text, named) for text in add_limits())
    rewrite(DOCS / "results.md", "first", first.replace("[docs/", "[").replace("](docs/", "]("))
    rewrite(DOCS / "results.md", "ledger", ledger_page)
    tutorial = DOCS / "tutorial.md"
    write_text(executed(tutorial.read_text(encoding="utf-8")), tutorial)
    for name in ("record", "indices", "swebench", "lives"):
        rewrite(DOCS / "forecast.md", f"forecast_{name}", block(f"forecast_{name}"))
    rewrite(DOCS / "plateau.md", "findings", block("findings", plateau_only(named)))
    status = DOCS / "status.md"
    rewrite(status, "status_sweep", block("status_sweep"))
    statuses = load_table(ROOT / terminal.SHIPPED)
    rewrite(status, "status_table", shipped_tables.print_statuses(statuses))
    rewrite(status, "status_news", new_in_status(statuses))
    sources = load_table(ROOT / terminal.SOURCES_FILE)
    rewrite(status, "status_citation", shipped_tables.citation_of_status(ROOT / terminal.SHIPPED))
    rewrite(status, "status_sources", shipped_tables.print_table(sources))
    for page, listed in sentences().items():
        path = page_path(page)
        text = path.read_text(encoding="utf-8")
        for sentence in listed:
            text = renewed(text, sentence, named)
        write_text(text, path)
    for name, source in IMAGES.items():
        shutil.copyfile(RESULTS / "figures" / source, DOCS / "images" / f"{name}.png")
    citation = ROOT / "CITATION.cff"
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    address = os.environ.get("REPOSITORY", "")
    write_text(cited(citation.read_text(encoding="utf-8"), changelog, address), citation)
    summary = load_table(RESULTS / "ledger" / "summary.csv")
    for name, words in badges(summary, load_table(VALIDATION)).items():
        write_text(drawn(*words), DOCS / "images" / f"badge_{name}.svg")


if __name__ == "__main__":
    if "--typed" in sys.argv:
        print("\n".join(untraced()))
    else:
        main()
