"""The commands that look things up: `status`, `ledger`, `formats`, `check`, `doctor`."""

import argparse
import os
from pathlib import Path

from saturation.commands.base import (
    EXIT_CODES,
    Command,
    Options,
    Parser,
    add_no_options,
    as_json,
    call_later,
)
from saturation.errors import refuse


def _status_options(parser: Parser) -> None:
    add = parser.add_argument
    add("name", nargs="*", metavar="NAME", help="a benchmark, such as 'GPQA Diamond', or a status")
    add("--all", action="store_true", help="benchmarks without current scores, too")
    _add_results(parser)


def _add_results(parser: Parser) -> None:
    parser.add_argument(
        "--results",
        type=Path,
        default=Path("results"),
        metavar="FOLDER",
        help="folder of a run (default: results, else the shipped tables)",
    )


def _ledger_options(parser: Parser) -> None:
    add = parser.add_argument
    add(
        "claims",
        nargs="*",
        metavar="CLAIM",
        help="such as plateau_037: all evidence on it; or a number or words in claims",
    )
    add("--paper", metavar="PAPER", help="only its claims: a short name or an author")
    add("--verdict", type=_judged, metavar="VERDICT", help="only these, such as differs")
    _add_results(parser)


def _judged(text: str) -> str:
    from saturation.ledger.terminal import verdict_of

    try:
        return verdict_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _check_options(parser: Parser) -> None:
    parser.add_argument(
        "results",
        nargs="?",
        type=Path,
        default=Path("results"),
        metavar="RESULTS",
        help="folder of a run (default: results)",
    )


def _checked(options: Options) -> str:
    from saturation.planning.check import check

    return check(options.results)


def _formats(options: Options) -> str:
    from saturation.leaderboard.read.registry import importers

    formats = {importer.name: importer.sentence() for importer in importers()}
    if options.json:
        return as_json({"formats": formats})
    return "\n".join(f"{name}: {sentence}" for name, sentence in formats.items())


def _doctor(options: Options) -> str:
    from saturation.doctor import examine

    lacks = examine(Path.cwd(), os.environ)
    refuse(f"{lack.problem}; {lack.remedy}" for lack in lacks if lack.stops)
    missing = [lack.sentence() for lack in lacks]
    if options.json:
        return as_json({"missing": missing})
    return "\n".join([*missing, "Nothing that is needed is missing."])


STATUS = Command(
    "status",
    "list which benchmarks are out of headroom",
    _status_options,
    call_later("saturation.status.terminal", "run"),
    """examples:
  saturation status
  saturation status --all
  saturation status near the ceiling
  saturation status gpqa diamond
  saturation status swe-bench verified --json""",
)


LEDGER = Command(
    "ledger",
    "show what the papers claim and what we find",
    _ledger_options,
    call_later("saturation.ledger.terminal", "run"),
    """examples:
  saturation ledger
  saturation ledger 48.3
  saturation ledger --paper akhtar --verdict differs
  saturation ledger plateau_037
  saturation ledger "test set size"
  saturation ledger --verdict undecidable --json

Without a run it reads the tables that come with the package.""",
)


CHECK = Command(
    "check",
    "check that results are what their inputs, code and packages make",
    _check_options,
    _checked,
    f"""example:
  saturation check results

Run it in the project's folder: it recomputes the hash of every file that a job
read or wrote.

{EXIT_CODES}""",
)


FORMATS = Command(
    "formats",
    "list the file formats that can be read",
    add_no_options,
    _formats,
    """example:
  saturation formats | grep Inspect""",
)


DOCTOR = Command(
    "doctor",
    "list what this machine lacks for the workflow",
    add_no_options,
    _doctor,
    """example:
  saturation doctor && snakemake --cores 2""",
)
