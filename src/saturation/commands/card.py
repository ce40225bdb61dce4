"""The commands `card` and `demo`."""

import argparse
import math
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.commands.base import (
    EXIT_CODES,
    Command,
    Options,
    Parser,
    Partly,
    Refused,
    add_options,
    as_json,
    default_config,
    no_options,
)
from saturation.commands.benchmark import (
    add_declared,
    check_declared,
    declared_of,
    imported,
    paths_of,
    read_lessons,
    votes_of,
)
from saturation.errors import InputError, Unsettled

if TYPE_CHECKING:
    from saturation.own.card import Card

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
    """Verdicts and limits of numbers, with commas between them."""
    from saturation.own.cards import conditions

    try:
        return conditions(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _card(options: Options) -> str:
    from saturation.own import imports

    given = declared_of(options)
    if options.each_task:
        given["each_task"] = True
    if options.name:
        given["name"] = options.name
    failed: list[str] = []
    with paths_of(options.files) as paths:
        files = [{"path": str(path), "model": options.model} for path in paths]
        if voted := _voted(files, given):
            made = [voted]
        else:
            answers, questions, loaded = imports.settled(files, given)
            if questions and (not options.yes or None in answers.values()):
                raise Unsettled(questions, answers)
            most = _most_answers(options.items)
            made, failed = _all_made(files, given | answers, loaded, most)
    from saturation.own import cards as own_cards
    from saturation.own import pages

    if not made:
        raise InputError(failed)
    text = pages.text(made[0]) if len(made) == 1 else pages.table(made)
    if not options.no_pages:
        text += f"\n{pages.label('pages')}{_written(made, options.output)}"
    if options.json:
        text = as_json({"cards": [own_cards.written(card) for card in made]})
    if failed:
        raise Partly(text, failed)
    if refused := [said for card in made for said in own_cards.met(card, options.fail_on)]:
        raise Refused(text, f"--fail-on names {', '.join(refused)}")
    return text


def _most_answers(all_items: bool) -> float:
    """Return the number of answers up to which the item response model is fitted."""
    return math.inf if all_items else MOST_ANSWERS


def _all_made(
    files: list[dict[str, Any]], given: dict[str, Any], loaded: Any, most: float
) -> tuple[list["Card"], list[str]]:
    """The card of the benchmark, or of each task; and what is wrong with those that have none."""
    from saturation.own import imports

    config = default_config()
    # The family is concluded later; only with one can a range be judged.
    family = "bounded_mean" if "score_range" in given else "other"
    declared = {key: value for key, value in given.items() if key != "name"}
    check_declared(config, given.get("name", "benchmark"), {"family": family} | declared)
    if "each_task" not in declared:
        return [_made(loaded or imports.load(files, given), given, config, most)], []
    name = given.get("name") or imports.stem([Path(file["path"]) for file in files])
    made, failed = [], []
    for task, entry in imports.each(name, files, declared).items():
        try:
            loaded = imports.load(entry["files"], entry)
            made.append(_made(loaded, {**entry, "name": task}, config, most))
        except InputError as error:
            failed += [f"{task}: {line}" for line in error.violations]
    return made, failed


def _made(loaded: Any, given: dict[str, Any], config: dict[str, Any], most: float) -> "Card":
    """The card of one benchmark; what nobody declares is taken from the files."""
    from saturation.files.tables import read_table, shipped
    from saturation.own.study import content, from_config, with_known_issues

    name, declared, imports = imported(loaded, given, config)
    annotation = read_table(shipped("resources/plateau/benchmarks.csv"))
    declared = dict(with_known_issues(name, declared, annotation))
    settings = from_config(config["own"], config["plateau"], config["discriminability"])
    settings = replace(settings, most_answers=most)
    card = content(name, *imports, declared, settings)
    if not imports.scores["date"].notna().any():
        from saturation.own.card import Abstention

        return replace(card, outlook=Abstention("the scores have no dates"))
    from saturation.own import outlook

    ahead = outlook.forecast(imports.scores, card, read_lessons())
    return replace(card, outlook=ahead)


def _voted(files: list[dict[str, Any]], given: dict[str, Any]) -> "Card | None":
    """The card of tables of pairwise votes; None where the files hold something else."""
    if not (voted := votes_of([Path(file["path"]) for file in files], given)):
        return None
    from saturation.own import votes
    from saturation.own.imports import UNDATED
    from saturation.own.study import from_config

    name, declared, held = voted
    config = default_config()
    settings = from_config(config["own"], config["plateau"], config["discriminability"])
    return votes.card(name, held, declared, declared.get("observed_on") or UNDATED, settings.top)


def _written(cards: Sequence["Card"], wanted: Path | None) -> Path:
    """Where the pages were written: of one card its page, of several their folder."""
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
    """A card of a real leaderboard, whose item answers are written to a file to go on with.

    The answers are of a day long past: what newer scores say is said below the card.
    """
    from saturation.files import formats
    from saturation.files.tables import shipped, write_csv, writing
    from saturation.status import terminal

    path = shipped("resources/boards/responses/swebench_epoch.parquet")
    answers = formats.read(path).drop(columns=formats.TASK)
    long = answers.melt(formats.ITEM, var_name="model", value_name="response").dropna()
    with writing(_DEMO, "the answers"):
        write_csv(long, _DEMO)
    words = [
        "card",
        str(_DEMO),
        "--family",
        "accuracy",
        "--observed-on",
        "2025-05-22",
        "--known-issues",
        "flawed tests, contamination",
        "--known-issues-source",
        "https://openai.com/index/why-we-no-longer-evaluate-swe-bench-verified/",
    ]
    parser = Parser()
    add_options(parser, CARD)
    return (
        f"{long['model'].nunique()} models' answers to {len(answers)} items (Epoch AI, CC BY 4.0), "
        f"written to {_DEMO}.\nThe answers are of May 2025. "
        f"{terminal.today('SWE-bench Verified')}\n"
        f"Their card:\n  saturation {shlex.join(words)}\n\n"
        + _card(parser.parse_args([*words[1:], "--no-pages"]))
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
  saturation card scores.csv --columns model=System --columns score="Accuracy (%)" --n-items 500

{EXIT_CODES}""",
)


DEMO = Command(
    "demo",
    "judge a real leaderboard that comes with the package",
    no_options,
    _demo,
    """example:
  saturation demo""",
)
