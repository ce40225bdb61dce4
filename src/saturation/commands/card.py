"""The commands `card` and `demo`."""

import argparse
import math
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from saturation.commands.base import (
    EXIT_CODES,
    FAILED,
    Command,
    Options,
    Parser,
    Partly,
    Refused,
    add_no_options,
    add_options,
    as_json,
)
from saturation.commands.benchmark import (
    add_declared,
    check_declared,
    declared_of,
    files_of,
    load_votes,
    make_study,
    paths_of,
    settle,
)
from saturation.errors import InputError, Violation

if TYPE_CHECKING:
    from saturation.commands.benchmark import Votes
    from saturation.own.card import Card
    from saturation.own.imports import Declarations
    from saturation.own.study import Context
    from saturation.planning.config import Config

# Answers above which a card leaves the item response model out, unless it is asked for: from here
# on the model takes several times as long as all else.
MOST_ANSWERS = 200_000
# Where `demo` writes the answers that it judges.
_DEMO = Path("swebench_verified.csv")


def _card_options(parser: Parser) -> None:
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="in any format that `formats` lists; a folder; or - for standard input",
    )
    add("--yes", action="store_true", help="accept every proposal that an error would print")
    add(
        "--fail-on",
        type=_conditions,
        default=(),
        metavar="WHAT[,WHAT]",
        help="exit code 3 at these verdicts and limits, such as exhausted,tied>5",
    )
    add("--output", type=Path, metavar="FOLDER", help="where the pages go (default: cards/NAME)")
    add("--no-pages", action="store_true", help="print the card and write no pages")
    add("--each-task", action="store_true", help="make a card for each task in the files")
    add(
        "--items",
        action="store_true",
        help=f"fit the item response model to more than {MOST_ANSWERS:,} answers too",
    )
    add_declared(parser)


def _conditions(text: str) -> tuple[str, ...]:
    """Split verdicts and limits of numbers at commas."""
    from saturation.own.cards import conditions

    try:
        return conditions(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


# Codes of a terminal's colours.
_GREEN, _YELLOW, _RED = 32, 33, 31
_COLOURS = {"separates": _GREEN, "saturated": _RED, "stagnated": _RED, "exhausted": _RED}


def _coloured(card: "Card") -> str:
    """Write a card, in a terminal with its verdict in colour unless NO_COLOR is set."""
    from saturation.own import pages

    first, *lines = pages.text(card).splitlines()
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        name, _, verdict = first.partition(": ")
        colour = _COLOURS.get(card.verdict, _YELLOW)
        first = f"{name}: \x1b[1;{colour}m{verdict}\x1b[0m"
    return "\n".join([first, *lines])


def _card(options: Options) -> str:
    from saturation.own import cards as own_cards
    from saturation.own import pages

    declared = declared_of(options)
    if options.each_task:
        declared["each_task"] = True
    if options.name:
        declared["name"] = options.name
    failed: list[str] = []
    with paths_of(options.files) as paths:
        files = files_of(paths, options)
        if votes := load_votes(paths, declared):
            cards = [_card_of_votes(votes)]
        else:
            cards, failed = _cards_of_files(files, declared, options)
    if not cards:
        raise InputError(failed)
    text = _coloured(cards[0]) if len(cards) == 1 else pages.table(cards)
    if not options.no_pages:
        text += f"\n{pages.label('pages')}{_write(cards, options.output)}"
    if options.json:
        text = as_json({"cards": [own_cards.encode_card(card) for card in cards]})
    if failed:
        raise Partly(text, failed)
    if refused := [line for card in cards for line in own_cards.met(card, options.fail_on)]:
        raise Refused(text, f"--fail-on names {', '.join(refused)}")
    return text


def _cards_of_files(
    files: "list[Config]", declared: "Declarations", options: Options
) -> tuple[list["Card"], list[str]]:
    """Make the card of a benchmark or of each task; list what keeps a task from its card."""
    from saturation.own import imports
    from saturation.own.study import shipped_context

    stated = declared
    declared, entry = settle(files, declared, accept=options.yes)
    remarks = imports.remarks_on_proposals(stated, declared)
    context = shipped_context()
    most = math.inf if options.items else MOST_ANSWERS
    context = replace(context, settings=replace(context.settings, most_answers=most))
    if "each_task" in declared:
        return _cards_of_tasks(files, declared, context, remarks)
    entry = entry or imports.conclude(imports.load(files, declared), declared)
    return [make_study(entry, context).card], []


def _cards_of_tasks(
    files: "list[Config]", declared: "Declarations", context: "Context", remarks: list[str]
) -> tuple[list["Card"], list[str]]:
    """Make a card of each task, with remarks on the answers that were taken as proposed."""
    from saturation.own import imports

    name = declared.pop("name", None) or imports.stem([Path(file["path"]) for file in files])
    # The family is concluded later; only with one can a range be judged.
    family = "bounded_mean" if "score_range" in declared else "other"
    check_declared(name, {"family": family} | declared)
    cards: list[Card] = []
    failed: list[str] = []
    for task, declaration in imports.split_tasks(name, files, declared).items():
        try:
            entry = imports.conclude(
                imports.load(declaration["files"], declaration), {**declaration, "name": task}
            )
            entry.remarks[:0] = remarks
            cards.append(make_study(entry, context).card)
        except InputError as error:
            failed += [Violation(f"{task}: ", line) for line in error.violations]
    return cards, failed


def _card_of_votes(votes: "Votes") -> "Card":
    from saturation.own.imports import UNDATED
    from saturation.own.study import shipped_context
    from saturation.own.votes import card

    date = votes.declared.get("observed_on") or UNDATED
    top = shipped_context().settings.top
    return card(votes.name, votes.tables, votes.declared, date, top)


def _write(cards: Sequence["Card"], wanted: Path | None) -> Path:
    """Write the pages; return the page of a single card, or the folder of several."""
    from saturation.files.tables import shipped, writing
    from saturation.own.cards import PAGES, write_card

    templates = {
        name: shipped(f"workflow/templates/{file}.j2").read_text(encoding="utf-8")
        for name, file in PAGES.items()
    }
    alone = len(cards) == 1
    parent = wanted or Path("cards")
    for card in cards:
        folder = wanted if wanted and alone else parent / card.benchmark
        with writing(folder, "the card"):
            write_card(card, folder, templates)
    return folder / PAGES["html"] if alone else parent


def _demo(_options: Options) -> str:
    """Make a card of a real leaderboard, and write its item answers to a file to go on with.

    The answers are of a day long past: the card is preceded by what newer scores say.
    """
    from saturation.files import formats
    from saturation.files.tables import shipped, write_csv, writing
    from saturation.leaderboard.read.formats.swe_bench import repository
    from saturation.status import terminal

    path = shipped("resources/boards/responses/swebench_epoch.parquet")
    answers = formats.read(path).drop(columns=formats.TASK)
    long = answers.melt(formats.ITEM, var_name="model", value_name="response").dropna()
    long["cluster"] = long[formats.ITEM].map(repository)
    with writing(_DEMO, "the answers"):
        write_csv(long, _DEMO)
    words = (
        f"{_DEMO} --family accuracy --observed-on 2025-05-22 "
        "--known-issues 'flawed tests, contamination' --known-issues-source "
        "https://openai.com/index/why-we-no-longer-evaluate-swe-bench-verified/"
    )
    parser = Parser()
    add_options(parser, CARD)
    return (
        f"{long['model'].nunique()} models' answers to {len(answers)} items of "
        f"{long['cluster'].nunique()} repositories (Epoch AI, CC BY 4.0,\n"
        f"May 2025), written to {_DEMO}.\n{terminal.today('SWE-bench Verified')}\n"
        f"Their card:\n  saturation card {words}\n\n"
        + _card(parser.parse_args([*shlex.split(words), "--no-pages"]))
    )


CARD = Command(
    "card",
    "say from its files whether a benchmark is still worth running",
    _card_options,
    _card,
    f"""examples:
  saturation card logs/*.eval
  saturation card leaderboard.csv --family accuracy --n-items 500
  saturation card results_*.json --task gsm8k --fail-on saturated,stagnated
  saturation card scores.csv --columns model=System --n-items 500

{EXIT_CODES}
{FAILED}""",
)


DEMO = Command(
    "demo",
    "judge a real leaderboard that comes with the package",
    add_no_options,
    _demo,
    """example:
  saturation demo""",
)
