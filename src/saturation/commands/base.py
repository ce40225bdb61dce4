"""Shared parts of commands: their table, shipped config, JSON."""

import argparse
import functools
import pkgutil
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
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

_TABLE = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
_TYPES = {"int": int, "float": float, "path": Path}


@dataclass(frozen=True)
class Command:
    """A command: its function, by its module; what its help says; its arguments."""

    name: str
    run: str
    summary: str
    more: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def call(self, options: Options) -> str:
        """Import the command's function, and return what it prints."""
        return str(pkgutil.resolve_name(self.run)(options))

    def add_options(self, parser: Parser) -> None:
        """Add the command's own arguments, and the shared option."""
        _add_arguments(parser, self.arguments)
        parser.add_argument("--json", action="store_true", help="JSON on one line, for programs")
        parser.set_defaults(command=self)


# In the order in which `saturation --help` lists them.
COMMANDS = {
    name: Command(name, **row | {"more": row["more"].replace("{exit_codes}", _TABLE["exit_codes"])})
    for name, row in _TABLE["commands"].items()
}


def _add_arguments(container: argparse._ActionsContainer, arguments: Mapping[str, Any]) -> None:
    """Add arguments of the table; a group's name stands for the arguments of that group."""
    for name, settings in arguments.items():
        if group := _TABLE["groups"].get(name):
            title = group.get("title")
            part = container.add_argument_group(title) if title else container
            _add_arguments(part, group["arguments"])
        else:
            read = {key: _read_setting(key, value) for key, value in settings.items()}
            container.add_argument(name, **read)


def _read_setting(key: str, value: Any) -> Any:
    """Return a setting of an argument as argparse takes it."""
    if key == "type":
        return _TYPES.get(value) or functools.partial(_parse_value, value)
    if key == "metavar" and isinstance(value, list):
        return tuple(value)
    return pkgutil.resolve_name(value) if key in ("action", "choices") and ":" in value else value


def _parse_value(function: str, text: str) -> Any:
    """Parse an argument by a function; the sentence of its ValueError is the parser's error."""
    try:
        return pkgutil.resolve_name(function)(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


# Keys that the option of the same name declares of the benchmark.
DECLARED = tuple(_TABLE["declared"])


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
