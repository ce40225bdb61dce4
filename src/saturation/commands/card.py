"""The commands `card` and `demo`."""

import math
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from saturation.commands.base import COMMANDS, Options, Parser, Partly, Refused, as_json
from saturation.commands.benchmark import (
    check_declared,
    declared_of,
    files_of,
    load_votes,
    make_study,
    paths_of,
    settle,
)
from saturation.errors import InputError, NoResults, Violation
from saturation.files import formats
from saturation.files.tables import shipped, write_csv, writing
from saturation.leaderboard.read.formats.swe_bench import repository
from saturation.own import cards as own_cards
from saturation.own import imports, pages
from saturation.own import votes as own_votes
from saturation.own.card import Card
from saturation.own.imports import UNDATED, Declarations
from saturation.own.study import Context, shipped_context
from saturation.planning.config import Config
from saturation.status import terminal

# Answers above which a card leaves the item response model out, unless it is asked for: from here
# on the model takes several times as long as all else.
MOST_ANSWERS = 200_000
# Cards, what keeps a task from its card, and what says that a task has no results.
Made = tuple[list[Card], list[str], list[str]]
# Where `demo` writes the answers that it judges.
_DEMO = Path("swebench_verified.csv")


# Codes of a terminal's colours.
_GREEN, _YELLOW, _RED = 32, 33, 31
_COLOURS = {"separates": _GREEN, "saturated": _RED, "stagnated": _RED, "exhausted": _RED}


def _coloured(card: Card) -> str:
    """Write a card, in a terminal with its verdict in colour unless NO_COLOR is set."""
    first, *lines = pages.text(card).splitlines()
    if sys.stdout.isatty() and not os.environ.get("NO_COLOR"):
        name, _, verdict = first.partition(": ")
        colour = _COLOURS.get(card.verdict, _YELLOW)
        first = f"{name}: \x1b[1;{colour}m{verdict}\x1b[0m"
    return "\n".join([first, *lines])


def run_card(options: Options) -> str:
    """Make the cards of files, write their pages, and return what is printed."""
    declared = declared_of(options)
    if options.each_task:
        declared["each_task"] = True
    if options.name:
        declared["name"] = options.name
    with paths_of(options.files) as paths:
        cards, failed, without = _cards_of_files(paths, declared, options)
    if not cards:
        raise InputError([*failed, *without])
    text = _print_cards(cards, without, options)
    if failed:
        raise Partly(text, failed)
    if refused := [line for card in cards for line in own_cards.met(card, options.fail_on)]:
        raise Refused(text, f"--fail-on names {', '.join(refused)}")
    return text


def _print_cards(cards: Sequence[Card], without: Sequence[str], options: Options) -> str:
    """Write the cards' pages; return the cards as printed, with the tasks without results."""
    lines = [_coloured(cards[0]) if len(cards) == 1 else pages.table(cards)]
    lines += [f"{pages.label('left out')}{line}" for line in without]
    if not options.no_pages:
        lines.append(f"{pages.label('pages')}{_write(cards, options.output)}")
    if options.json:
        return as_json(
            {"cards": [own_cards.encode_card(card) for card in cards], "left_out": without}
        )
    return "\n".join(lines)


def _cards_of_files(paths: list[Path], declared: Declarations, options: Options) -> Made:
    """Make the card of a benchmark, of votes, or of each task."""
    context = shipped_context()
    if votes := load_votes(paths, declared):
        date = votes.declared.get("observed_on") or UNDATED
        top = context.settings.top
        return [own_votes.card(votes.name, votes.tables, votes.declared, date, top)], [], []
    files, stated = files_of(paths), declared
    declared, entry = settle(files, declared, accept=options.yes)
    remarks = imports.remarks_on_proposals(stated, declared)
    most = math.inf if options.items else MOST_ANSWERS
    context = replace(context, settings=replace(context.settings, most_answers=most))
    if "each_task" in declared:
        return _cards_of_tasks(files, declared, context, remarks)
    entry = entry or imports.conclude(imports.load(files, declared), declared)
    return [make_study(entry, context).card], [], []


def _cards_of_tasks(
    files: list[Config], declared: Declarations, context: Context, remarks: list[str]
) -> Made:
    """Make a card of each task, with remarks on the answers that were taken as proposed."""
    name = declared.pop("name", None) or imports.stem([Path(file["path"]) for file in files])
    # The family is concluded later; only with one can a range be judged.
    family = "bounded_mean" if "score_range" in declared else "other"
    check_declared(name, {"family": family} | declared)
    cards = []
    failed: list[str] = []
    without: list[str] = []
    for task, declaration in imports.split_tasks(name, files, declared).items():
        try:
            entry = imports.conclude(
                imports.load(declaration["files"], declaration), {**declaration, "name": task}
            )
            entry.remarks[:0] = remarks
            cards.append(make_study(entry, context).card)
        except InputError as error:
            lines = without if isinstance(error, NoResults) else failed
            lines += [Violation(f"{task}: ", line) for line in error.violations]
    return cards, failed, without


def _write(cards: Sequence[Card], wanted: Path | None) -> Path:
    """Write the pages; return the page of a single card, or the folder of several."""
    templates = {
        name: shipped(f"workflow/templates/{file}.j2").read_text(encoding="utf-8")
        for name, file in own_cards.PAGES.items()
    }
    alone = len(cards) == 1
    parent = wanted or Path("cards")
    for card in cards:
        folder = wanted if wanted and alone else parent / card.benchmark
        with writing(folder, "the card"):
            own_cards.write_card(card, folder, templates)
    return folder / own_cards.PAGES["html"] if alone else parent


def run_demo(_options: Options) -> str:
    """Make a card of a real leaderboard, and write its item answers to a file to go on with.

    The answers are of a day long past: the card is preceded by what newer scores say.
    """
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
    COMMANDS["card"].add_options(parser)
    return (
        f"{long['model'].nunique()} models' answers to {len(answers)} items of "
        f"{long['cluster'].nunique()} repositories (Epoch AI, CC BY 4.0,\n"
        f"May 2025), written to {_DEMO}.\n{terminal.today('SWE-bench Verified')}\n"
        f"Their card:\n  saturation card {words}\n\n"
        + run_card(parser.parse_args([*shlex.split(words), "--no-pages"]))
    )
