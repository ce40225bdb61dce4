"""The console command ``saturation``: the only place that prints.

A command is a row of `commands.toml`: what it takes, and a function that gives back the text to
print, whose module is imported when the command runs.
"""

import argparse
import difflib
import io
import json
import logging
import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import saturation
from saturation.commands.base import COMMANDS, DECLARED, Options, Parser, Partly, Refused
from saturation.errors import InputError, Key, Unsettled, Violation

# Keys of a benchmark that are options of the command.
_OPTIONS = frozenset([*DECLARED, "columns", "each_task"])
# Seconds after which a command says that it is at work.
_PATIENCE = 3.0
# Empties the terminal's line.
_CLEARED = "\x1b[2K\r"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; what cannot be used is show on the error stream.

    The code is 0, 1 for what cannot be used, 3 for a verdict that is not accepted; argparse leaves
    with 2 where it does not understand the words.
    """
    # As jobs of the workflow: on small matrices more threads cost more than they save.
    for library in ("OMP", "OPENBLAS", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")
    words = sys.argv[1:] if arguments is None else list(arguments)
    if unknown := _unknown(words):
        sys.stderr.write(f"Error: {unknown}\n")
        raise SystemExit(2)
    options, unknown_words = _parser(words[:1]).parse_known_args(words)
    if unknown_words:
        sys.stderr.write(f"Error: {_explain_option(words[0], unknown_words[0])}\n")
        raise SystemExit(2)
    options.words = words
    try:
        return _run(options)
    except BrokenPipeError:
        # Who reads wants no more, as `head`.
        _close_output()
        return 0
    except OSError as error:
        if error.filename is None:
            _close_output()
        sys.stderr.write(f"Error: {error.filename or 'standard output'}: {error.strerror}\n")
        return 1


def _run(options: Options) -> int:
    try:
        with _show_progress():
            text = options.command.call(options)
        _print(text, options)
    except Unsettled as error:
        sys.stderr.write(_proposed(options.words, error))
        return 1
    except InputError as error:
        if isinstance(error, Partly):
            _print(error.text, options)
        sys.stderr.writelines(f"{line}\n" for line in _listed(error.violations))
        return 1
    except Refused as refused:
        _print(refused.text, options)
        sys.stderr.write(f"Refused: {refused}\n")
        return refused.code
    return 0


def _print(text: str, options: Options) -> None:
    """Print text; letters that the stream's encoding lacks are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    escaped = text.encode(encoding, "backslashreplace").decode(encoding)
    if escaped != text and options.json:
        escaped = json.dumps(json.loads(text))
    print(escaped, flush=True)  # noqa: T201


def _close_output() -> None:
    """Redirect the remaining output to the null device, so that Python's exit does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown(words: Sequence[str]) -> str:
    """Answer the name of a command that does not exist; argparse would list all commands."""
    if not words or words[0].startswith("-") or words[0] in COMMANDS:
        return ""
    near = difflib.get_close_matches(words[0].lower(), COMMANDS, n=1)
    guess = f"did you mean {near[0]}?" if near else f"there are {', '.join(COMMANDS)};"
    return f"no command {words[0]}; {guess} `saturation --help` says what each does"


def _explain_option(command: str, word: str) -> str:
    """Answer a word that a command does not take, with the option that is spelt most alike."""
    parser = Parser(add_help=False)
    COMMANDS[command].add_options(parser)
    option = word.partition("=")[0]
    accepted = re.findall(r"--[a-z-]+", parser.format_usage())
    near = difflib.get_close_matches(option, accepted, n=1)
    guess = f"did you mean {near[0]}?" if near and option.startswith("-") else "it is no option;"
    return f"{command} does not take {option}; {guess} see `saturation {command} --help`"


@contextmanager
def _show_progress() -> Iterator[None]:
    """Show a command's progress in a terminal after 3 seconds."""
    if not sys.stderr.isatty():
        yield
        return
    done, started, at = threading.Event(), time.monotonic(), io.StringIO()
    # Such as which file is being read.
    log, handler = logging.getLogger("saturation"), logging.StreamHandler(at)
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def show() -> None:
        wait = _PATIENCE
        while not done.wait(wait):
            wait = 1.0
            words = [*at.getvalue().splitlines()[-1:], f"{time.monotonic() - started:.0f} s ...\r"]
            sys.stderr.write(_CLEARED + ", ".join(words))
            sys.stderr.flush()
        sys.stderr.write(_CLEARED if wait == 1.0 else "")

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield
    finally:
        log.removeHandler(handler)
        done.set()
        thread.join()


def _listed(violations: Sequence[str]) -> Iterator[str]:
    """Yield each sentence once; prefix all but the points of a list."""
    for line in dict.fromkeys(map(_word, violations)):
        yield line if line.startswith("  - ") else f"Error: {line}"


def _proposed(words: Sequence[str], open_: Unsettled) -> str:
    """Write the command that settles the open questions, then the questions."""
    lacking = [key for key, value in open_.answers.items() if value is None]
    command = shlex.join(["saturation", *words]) + "".join(
        f" {_flag(key, value)}" for key, value in open_.answers.items()
    )
    then = "takes what is proposed, as --yes does"
    if lacking:
        then = f"once you replace {' and '.join(key.upper() for key in lacking)}"
    questions = "".join(f"  - {line}\n" for line in dict.fromkeys(map(_word, open_.violations)))
    return f"{command}\n  {then}; open are:\n{questions}"


def _flag(key: str, value: Any = "") -> str:
    """Write a key of a benchmark and its value as words of the command."""
    option = f"--{key.replace('_', '-')}"
    if value == "":
        return option
    if value is None:
        return f"{option} {key.upper()}" if key != "higher_is_better" else key.upper()
    if isinstance(value, bool):
        return option if value else f"--no-{option[2:]}"
    if isinstance(value, Mapping):
        return " ".join(f"{option} {shlex.quote(f'{a}={b}')}" for a, b in value.items())
    parts = value if isinstance(value, (list, tuple)) else [value]
    return shlex.join([option, *(f"{x:g}" if isinstance(x, float) else str(x) for x in parts)])


def _word(sentence: str) -> str:
    """Name the options for the keys of a benchmark in a sentence."""
    return sentence.phrase(_option) if isinstance(sentence, Violation) else sentence


def _option(key: Key) -> str:
    """Name the option that sets a key, with an allowed value."""
    if key.name not in _OPTIONS:
        return key.describe_in_config()
    if key.section:
        return f"--{key.name.replace('_', '-')}"
    return f"the option {_flag(key.name)}" if key.value is None else _flag(key.name, key.value)


def _parser(called: Sequence[str]) -> Parser:
    """List all commands; the called command has its options."""
    parser = Parser(
        prog="saturation",
        description="Say which AI benchmarks still separate models, and until when.",
    )
    version = f"saturation {saturation.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS.values():
        sub = commands.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.".replace("?.", "?"),
            epilog=command.more,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command.name in called:
            command.add_options(sub)
    return parser


if __name__ == "__main__":
    sys.exit(main())
