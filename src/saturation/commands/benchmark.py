"""Options that declare a benchmark, and its files."""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from saturation.commands.base import Options, Parser, default_config
from saturation.errors import InputError, Unsettled

if TYPE_CHECKING:
    import pandas as pd

    from saturation.own.imports import Declarations, Entry
    from saturation.own.study import Context, Study
    from saturation.planning.config import Config


# The greatest number of items that is taken for one.
MOST_ITEMS = 10**12

# Bytes that are taken from standard input.
MOST_PIPED = 2**30

# Keys that the option of the same name declares of the benchmark.
DECLARED = (
    "family",
    "score_range",
    "higher_is_better",
    "metric",
    "task",
    "filter",
    "n_items",
    "pass_k",
    "interval_level",
    "observed_on",
    "released",
    "meaningful_difference",
    "label_noise",
    "known_issues",
    "known_issues_source",
    "table",
    "duplicates",
)


def add_declared(parser: Parser) -> None:
    """Add options that say of a benchmark what its files do not."""
    from saturation.leaderboard.names import FAMILIES

    group = parser.add_argument_group("what the files do not say, or say otherwise")
    add = group.add_argument
    add("--name", help="the benchmark's name (default: its task, else the file's name)")
    add("--family", choices=FAMILIES, metavar="FAMILY", help=f"metric: {', '.join(FAMILIES)}")
    add("--score-range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="limits of the metric")
    add("--higher-is-better", action=argparse.BooleanOptionalAction, help="direction of the metric")
    add_choices(group)
    add("--model", help="name of the model, if the file has none; 'file' takes the file's name")
    add(
        "--n-items",
        type=_n_items,
        metavar="N",
        help="number of items; 'digits' infers it from the scores",
    )
    add("--pass-k", type=int, metavar="K", help="k of pass@k, if items have several attempts")
    add("--interval-level", type=float, metavar="LEVEL", help="level of the intervals in the file")
    add("--observed-on", metavar="DATE", help="date of the data (default: the latest in the files)")
    add("--released", metavar="DATE", help="date of the benchmark's release")
    add(
        "--meaningful-difference",
        type=float,
        metavar="D",
        help="smallest difference that matters (default: 0.02 of the range)",
    )
    add("--label-noise", type=float, metavar="SHARE", help="share of items whose label is wrong")
    add("--known-issues", metavar="TEXT", help="documented label errors or contamination")
    add("--known-issues-source", metavar="TEXT", help="where they are documented")
    add("--synthetic", action="store_true", help="say on every page that the data are made up")


def _n_items(text: str) -> int | str:
    from saturation.leaderboard.read.rows import DIGITS

    if text == DIGITS:
        return text
    number = int(text)
    if number > MOST_ITEMS:
        raise argparse.ArgumentTypeError(f"a number of {len(text)} digits; at most {MOST_ITEMS:,}")
    return number


def _column(text: str) -> tuple[str, str]:
    """Split our name of a column from the table's."""
    ours, equals, theirs = text.partition("=")
    if not (ours and equals and theirs):
        raise argparse.ArgumentTypeError(f"'{text}' is not OURS=THEIRS, such as model=System")
    return ours, theirs


def add_choices(parser: argparse._ActionsContainer) -> None:
    """Add options that choose out of files that hold several things."""
    add = parser.add_argument
    add("--task", help="which task, if the files have several")
    add("--metric", help="which metric, if the files have several")
    add("--filter", help="which filter or split, if the files have several")
    add(
        "--columns",
        type=_column,
        action="append",
        metavar="OURS=THEIRS",
        help="name a column, such as model=System; repeatable",
    )
    add("--table", help="which table, by heading, sheet or number")
    add(
        "--duplicates",
        choices=("latest", "best", "mean", "runs", "separate"),
        help="which of several scores of a model to use",
    )


def declared_of(options: Options) -> "Declarations":
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
    from saturation.leaderboard.read.open import expand

    with tempfile.TemporaryDirectory() as folder:
        paths: list[Path] = []
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
    declared: "Declarations"
    tables: "dict[str, pd.DataFrame]"


def load_votes(paths: Sequence[Path], declared: "Declarations") -> Votes | None:
    """Read tables of votes; None where the files hold something else."""
    from saturation.leaderboard.names import may_hold_votes

    # What follows takes half a second to import, and reads the files.
    if "winner" not in (declared.get("columns") or {}) and not any(map(may_hold_votes, paths)):
        return None
    from saturation.own import imports, votes

    tables = {str(path): votes.table(path, declared.get("columns")) for path in paths}
    vote_tables = {path: table for path, table in tables.items() if table is not None}
    if vote_tables and (other_files := sorted(set(tables).difference(vote_tables))):
        raise InputError(
            f"{other_files[0]}: no table of votes, as other files are; make a card of each"
        )
    if not vote_tables:
        return None
    name = declared.get("name") or imports.stem(paths)
    keys = {"family": "rating"} | {key: value for key, value in declared.items() if key != "name"}
    check_declared(name, keys)
    return Votes(name, keys, vote_tables)


def settle(
    files: "Sequence[Config]", declared: "Declarations", *, accept: bool
) -> "tuple[Declarations, Entry | None]":
    """Accept the proposed answers to open questions if allowed; raise otherwise."""
    from saturation.own import imports

    questions, entry = imports.settle(files, declared)
    if not accept or None in questions.answers.values():
        questions.require_answers()
    if entry is not None:
        remarks = imports.remarks_on_proposals(declared, questions.answers)
        entry = entry._replace(remarks=[*remarks, *entry.remarks])
    return declared | questions.answers, entry


def files_of(paths: Sequence[Path], options: Options) -> "list[Config]":
    """Return the entries of files, with the model that the options name.

    ``file`` names the file's stem or, where files share it, the folder.
    """
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        root = os.path.commonpath([path.parent for path in paths])
        folders = [path.parent.relative_to(root).as_posix() for path in paths]
        names = folders if len(set(folders)) > 1 else [path.name for path in paths]
    return [
        {"path": str(path), "model": name if options.model == "file" else options.model}
        for path, name in zip(paths, names)
    ]


def load_responses(
    options: Options, needs: str, **usual: Any
) -> "tuple[pd.DataFrame, Declarations]":
    """Load the item responses of the files, and what is declared of them.

    What is open is asked, or accepted with ``--yes``.

    `usual` is declared where the options say nothing else; `needs` completes the sentence on files
    of scores alone.
    """
    from saturation.own import imports

    with paths_of(options.files) as paths:
        files = files_of(paths, options)
        try:
            declared, entry = settle(files, usual | declared_of(options), accept=options.yes)
        except Unsettled as error:
            # Only scores lack a number of items, or have several tasks.
            if {"n_items", "each_task", "task"} & set(error.answers):
                raise InputError(f"{options.files[0]}: {needs}") from None
            raise
        contents = entry.contents if entry else imports.load(files, declared)
        if "suite" in usual and not all(content.suite for _, content in contents):
            raise InputError(f"{options.files[0]}: {needs}")
        responses = imports.join_tables(options.command.name, contents, declared).responses
    if responses.empty:
        raise InputError(f"{options.files[0]}: {needs}")
    return responses, declared


def make_study(entry: "Entry", context: "Context") -> "Study":
    """Check what is declared of a benchmark, then make its card."""
    from saturation.own.study import study

    check_declared(entry.name, entry.declared)
    return study(entry.name, entry.contents, entry.declared, context, entry.remarks)


def check_declared(name: str, declared: "Config") -> None:
    """Check a benchmark by the workflow config's schema and rules."""
    from saturation.files.tables import shipped_yaml
    from saturation.planning.config import check_benchmark

    schema = shipped_yaml("workflow/schemas/own.schema.yaml")
    check_benchmark(name, declared, default_config()["own"], schema)
