"""The console command ``saturation``: the one place that prints.

A command is a row of `COMMANDS`: what it takes, and a function that gives back the text to print.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from saturation.errors import InputError

Parser = argparse.ArgumentParser
Options = argparse.Namespace

# Keys that the option of the same name declares of the benchmark.
_DECLARED = (
    *("family", "score_range", "higher_is_better", "metric", "task", "filter", "n_items", "pass_k"),
    *("interval_level", "observed_on", "released", "synthetic"),
)
_PAGES = {"html": "card.html", "markdown": "card.md", "badge": "badge.svg"}


@dataclass(frozen=True)
class Command:
    """One command.

    Parameters
    ----------
    name, summary
        As the user calls it, and one line of help.
    options
        Adds what it takes to its parser.
    run
        Does it and gives back what is printed.
    """

    name: str
    summary: str
    options: Callable[[Parser], None]
    run: Callable[[Options], str]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; what cannot be used is said on the error stream, and the code is 1.

    Parameters
    ----------
    arguments
        Words after the command's name; None takes those of the process.
    """
    options = _parser().parse_args(arguments)
    try:
        print(options.command.run(options))  # noqa: T201
    except InputError as error:
        sys.stderr.writelines(f"Error: {sentence}\n" for sentence in error.violations)
        return 1
    return 0


def _parser() -> Parser:
    parser = argparse.ArgumentParser(
        prog="saturation", description="When does a benchmark stop telling models apart?"
    )
    parser.add_argument("--version", action="version", version=f"saturation {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        sub = commands.add_parser(command.name, help=command.summary, description=command.summary)
        command.options(sub)
        sub.set_defaults(command=command)
    return parser


def _version() -> str:
    try:
        return metadata.version("saturation")
    except metadata.PackageNotFoundError:
        return "(not installed)"


def _config() -> dict[str, Any]:
    """The default config, from which the library's settings come."""
    import yaml

    from saturation.files.shipped import shipped

    text = shipped("config/config.yaml").read_text(encoding="utf-8")
    config: dict[str, Any] = yaml.safe_load(text)
    return config


def _card_options(parser: Parser) -> None:
    from saturation.board.names import FAMILIES

    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="in any format that `formats` lists")
    add("--family", required=True, choices=FAMILIES, help="what the metric is")
    add("--name", default="benchmark", help="the benchmark's name")
    add("--score-range", nargs=2, type=float, metavar=("LOW", "HIGH"), help="of the metric")
    add("--higher-is-better", action=argparse.BooleanOptionalAction, help="the metric's direction")
    add("--metric", help="where the files hold several")
    add("--task", help="where the files hold several")
    add("--filter", help="filter or split, where the files hold several")
    add("--model", help="where the file does not name it")
    add("--n-items", type=int, metavar="N", help="number of items, where the files do not say it")
    add("--pass-k", type=int, metavar="K", help="of pass@k, where items come as attempts")
    add("--interval-level", type=float, metavar="LEVEL", help="of the columns lower and upper")
    add("--observed-on", metavar="DATE", help="date of the data; else the latest in the files")
    add("--released", metavar="DATE", help="date of the benchmark's release")
    add("--synthetic", action="store_true", help="say on every page that the data are made up")
    add("--output", type=Path, metavar="FOLDER", help="write the card's pages into this folder")


def _card(options: Options) -> str:
    from saturation.files.shipped import shipped
    from saturation.own import card_pages, outlook
    from saturation.own.settings import from_config
    from saturation.own.study import study

    config = _config()
    declared = {key: getattr(options, key) for key in _DECLARED}
    declared = {key: value for key, value in declared.items() if value is not None}
    _check(config, options.name, [str(path) for path in options.files], declared)
    settings = from_config(config["own"], config["plateau"], config["discriminability"])
    files = [{"path": path, "model": options.model} for path in options.files]
    imports, card = study(options.name, files, declared, settings)
    kept = (shipped(f"resources/forecast/{name}.csv") for name in ("shared", "accuracy"))
    card["outlook"] = outlook.forecast(
        imports.scores, card, settings.card.frontier, outlook.lessons(*kept), config["seed"]
    )
    text = card_pages.card_text(card)
    if options.output is not None:
        _write_card(card, options.output)
        text += f"\nwritten to {options.output}"
    return text


def _check(config: dict[str, Any], name: str, files: list[str], declared: dict[str, Any]) -> None:
    """Refuse what the workflow's config refuses of a benchmark, by the same schema and rules."""
    import yaml

    from saturation.files.shipped import shipped
    from saturation.planning.config import assemble, check
    from saturation.planning.studies import STUDIES

    parts = {
        part: yaml.safe_load(shipped(f"workflow/schemas/{part}.schema.yaml").read_text("utf-8"))
        for part in ("config", "ledger", "own", *STUDIES)
    }
    own = {**config["own"], "benchmarks": {name: {"files": files, **declared}}}
    check({**config, "own": own}, assemble(parts, STUDIES))


def _write_card(card: dict[str, Any], folder: Path) -> None:
    from saturation.files.shipped import shipped
    from saturation.files.tables import write_json, write_json_line, write_text
    from saturation.own import card_pages, export
    from saturation.own.card import summary_line

    templates = {
        name: shipped(f"workflow/templates/{file}.j2").read_text(encoding="utf-8")
        for name, file in _PAGES.items()
    }
    try:
        for name, text in card_pages.card_pages(card, templates).items():
            write_text(text, folder / _PAGES[name])
        write_json(card, folder / "card.json")
        write_json_line(summary_line(card), folder / "summary.json")
        write_text(export.lines(card), folder / "every_eval_ever.jsonl")
    except OSError as error:
        raise InputError(f"{folder}: the card cannot be written there: {error.strerror}") from None


def _index_options(parser: Parser) -> None:
    add = parser.add_argument
    add("--s-1", type=float, required=True, metavar="SCORE", help="the best score, in [0, 1]")
    add("--s-k", type=float, required=True, metavar="SCORE", help="the k-th best, in [0, 1]")
    add("--n", type=int, required=True, metavar="N", help="number of test items")
    add("--alpha", type=float, help="n_eff = n^alpha (default: the config's)")


def _index(options: Options) -> str:
    import numpy as np

    from saturation.index import (
        interval_of_proportions,
        saturation_bin,
        saturation_index,
        widest_gap,
    )
    from saturation.statistics.shrinkage import close
    from saturation.statistics.standard_errors import binomial_error

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
    lower, upper = interval_of_proportions(
        *scores, options.n, options.n, alpha, level, settings["epsilon"]
    )
    errors = binomial_error(scores, options.n)
    scale = float(np.hypot(*errors)) * options.n ** ((1 - alpha) / 2)
    likely = close(scores, errors, 0, 1, widest_gap(threshold) * scale)
    in_bin = str(saturation_bin(float(value), settings["bin_edges"])).replace("_", " ")
    return (
        f"S_index {value:.3f} ({level:.0%} interval {lower:.3f} to {upper:.3f}), {in_bin}\n"
        f"P(S_index >= {threshold:g}) {likely.probability:.2f}; with two scores it leans on the "
        f"prior: {likely.lowest:.2f} to {likely.highest:.2f}"
    )


def _formats(_options: Options) -> str:
    from saturation.board.importers.registry import importers

    return "\n".join(f"{importer.name}: {importer.sentence()}" for importer in importers())


def _doctor(_options: Options) -> str:
    from saturation.doctor import examine

    lacks = examine(Path.cwd(), os.environ)
    if any(lack.stops for lack in lacks):
        raise InputError([lack.sentence() for lack in lacks])
    return "\n".join([*(lack.sentence() for lack in lacks), "Nothing that is needed is missing."])


def _choices(parser: Parser) -> None:
    """Options that choose out of files that hold several things."""
    for name in ("task", "metric", "filter"):
        parser.add_argument(f"--{name}", help="where the files hold several")


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
    add("--output", type=Path, metavar="FOLDER", help="for items.csv and scorer.json")


def _subset(options: Options) -> str:
    from saturation.live import subset

    return subset.run(options)


def _score_options(parser: Parser) -> None:
    add = parser.add_argument
    add("scorer", type=Path, metavar="SCORER", help="scorer.json, as `subset` writes it")
    add("answers", nargs="+", type=Path, metavar="FILE", help="in any format that `formats` lists")
    add("--model", help="where the files do not name it")
    add("--output", type=Path, metavar="FILE", help="write the scores as JSON")
    _choices(parser)


def _score(options: Options) -> str:
    from saturation.live import score

    return score.run(options)


def _adapt_options(parser: Parser) -> None:
    _bank(parser)
    add = parser.add_argument
    add("--run", metavar="COMMAND", help="what evaluates the model; see --through")
    add("--through", choices=("lines", "lm-eval", "inspect"), default="lines",
        help="how COMMAND is told which items: JSON lines, or one of these tools")  # fmt: skip
    add("--hold-out", metavar="NAME", help="replay this model of the bank, its family left out")
    add("--length", type=int, default=100, metavar="N", help="most items (default: 100)")
    add("--standard-error", type=float, default=0.0, metavar="SE", help="stop once it is reached")
    add("--batch", type=int, default=1, metavar="N", help="items evaluated at a time")
    add("--among", type=int, default=1, metavar="N", help="draw each item among the N best")
    add("--seed", type=int, default=0, help="of these draws")
    add("--session", type=Path, metavar="FILE", help="keep the session here, and resume it")
    add("--output", type=Path, metavar="FILE", help="write the result as JSON")


def _adapt(options: Options) -> str:
    from saturation.live import adapt

    return adapt.run(options)


def _nothing(_parser: Parser) -> None:
    """A command that takes nothing."""


COMMANDS = (
    Command("card", "is a benchmark still worth running, by its files?", _card_options, _card),
    Command("index", "the saturation index of two scores", _index_options, _index),
    Command("doctor", "what this machine lacks for the workflow", _nothing, _doctor),
    Command("subset", "a bank's items to take home", _subset_options, _subset),
    Command("score", "a model's answers to a subset", _score_options, _score),
    Command("adapt", "evaluate a model on the items that tell most", _adapt_options, _adapt),
    Command("formats", "the files that can be read", _nothing, _formats),
)
