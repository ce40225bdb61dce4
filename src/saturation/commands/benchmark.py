"""What options declare of a benchmark, and its files."""

import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from saturation.commands.base import DECLARED, Options, default_config
from saturation.errors import InputError, Unsettled
from saturation.files.tables import shipped_yaml
from saturation.leaderboard.names import may_hold_votes
from saturation.leaderboard.read.open import expand
from saturation.leaderboard.read.rows import DIGITS
from saturation.own import imports, votes
from saturation.own.imports import Declarations, Entry
from saturation.own.study import Context, Study, study
from saturation.planning.config import Config, check_benchmark

# The greatest number of items that is taken for one.
MOST_ITEMS = 10**12

# Names of files or folders beside results.
_TRIAL = re.compile(r"(?i)(?<![^\W_])(smoke|raw|debug|te?mp|old|backup|archived?)(?![^\W_])")
# Bytes that are taken from standard input.
MOST_PIPED = 2**30


def parse_n_items(text: str) -> int | str:
    """Parse a number of items, or the word that infers the number from the scores."""
    if text == DIGITS:
        return text
    if not text.removeprefix("-").isdecimal():
        raise ValueError(f"'{text}' is not a number of items")
    number = int(text)
    if number > MOST_ITEMS:
        raise ValueError(f"a number of {len(text)} digits; at most {MOST_ITEMS:,}")
    return number


def parse_column(text: str) -> tuple[str, str]:
    """Split our name of a column from the table's."""
    ours, equals, theirs = text.partition("=")
    if not (ours and equals and theirs):
        raise ValueError(f"'{text}' is not OURS=THEIRS, such as model=System")
    return ours, theirs


def declared_of(options: Options) -> Declarations:
    """Return the keys of a benchmark that the options declare."""
    columns = dict(options.columns or [])
    if len(columns) < len(options.columns or []):
        raise InputError(
            "--columns: one of our columns is named twice; where two columns name a model, join "
            "them in the file"
        )
    declarations = {key: getattr(options, key) for key in DECLARED} | {
        "synthetic": options.synthetic or None,
        "columns": columns or None,
    }
    return {key: value for key, value in declarations.items() if value is not None}


@contextmanager
def paths_of(arguments: Sequence[Path]) -> Iterator[list[Path]]:
    """List the files that are meant by files, folders, patterns and -, which is standard input."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for path in arguments:
            if str(path) == "-":
                path = Path(folder) / "stdin"
                _copy_standard_input(path)
            paths += expand(path)
        yield paths


def _copy_standard_input(path: Path) -> None:
    if sys.stdin is None:
        raise InputError("-: the standard input is closed; name a file, or pipe one into it")
    remaining = MOST_PIPED
    with path.open("wb") as copy:
        while block := sys.stdin.buffer.read(2**20):
            remaining -= len(block)
            if remaining < 0:
                raise InputError(
                    f"-: the standard input holds more than {MOST_PIPED / 2**30:.0f} GiB; "
                    "give a file of the models and items that count"
                )
            copy.write(block)


class Votes(NamedTuple):
    """Tables of pairwise votes by their files, with the benchmark's name and what is declared."""

    name: str
    declared: Declarations
    tables: dict[str, pd.DataFrame]


def load_votes(paths: Sequence[Path], declared: Declarations) -> Votes | None:
    """Read tables of votes; None where the files hold something else."""
    if "winner" not in (declared.get("columns") or {}) and not any(map(may_hold_votes, paths)):
        return None
    tables = {str(path): votes.table(path, declared.get("columns")) for path in paths}
    vote_tables = {path: table for path, table in tables.items() if table is not None}
    if not vote_tables:
        return None
    if other_files := sorted(set(tables).difference(vote_tables)):
        raise InputError(
            f"{other_files[0]}: no table of votes, as other files are; make a card of each"
        )
    name = declared.get("name") or imports.stem(paths)
    keys = {"family": "rating"} | {key: value for key, value in declared.items() if key != "name"}
    check_declared(name, keys)
    return Votes(name, keys, vote_tables)


def settle(
    files: Sequence[Config], declared: Declarations, *, accept: bool
) -> tuple[Declarations, Entry | None]:
    """Accept the proposed answers to open questions if allowed; raise otherwise."""
    questions, entry = imports.settle(files, declared)
    if not accept or None in questions.answers.values():
        questions.require_answers()
    if entry is not None:
        remarks = imports.remarks_on_proposals(declared, questions.answers)
        entry = entry._replace(remarks=[*remarks, *entry.remarks])
    return declared | questions.answers, entry


def files_of(paths: Sequence[Path]) -> list[Config]:
    """Return the entries of files, those of trials marked where most files are others."""
    absolute = [path.absolute() for path in paths]
    start = len(os.path.commonpath(absolute))
    trials = [_TRIAL.search(str(path), start) is not None for path in absolute]
    few = 2 * sum(trials) < len(paths)
    return [{"path": str(path), "trial": few and trial} for path, trial in zip(paths, trials)]


def load_responses(options: Options, needs: str, **usual: Any) -> tuple[pd.DataFrame, Declarations]:
    """Load the item responses of the files, and what is declared of them.

    What is open is asked, or accepted with ``--yes``.

    `usual` is declared where the options say nothing else; `needs` completes the sentence on files
    of scores alone.
    """
    lacking = InputError(f"{options.files[0]}: {needs}")
    with paths_of(options.files) as paths:
        files = files_of(paths)
        try:
            declared, entry = settle(files, usual | declared_of(options), accept=options.yes)
        except Unsettled as error:
            # Only scores lack a number of items, or have several tasks.
            if {"n_items", "each_task", "task"} & set(error.answers):
                raise lacking from None
            raise
        contents = entry.contents if entry else imports.load(files, declared)
        if "suite" in usual and not all(content.suite for _, content in contents):
            raise lacking
        responses = imports.join_tables(options.command.name, contents, declared).responses
    if responses.empty:
        raise lacking
    return responses, declared


def make_study(entry: Entry, context: Context) -> Study:
    """Check what is declared of a benchmark, then make its card."""
    check_declared(entry.name, entry.declared)
    return study(entry.name, entry.contents, entry.declared, context, entry.remarks)


def check_declared(name: str, declared: Config) -> None:
    """Check a benchmark by the workflow config's schema and rules."""
    schema = shipped_yaml("workflow/schemas/own.schema.yaml")
    check_benchmark(name, declared, default_config()["own"], schema)
