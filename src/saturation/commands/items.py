"""The commands `subset`, `score` and `adapt`, which choose items."""

from pathlib import Path

from saturation.commands.base import Command, Parser, call_later
from saturation.commands.benchmark import add_choices


def _bank(parser: Parser) -> None:
    """Add options that name a bank of answers and what to take out of its files."""
    add = parser.add_argument
    add("bank", nargs="+", metavar="BANK", help="an embedded board, or files of models' answers")
    add("--respondents", type=Path, metavar="FILE", help="model and family of each respondent")
    add_choices(parser)


def _subset_options(parser: Parser) -> None:
    _bank(parser)
    add = parser.add_argument
    add("--size", type=int, required=True, metavar="N", help="number of items")
    add("--seed", type=int, default=0, metavar="N", help="seed of the draw (default: 0)")
    add("--output", type=Path, metavar="FOLDER", help="where items.csv and scorer.json go")
    add("--details", action="store_true", help="measure errors on families left out (slower)")


def _score_options(parser: Parser) -> None:
    add = parser.add_argument
    add("scorer", type=Path, metavar="SCORER", help="scorer.json, as `subset` writes it")
    add("answers", nargs="+", type=Path, metavar="FILE", help="in any format that `formats` lists")
    add("--model", help="name of the model, if the files have none")
    add("--output", type=Path, metavar="FILE", help="write the scores as JSON")
    add_choices(parser)


def _adapt_options(parser: Parser) -> None:
    _bank(parser)
    add = parser.add_argument
    add("--run", metavar="COMMAND", help="what evaluates the model; see --through")
    add(
        "--through",
        choices=("lines", "lm-eval", "inspect"),
        default="lines",
        help="how COMMAND gets its items: JSON lines, or a tool that runs here",
    )
    add("--hold-out", metavar="NAME", help="replay this model of the bank, its family left out")
    add("--length", type=int, default=100, metavar="N", help="most items (default: 100)")
    add("--standard-error", type=float, default=0.0, metavar="SE", help="stop once it is reached")
    add("--batch", type=int, default=1, metavar="N", help="items evaluated at a time")
    add("--among", type=int, default=1, metavar="N", help="draw each item among the N best")
    add("--seed", type=int, default=0, help="seed of these draws")
    add("--session", type=Path, metavar="FILE", help="keep the session here, and resume it")
    add("--output", type=Path, metavar="FILE", help="write the result as JSON")


SUBSET = Command(
    "subset",
    "choose few items that predict the score on all",
    _subset_options,
    call_later("saturation.live.run", "run_subset"),
    """example:
  saturation subset nlu_hellaswag --size 500 --output mine""",
)


SCORE = Command(
    "score",
    "estimate the score on all items from answers to a subset",
    _score_options,
    call_later("saturation.live.run", "run_score"),
    """example:
  saturation score mine/scorer.json answers.csv""",
)


ADAPT = Command(
    "adapt",
    "evaluate a model on the most informative items first",
    _adapt_options,
    call_later("saturation.live.run", "run_adapt"),
    """example:
  saturation adapt livebench --hold-out gpt-4o-2024-08-06 --length 57 --batch 10""",
)
