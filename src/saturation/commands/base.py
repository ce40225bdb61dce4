"""Shared parts of commands: description, shipped config, JSON."""

import argparse
import functools
import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import saturation
from saturation.errors import InputError


class Parser(argparse.ArgumentParser):
    """Parser whose errors have two lines instead of the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Say what is lacking or wrong, and where help is."""
        sys.stderr.write(f"Error: {message}\n  see `{self.prog} --help`\n")
        raise SystemExit(2)


Options = argparse.Namespace

EXIT_CODES = """exit codes:
  0  done
  1  a file or a value cannot be used; the error says which, and what to do
  2  the command was not understood"""
FAILED = "  3  the result is one that --fail-on names"


@dataclass(frozen=True)
class Command:
    """A command: its options, the function that returns what is printed, examples for its help."""

    name: str
    summary: str
    options: Callable[[Parser], None]
    run: Callable[[Options], str]
    more: str = ""


class Partly(InputError):
    """Printed cards of some benchmarks, with violations of further benchmarks."""

    def __init__(self, text: str, violations: Sequence[str]) -> None:
        super().__init__(violations)
        self.text = text


class Refused(Exception):
    """A result is printed, and a sentence says why the exit code is not 0."""

    def __init__(self, text: str, sentence: str, code: int = 3) -> None:
        super().__init__(sentence)
        self.text, self.code = text, code


def add_options(parser: Parser, command: Command) -> None:
    """Add a command's own options, and the shared options."""
    command.options(parser)
    parser.add_argument("--json", action="store_true", help="JSON on one line, for programs")
    parser.set_defaults(command=command)


@functools.cache
def default_config() -> dict[str, Any]:
    """Read the default config, from which the library's settings come."""
    from saturation.files.tables import shipped_yaml

    config: dict[str, Any] = shipped_yaml("config/config.yaml")
    return config


def as_json(content: dict[str, Any]) -> str:
    """Write what `--json` prints, with the tool's version."""
    from saturation.files.tables import json_line

    return json_line({"tool": f"saturation {saturation.__version__}", **content})


def add_no_options(_parser: Parser) -> None:
    """Add no options."""


def call_later(module: str, function: str) -> Callable[[Options], str]:
    """Return a command's function, whose module is imported when the command runs."""
    return lambda options: str(getattr(importlib.import_module(module), function)(options))
