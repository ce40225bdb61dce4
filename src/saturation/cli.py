"""The console command ``saturation``: the one place that prints.

A command is a row of `COMMANDS`: what it takes, and a function that gives back the text to print.
Modules that take long to load are imported by the command that needs them.
"""

import argparse
import difflib
import importlib.util
import io
import logging
import math
import os
import re
import shlex
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from saturation.errors import InputError, Unsettled

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from saturation.own.card import Card
    from saturation.own.imports import Imports

Parser = argparse.ArgumentParser
Options = argparse.Namespace

# Keys that the option of the same name declares of the benchmark.
_DECLARED = (
    *("family", "score_range", "higher_is_better", "metric", "task", "filter", "n_items", "pass_k"),
    *("interval_level", "observed_on", "released", "meaningful_difference", "label_noise"),
    *("known_issues", "known_issues_source", "table", "duplicates"),
)
_OPTIONS = frozenset([*_DECLARED, "model", "columns", "each_task"])
# How the library's sentences call a key of a benchmark that the command takes as an option.
_KEY = re.compile(
    r"(?:config: )?(?:(the|its) )?key '(?:own\.benchmarks\.[^']*\.)?(\w+)'(?: of the benchmark)?"
)
# How a sentence names several of its columns, in the words of the config.
_COLUMNS = re.compile(r"(?:the option )?--columns: ((?:[^=,]+=[^=,]+, )*[^=,]+=[^=,]+)$")
# Answers above which a card leaves the item response model out, unless it is asked for: from here
# on the model takes several times as long as all else.
_MOST_ANSWERS = 200_000
# Seconds after which a command says that it is at work.
_PATIENCE = 3.0
# Where `demo` writes the answers that it judges.
_DEMO = Path("swebench_verified.csv")
# Empties the terminal's line.
_CLEARED = "\x1b[2K\r"
_EXIT = """exit codes:
  0  done
  1  a file or a value cannot be used; the error stream says which, and what to do
  2  the command was not understood
  3  the verdict or a number is one that --fail-on names"""


@dataclass(frozen=True)
class Command:
    """A command: what it takes, what it gives back to print, and examples for its help."""

    name: str
    summary: str
    options: Callable[[Parser], None]
    run: Callable[[Options], str]
    more: str = ""


class Partly(InputError):
    """What is printed of some benchmarks, with what is wrong with the others."""

    def __init__(self, text: str, violations: Sequence[str]) -> None:
        super().__init__(violations)
        self.text = text


class Refused(Exception):
    """What is printed all the same, with the sentence why the exit code is 3."""

    def __init__(self, text: str, sentence: str) -> None:
        super().__init__(sentence)
        self.text = text


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; what cannot be used is said on the error stream.

    The code is 0, 1 for what cannot be used, 3 for a verdict that is not accepted; argparse leaves
    with 2 where it does not understand the words.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if unknown := _unknown(words):
        sys.stderr.write(f"Error: {unknown}\n")
        raise SystemExit(2)
    options, unknown_words = _parser().parse_known_args(words)
    if unknown_words:
        sys.stderr.write(f"Error: {_no_option(words[0], unknown_words[0])}\n")
        raise SystemExit(2)
    options.words = words
    try:
        with _at_work():
            said = options.command.run(options)
        print(said, flush=True)  # noqa: T201
    except BrokenPipeError:
        # Who reads wants no more, as `head`; what is left must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Unsettled as error:
        sys.stderr.write(_proposed(words, error))
        return 1
    except InputError as error:
        if isinstance(error, Partly):
            print(error.text)  # noqa: T201
        sys.stderr.writelines(f"{_as_option(line)}\n" for line in _listed(error.violations))
        return 1
    except Refused as refused:
        print(refused.text)  # noqa: T201
        sys.stderr.write(f"Refused: {refused}\n")
        return 3
    return 0


def _unknown(words: Sequence[str]) -> str:
    """What is said of a command that does not exist; argparse would list them all."""
    known = [command.name for command in COMMANDS]
    if not words or words[0].startswith("-") or words[0] in known:
        return ""
    near = difflib.get_close_matches(words[0].lower(), known, n=1)
    guess = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)};"
    return f"no command {words[0]}; {guess} `saturation --help` says what each does"


def _no_option(command: str, word: str) -> str:
    """What is said of a word that a command does not take, with the option that it may mean."""
    parser = Parser(add_help=False)
    (known,) = (one for one in COMMANDS if one.name == command)
    known.options(parser)
    option = word.partition("=")[0]
    taken = re.findall(r"--[a-z-]+", parser.format_usage())
    near = difflib.get_close_matches(option, taken, n=1)
    guess = f"did you mean {near[0]}?" if near and option.startswith("-") else "it is no option;"
    return f"{command} does not take {option}; {guess} see `saturation {command} --help`"


@contextmanager
def _at_work() -> Iterator[None]:
    """In a terminal, what a command is at and for how long, where it takes more than 3 seconds."""
    if not sys.stderr.isatty():
        yield
        return
    done, started, at = threading.Event(), time.monotonic(), io.StringIO()
    # Such as which file is being read.
    log, handler = logging.getLogger("saturation"), logging.StreamHandler(at)
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def said() -> None:
        wait = _PATIENCE
        while not done.wait(wait):
            wait = 1.0
            words = [*at.getvalue().splitlines()[-1:], f"{time.monotonic() - started:.0f} s ...\r"]
            sys.stderr.write(_CLEARED + ", ".join(words))
            sys.stderr.flush()
        sys.stderr.write(_CLEARED if wait == 1.0 else "")

    thread = threading.Thread(target=said, daemon=True)
    thread.start()
    try:
        yield
    finally:
        log.removeHandler(handler)
        done.set()
        thread.join()


def _listed(violations: Sequence[str]) -> Iterator[str]:
    """Each sentence once; the points of a list without the word before the others."""
    for line in dict.fromkeys(violations):
        yield line if line.startswith("  - ") else f"Error: {line}"


def _proposed(words: Sequence[str], open_: Unsettled) -> str:
    """The one command that settles what is open, and then the questions."""
    lacking = [key for key, value in open_.answers.items() if value is None]
    command = shlex.join(["saturation", *words]) + "".join(
        f" {_flag(key, value)}" for key, value in open_.answers.items()
    )
    then = "takes what is proposed, as --yes does"
    if lacking:
        then = f"once you replace {' and '.join(key.upper() for key in lacking)}"
    questions = "".join(f"  - {_as_option(line)}\n" for line in dict.fromkeys(open_.violations))
    return f"{command}\n  {then}; open are:\n{questions}"


def _flag(key: str, value: Any) -> str:
    """A key of a benchmark and its value as words of the command."""
    option = f"--{key.replace('_', '-')}"
    if value is None:
        return f"{option} {key.upper()}"
    if isinstance(value, bool):
        return option if value else f"--no-{option[2:]}"
    if isinstance(value, Mapping):
        return " ".join(f"{option} {shlex.quote(f'{a}={b}')}" for a, b in value.items())
    parts = value if isinstance(value, (list, tuple)) else [value]
    return shlex.join([option, *map(str, parts)])


def _as_option(sentence: str) -> str:
    """A sentence with the options' names for the keys of a benchmark."""

    def named(found: re.Match[str]) -> str:
        article, key = found.groups()
        if key not in _OPTIONS:
            return found[0]
        return f"{'the option ' if article else ''}--{key.replace('_', '-')}"

    found = _KEY.sub(named, sentence).replace("[0, 1] or [0, 100]", "0 1 or 0 100")
    return _COLUMNS.sub(_each_column, found)


def _each_column(found: re.Match[str]) -> str:
    """Columns as words of the command, of which each has its option."""
    return " ".join(f"--columns {shlex.quote(pair)}" for pair in found[1].split(", "))


def _parser() -> Parser:
    parser = argparse.ArgumentParser(
        prog="saturation",
        description="Say which AI benchmarks still separate models, and until when.",
    )
    parser.add_argument("--version", action="version", version=f"saturation {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.".replace("?.", "?"),
            epilog=command.more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.options(sub)
        sub.add_argument("--json", action="store_true", help="JSON on one line, for programs")
        sub.set_defaults(command=command)
    return parser


def _version() -> str:
    try:
        return metadata.version("saturation")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _config() -> dict[str, Any]:
    """The default config, from which the library's settings come."""
    config: dict[str, Any] = _shipped_yaml("config/config.yaml")
    return config


def _shipped_yaml(path: str) -> Any:
    """A shipped YAML file, by the parser in C where there is one: in Python it takes ten times."""
    import yaml

    from saturation.files.tables import shipped

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(shipped(path).read_text(encoding="utf-8"), loader)


def _card_options(parser: Parser) -> None:
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE",
        help="in any format that `formats` lists; a folder; or - for standard input")  # fmt: skip
    add("--yes", action="store_true", help="accept every proposal that an error would print")
    add("--fail-on", type=_conditions, default=(), metavar="WHAT[,WHAT]",
        help="exit code 3 at these verdicts and limits, such as exhausted,tied>5")  # fmt: skip
    add("--output", type=Path, metavar="FOLDER", help="where the pages go (default: cards/NAME)")
    add("--no-pages", action="store_true", help="print the card and write no pages")
    add("--each-task", action="store_true", help="make a card for each task in the files")
    add("--items", action="store_true",
        help=f"fit the item response model to more than {_MOST_ANSWERS:,} answers too")  # fmt: skip
    _said_options(parser)


def _said_options(parser: Parser) -> None:
    """What the files do not say of a benchmark."""
    from saturation.leaderboard.names import FAMILIES

    said = parser.add_argument_group("what the files do not say, or say otherwise")
    add = said.add_argument
    add("--name", help="the benchmark's name (default: its task, else the file's name)")
    add("--family", choices=FAMILIES, help="kind of metric")
    add("--score-range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="limits of the metric")
    add("--higher-is-better", action=argparse.BooleanOptionalAction, help="direction of the metric")
    _choices(said)
    add("--model", help="name of the model, if the file has none")
    add("--n-items", type=_n_items, metavar="N",
        help="number of items; 'digits' infers it from the scores")  # fmt: skip
    add("--pass-k", type=int, metavar="K", help="k of pass@k, if items have several attempts")
    add("--interval-level", type=float, metavar="LEVEL", help="level of the intervals in the file")
    add("--observed-on", metavar="DATE", help="date of the data (default: the latest in the files)")
    add("--released", metavar="DATE", help="date of the benchmark's release")
    add("--meaningful-difference", type=float, metavar="D",
        help="smallest difference that matters (default: 0.02 of the range)")  # fmt: skip
    add("--label-noise", type=float, metavar="SHARE", help="share of items whose label is wrong")
    add("--known-issues", metavar="TEXT", help="documented label errors or contamination")
    add("--known-issues-source", metavar="TEXT", help="where they are documented")
    add("--synthetic", action="store_true", help="say on every page that the data are made up")


def _conditions(text: str) -> tuple[str, ...]:
    """Verdicts and limits of numbers, with commas between them."""
    from saturation.own.cards import conditions

    try:
        return conditions(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _n_items(text: str) -> int | str:
    from saturation.leaderboard.read.rows import DIGITS

    return text if text == DIGITS else int(text)


def _column(text: str) -> tuple[str, str]:
    """Our name and the table's name of a column."""
    ours, equals, theirs = text.partition("=")
    if not (ours and equals and theirs):
        raise argparse.ArgumentTypeError(f"'{text}' is not OURS=THEIRS, such as model=System")
    return ours, theirs


def _choices(parser: argparse._ActionsContainer) -> None:
    """Options that choose out of files that hold several things."""
    add = parser.add_argument
    add("--task", help="which task, if the files have several")
    add("--metric", help="which metric, if the files have several")
    add("--filter", help="which filter or split, if the files have several")
    add("--columns", type=_column, action="append", metavar="OURS=THEIRS",
        help="name a column, such as model=System; repeatable")  # fmt: skip
    add("--table", help="which table, by heading, sheet or number")
    add("--duplicates", choices=("latest", "best", "mean", "runs", "separate"),
        help="which of several scores of a model to use")  # fmt: skip


def _card(options: Options) -> str:
    from saturation.own import imports

    given = _given(options)
    if options.each_task:
        given["each_task"] = True
    if options.name:
        given["name"] = options.name
    failed: list[str] = []
    with _paths(options.files) as paths:
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
        text = _as_json({"cards": [own_cards.written(card) for card in made]})
    if failed:
        raise Partly(text, failed)
    if refused := [said for card in made for said in own_cards.met(card, options.fail_on)]:
        raise Refused(text, f"--fail-on names {', '.join(refused)}")
    return text


def _most_answers(wanted: bool) -> float:
    """To how many answers the item response model is fitted."""
    if not wanted:
        return _MOST_ANSWERS
    if importlib.util.find_spec("numba") is None:
        from saturation.own.card import NUMBA

        raise InputError(f"--items: {NUMBA}")
    return math.inf


def _given(options: Options) -> dict[str, Any]:
    """What the options say of a benchmark."""
    given = {key: getattr(options, key) for key in _DECLARED} | {
        "synthetic": options.synthetic or None,
        "columns": dict(options.columns) if options.columns else None,
    }
    return {key: value for key, value in given.items() if value is not None}


@contextmanager
def _paths(given: Sequence[Path]) -> Iterator[list[Path]]:
    """The files that are meant by files, folders, patterns and -, which is standard input."""
    from saturation.leaderboard.read.open import below

    with tempfile.TemporaryDirectory() as folder:
        found: list[Path] = []
        for path in given:
            if str(path) == "-":
                path = Path(folder) / "stdin"
                path.write_bytes(sys.stdin.buffer.read())
            found += below(path)
        yield found


def _all_made(
    files: list[dict[str, Any]], given: dict[str, Any], loaded: Any, most: float
) -> tuple[list["Card"], list[str]]:
    """The card of the benchmark, or of each task; and what is wrong with those that have none."""
    from saturation.own import imports

    config = _config()
    # The family is concluded later; only with one can a range be judged.
    family = "bounded_mean" if "score_range" in given else "other"
    declared = {key: value for key, value in given.items() if key != "name"}
    _check(config, given.get("name", "benchmark"), {"family": family} | declared)
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

    name, declared, imports = _imported(loaded, given, config)
    annotation = read_table(shipped("resources/plateau/benchmarks.csv"))
    declared = dict(with_known_issues(name, declared, annotation))
    settings = from_config(config["own"], config["plateau"], config["discriminability"])
    settings = replace(settings, most_answers=most)
    card = content(name, *imports, declared, settings)
    if not imports.scores["date"].notna().any():
        from saturation.own.card import Abstention

        return replace(card, outlook=Abstention("the scores have no dates"))
    from saturation.own import outlook

    ahead = outlook.forecast(imports.scores, card, settings.top, _lessons(), config["seed"])
    return replace(card, outlook=ahead)


def _voted(files: list[dict[str, Any]], given: dict[str, Any]) -> "Card | None":
    """The card of tables of pairwise votes; None where the files hold something else."""
    if not (voted := _votes([Path(file["path"]) for file in files], given)):
        return None
    from saturation.own import votes
    from saturation.own.imports import UNDATED
    from saturation.own.study import from_config

    name, declared, held = voted
    config = _config()
    settings = from_config(config["own"], config["plateau"], config["discriminability"])
    return votes.card(name, held, declared, declared.get("observed_on") or UNDATED, settings.top)


def _votes(
    paths: Sequence[Path], given: dict[str, Any]
) -> "tuple[str, dict[str, Any], dict[str, pd.DataFrame]] | None":
    """A name, what is declared, and tables of votes by their files; None of something else."""
    from saturation.leaderboard.names import may_hold_votes

    # What follows takes half a second to import, and reads the files.
    if "winner" not in (given.get("columns") or {}) and not any(map(may_hold_votes, paths)):
        return None
    from saturation.own import imports as own_imports
    from saturation.own import votes

    tables = {str(path): votes.table(path, given.get("columns")) for path in paths}
    held = {path: table for path, table in tables.items() if table is not None}
    if held and (others := sorted(set(tables).difference(held))):
        raise InputError(f"{others[0]}: no table of votes, as other files are; make a card of each")
    if not held:
        return None
    name = given.get("name") or own_imports.stem(paths)
    declared = {"family": "rating"} | {key: said for key, said in given.items() if key != "name"}
    _check(_config(), name, declared)
    return name, declared, held


def _imported(
    loaded: Any, given: dict[str, Any], config: dict[str, Any]
) -> "tuple[str, dict[str, Any], Imports]":
    """A benchmark's name, its entry and its tables."""
    from saturation.own import imports as own_imports

    name, declared, remarks = own_imports.entry(loaded, given)
    _check(config, name, declared)
    return name, dict(declared), own_imports.together(name, loaded, declared, remarks)


def _compare_options(parser: Parser) -> None:
    add = parser.add_argument
    add("first", metavar="A", help="a model of the files; without files, a card or a model's file")
    add("second", metavar="B", help="another model, or its card or file")
    add("files", nargs="*", type=Path, metavar="FILE", help="in any format that `formats` lists")
    _said_options(parser)


def _compare(options: Options) -> str:
    from dataclasses import asdict

    from saturation.own import compare, pages, votes
    from saturation.own import imports as own_imports
    from saturation.own.card import Abstention
    from saturation.own.study import from_config, own_scale

    config = _config()
    names, files = (options.first, options.second), options.files
    if not files:
        paths = [Path(name) for name in names]
        cards = [path / "card.json" if path.is_dir() else path for path in paths]
        if all(path.name == "card.json" and path.is_file() for path in cards):
            return _two_cards((cards[0], cards[1]), options.json)
        if missing := sorted((path for path in paths if not path.is_file()), key=Path.exists):
            raise InputError(
                f"{missing[0]} is no file; name two models and the files that hold them, such as "
                "`saturation compare MODEL OTHER results.csv`, two cards, or a file for each model"
            )
        files = paths
    entries = [{"path": str(path), "model": options.model} for path in files]
    given = _given(options)
    settings = from_config(config["own"], config["plateau"], config["discriminability"])
    if options.files and (voted := _votes(files, given)):
        name, declared, held = voted
        rated, remarks = votes.rated(held)
        found = compare.two_rated(names, name, rated, declared, settings.top)
    else:
        loaded = own_imports.load(entries, given)
        name, declared, (scores, responses, record, _) = _imported(loaded, given, config)
        models, remarks = sorted({*scores["model"], *responses["model"].unique()}), record.remarks
        if not options.files:
            if len(models) != 2:
                raise InputError(f"the two files hold {len(models)} models: name two of them first")
            names = (models[0], models[1])
        found = compare.two_models(names, name, (scores, responses), declared, settings.top)
    if isinstance(found, Abstention):
        raise InputError(f"the two models cannot be compared: {found.abstains}")
    if options.json:
        return _as_json(asdict(found))
    unit = pages.unit_of(declared["family"], own_scale(declared))
    notes = [part for remark in remarks for part in pages.line("note", remark)]
    return "\n".join([compare.text(found, unit), *notes])


def _two_cards(paths: tuple[Path, Path], as_json: bool) -> str:
    import json

    from saturation.own import compare
    from saturation.own.cards import from_written

    cards = []
    for path in paths:
        try:
            cards.append(from_written(json.loads(path.read_text(encoding="utf-8"))))
        except (ValueError, KeyError, TypeError, StopIteration):
            raise InputError(
                f"{path}: no card of this version of saturation; make it anew with "
                "`saturation card`"
            ) from None
    found = compare.two_cards((cards[0], cards[1]))
    if as_json:
        return _as_json(found)
    return compare.cards_text(found, (cards[0], cards[1]))


def _as_json(content: dict[str, Any]) -> str:
    """What `--json` prints, with the tool's version."""
    from saturation.files.tables import json_line

    return json_line({"tool": f"saturation {_version()}", **content})


def _check(config: dict[str, Any], name: str, declared: Mapping[str, Any]) -> None:
    """Refuse what the workflow's config refuses of a benchmark, by the same schema and rules."""
    from saturation.planning.config import STUDIES, assemble, check

    parts = {
        part: _shipped_yaml(f"workflow/schemas/{part}.schema.yaml")
        for part in ("config", "ledger", "own", *STUDIES)
    }
    own = {**config["own"], "benchmarks": {name: {**declared, "files": ["FILE"]}}}
    check({**config, "own": own}, assemble(parts, STUDIES))


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
        "card", str(_DEMO), "--family", "accuracy", "--observed-on", "2025-05-22",
        "--known-issues", "flawed tests, contamination", "--known-issues-source",
        "https://openai.com/index/why-we-no-longer-evaluate-swe-bench-verified/",
    ]  # fmt: skip
    return (
        f"{long['model'].nunique()} models' answers to {len(answers)} items (Epoch AI, CC BY 4.0), "
        f"written to {_DEMO}.\nThe answers are of May 2025. "
        f"{terminal.today('SWE-bench Verified')}\n"
        f"Their card:\n  saturation {shlex.join(words)}\n\n"
        + _card(_parser().parse_args([*words, "--no-pages"]))
    )


def _index_options(parser: Parser) -> None:
    add = parser.add_argument
    add("--s-1", type=float, required=True, metavar="SCORE", help="the best score, in [0, 1]")
    add("--s-k", type=float, required=True, metavar="SCORE", help="the k-th best, in [0, 1]")
    add("--n", type=int, required=True, metavar="N", help="number of test items")
    add("--alpha", type=float, help="n_eff = n^alpha (default: the config's)")


def _index(options: Options) -> str:
    from saturation.index import (
        decision,
        interval_of_proportions,
        saturation_bin,
        saturation_index,
        side_of_threshold,
    )

    config = _config()
    settings, level = config["plateau"], config["own"]["level"]
    alpha = settings["alpha"] if options.alpha is None else options.alpha
    threshold = settings["saturated_from"]
    for option, value in (("--s-1", options.s_1), ("--s-k", options.s_k), ("--alpha", alpha)):
        if not 0 <= value <= 1:
            raise InputError(f"{option} is {value:g}; a number in [0, 1] is allowed")
    scores = (options.s_1, options.s_k)
    try:
        value = saturation_index(*scores, options.n, alpha, settings["epsilon"])
    except ValueError as error:
        raise InputError(str(error)) from None

    def limits(level: float) -> "tuple[NDArray[Any], NDArray[Any]]":
        return interval_of_proportions(
            *scores, options.n, options.n, alpha, level, settings["epsilon"]
        )

    lower, upper = limits(level)
    shown = str(decision(limits, 2, threshold, level))
    in_bin = str(saturation_bin(float(value), settings["bin_edges"])).replace("_", " ")
    if options.json:
        limits_ = {"lower": float(lower), "upper": float(upper), "level": level}
        return _as_json({"s_index": float(value), **limits_, "bin": in_bin, "decision": shown})
    return (
        f"S {value:.3f} ({100 * level:g} % interval {lower:.3f} to {upper:.3f}), {in_bin}\n"
        f"{shown}: {side_of_threshold(shown, threshold)}"
    )


def _formats(options: Options) -> str:
    from saturation.leaderboard.read.registry import importers

    if options.json:
        return _as_json({"formats": {one.name: one.sentence() for one in importers()}})
    return "\n".join(f"{importer.name}: {importer.sentence()}" for importer in importers())


def _doctor(options: Options) -> str:
    from saturation.doctor import examine

    lacks = examine(Path.cwd(), os.environ)
    if stops := [f"{lack.problem}; {lack.remedy}" for lack in lacks if lack.stops]:
        raise InputError(stops)
    if options.json:
        return _as_json({"missing": [lack.sentence() for lack in lacks]})
    return "\n".join([*(lack.sentence() for lack in lacks), "Nothing that is needed is missing."])


def _bank(parser: Parser) -> None:
    """A bank of answers, and what to take out of its files."""
    add = parser.add_argument
    add("bank", nargs="+", metavar="BANK", help="an embedded board, or files of models' answers")
    add("--respondents", type=Path, metavar="FILE", help="model and family of each respondent")
    _choices(parser)


def _subset_options(parser: Parser) -> None:
    _bank(parser)
    add = parser.add_argument
    add("--size", type=int, required=True, metavar="N", help="number of items")
    add("--seed", type=int, default=0, metavar="N", help="seed of the draw (default: 0)")
    add("--output", type=Path, metavar="FOLDER", help="where items.csv and scorer.json go")


def _score_options(parser: Parser) -> None:
    add = parser.add_argument
    add("scorer", type=Path, metavar="SCORER", help="scorer.json, as `subset` writes it")
    add("answers", nargs="+", type=Path, metavar="FILE", help="in any format that `formats` lists")
    add("--model", help="name of the model, if the files have none")
    add("--output", type=Path, metavar="FILE", help="write the scores as JSON")
    _choices(parser)


def _adapt_options(parser: Parser) -> None:
    _bank(parser)
    add = parser.add_argument
    add("--run", metavar="COMMAND", help="what evaluates the model; see --through")
    add("--through", choices=("lines", "lm-eval", "inspect"), default="lines",
        help="how COMMAND gets its items: JSON lines, or a tool that runs here")  # fmt: skip
    add("--hold-out", metavar="NAME", help="replay this model of the bank, its family left out")
    add("--length", type=int, default=100, metavar="N", help="most items (default: 100)")
    add("--standard-error", type=float, default=0.0, metavar="SE", help="stop once it is reached")
    add("--batch", type=int, default=1, metavar="N", help="items evaluated at a time")
    add("--among", type=int, default=1, metavar="N", help="draw each item among the N best")
    add("--seed", type=int, default=0, help="seed of these draws")
    add("--session", type=Path, metavar="FILE", help="keep the session here, and resume it")
    add("--output", type=Path, metavar="FILE", help="write the result as JSON")


def _ledger_options(parser: Parser) -> None:
    add = parser.add_argument
    add("claims", nargs="*", metavar="CLAIM",
        help="such as plateau_037: all evidence on it; or a number or words in claims")  # fmt: skip
    add("--paper", metavar="PAPER", help="only its claims, such as plateau")
    add("--verdict", type=_judged, metavar="VERDICT", help="only these, such as differs")
    add("--results", type=Path, default=Path("results"), metavar="FOLDER",
        help="folder of a run (default: results)")  # fmt: skip


def _renew_options(parser: Parser) -> None:
    add = parser.add_argument
    add("old", type=Path, metavar="OLD", help="answers to the old version: a file or a folder")
    add("new", type=Path, metavar="NEW", help="answers to the new version")
    add(
        "--models",
        type=Path,
        metavar="FILE",
        help="table of model and lab (default: by names), and of date, for a forecast",
    )
    _choices(parser)


def _renewed(options: Options) -> str:
    from saturation.own import outlook
    from saturation.renewal import page

    def ahead(dated: Any) -> float | str:
        return outlook.best_in_a_year(dated, _lessons(), _config()["seed"])

    return page.run(options, ahead)


def _lessons() -> Any:
    """What the forecast study keeps for the forecasts of others."""
    from saturation.files.tables import shipped
    from saturation.own import outlook

    kept = (shipped(f"resources/forecast/{table}.csv") for table in ("shared", "accuracy"))
    return outlook.lessons(*kept)


def _status_options(parser: Parser) -> None:
    add = parser.add_argument
    add("name", nargs="*", metavar="NAME", help="a benchmark, such as 'GPQA Diamond'")
    add("--results", type=Path, default=Path("results"), metavar="FOLDER",
        help="folder of a run (default: results, else the shipped table)")  # fmt: skip


def _judged(text: str) -> str:
    from saturation.ledger.terminal import verdict_of

    try:
        return verdict_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _check_options(parser: Parser) -> None:
    parser.add_argument("results", nargs="?", type=Path, default=Path("results"), metavar="RESULTS",
                        help="folder of a run (default: results)")  # fmt: skip


def _checked(options: Options) -> str:
    from saturation.planning.check import check

    return check(options.results)


def _nothing(_parser: Parser) -> None:
    """A command that takes nothing."""


def _later(module: str, function: str) -> Callable[[Options], str]:
    """A command's function in a module that is imported when it is called."""
    return lambda options: str(getattr(importlib.import_module(module), function)(options))


COMMANDS = (
    Command(
        "demo",
        "judge a real leaderboard that comes with the package",
        _nothing,
        _demo,
        """example:
  saturation demo""",
    ),
    Command(
        "card",
        "say from its files whether a benchmark is still worth running",
        _card_options,
        _card,
        f"""examples:
  saturation card logs/*.eval
  saturation card leaderboard.csv --family accuracy --n-items 500
  saturation card results_*.json --task gsm8k --fail-on saturated,stagnated
  saturation card scores.csv --columns model=System --columns score="Accuracy (%)" --n-items 500

{_EXIT}""",
    ),
    Command(
        "status",
        "list which benchmarks are out of headroom",
        _status_options,
        _later("saturation.status.terminal", "run"),
        """examples:
  saturation status
  saturation status gpqa diamond
  saturation status swe-bench verified --json""",
    ),
    Command(
        "compare",
        "test whether two models differ on a benchmark",
        _compare_options,
        _compare,
        """examples:
  saturation compare gpt-4o claude-3-5-sonnet results.csv --family accuracy --n-items 500
  saturation compare logs/one.eval logs/other.eval
  saturation compare gpt-4o claude-3-5-sonnet votes.csv
  saturation compare cards/mmlu cards/mmlu_pro --json""",
    ),
    Command(
        "index",
        "compute the published saturation index of two scores",
        _index_options,
        _index,
        """example:
  saturation index --s-1 0.992 --s-k 0.982 --n 500""",
    ),
    Command(
        "doctor",
        "list what this machine lacks for the workflow",
        _nothing,
        _doctor,
        """example:
  saturation doctor && snakemake --cores 2""",
    ),
    Command(
        "subset",
        "choose few items that predict the score on all",
        _subset_options,
        _later("saturation.live.run", "run_subset"),
        """example:
  saturation subset nlu_hellaswag --size 500 --output mine""",
    ),
    Command(
        "score",
        "estimate the score on all items from answers to a subset",
        _score_options,
        _later("saturation.live.run", "run_score"),
        """example:
  saturation score mine/scorer.json answers.csv""",
    ),
    Command(
        "adapt",
        "evaluate a model on the most informative items first",
        _adapt_options,
        _later("saturation.live.run", "run_adapt"),
        """example:
  saturation adapt livebench --hold-out gpt-4o-2024-08-06 --length 57 --batch 10""",
    ),
    Command(
        "renew",
        "say what old scores mean on a new version",
        _renew_options,
        _renewed,
        """example:
  saturation renew livecodebench_2024.csv livecodebench_2025.csv --models labs.csv""",
    ),
    Command(
        "ledger",
        "show what the papers claim and what we find",
        _ledger_options,
        _later("saturation.ledger.terminal", "run"),
        """examples:
  saturation ledger
  saturation ledger --paper plateau --verdict differs
  saturation ledger plateau_037
  saturation ledger 42.9
  saturation ledger "test set size"
  saturation ledger --verdict undecidable --json

It reads results/ledger, which `snakemake --cores 2 ledger` makes.""",
    ),
    Command(
        "check",
        "check that results are what their inputs, code and packages make",
        _check_options,
        _checked,
        f"""example:
  saturation check results

It stands in the project's folder, and recomputes the hash of every file that a job read or wrote.

{_EXIT}""",
    ),
    Command(
        "formats",
        "list the file formats that can be read",
        _nothing,
        _formats,
        """example:
  saturation formats | grep Inspect""",
    ),
)


if __name__ == "__main__":
    sys.exit(main())
