"""The whole way from a user's files to the card of one benchmark, for notebooks and the rules."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from saturation.own.content import content
from saturation.own.imports import Imports, read
from saturation.own.settings import Settings


class Study(NamedTuple):
    """A benchmark's tidy tables with the record of what was read, and its card.

    Its forecast is added by :func:`saturation.own.outlook.forecast`.
    """

    imports: Imports
    card: dict[str, Any]


def study(
    benchmark: str,
    files: Sequence[Mapping[str, Any]],
    declared: Mapping[str, Any],
    settings: Settings,
) -> Study:
    """Read a benchmark's files and make its card, as the workflow's stages do.

    Parameters
    ----------
    benchmark
        Name.
    files
        One mapping a file: ``path`` and what the file does not say.
    declared
        What the config declares of a benchmark: ``family`` and what is needed of the other keys.
    settings
        :func:`saturation.own.settings.from_config`.

    Raises
    ------
    InputError
        If a file or a row cannot be used.
    """
    imports = read(benchmark, files, declared)
    return Study(imports, content(benchmark, *imports, declared, settings))
