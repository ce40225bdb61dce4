"""All checks: those of every module of this package that exports ``CHECKS``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from importlib import import_module

import pandas as pd

from saturation.errors import InputError
from saturation.simulation import names
from saturation.simulation.check import Check, run


def of_subject(subject: str) -> tuple[Check, ...]:
    """The checks of one module."""
    known = names.subjects()
    if subject not in known:
        raise InputError(_unknown("module of checks", subject, known))
    checks: tuple[Check, ...] = import_module(f"saturation.simulation.{subject}").CHECKS
    return checked(checks)


def every() -> tuple[Check, ...]:
    """The checks of all modules, by module and in the order in which each has them."""
    return checked(check for subject in names.subjects() for check in of_subject(subject))


def named(name: str) -> Check:
    """The check of this name."""
    by_name = {check.name: check for check in every()}
    if name not in by_name:
        raise InputError(_unknown("check", name, list(by_name)))
    return by_name[name]


def checked(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The checks, if no two share a name."""
    listed = tuple(checks)
    counts = Counter(check.name for check in listed)
    twice = [name for name, count in counts.items() if count > 1]
    if twice:
        raise InputError(
            [f"check '{name}': {counts[name]} checks have this name; rename one" for name in twice]
        )
    return listed


def table(checks: Sequence[Check], seed: int, data_sets: int | None = None) -> pd.DataFrame:
    """A row for each check, see :func:`saturation.simulation.check.run`."""
    return pd.DataFrame([run(check, seed, data_sets) for check in checks])


def _unknown(what: str, name: str, known: list[str]) -> str:
    """What is wrong with a name, and which names are like it."""
    near = get_close_matches(name, known, n=3, cutoff=0.4)
    there = f"did you mean {' or '.join(map(repr, near))}?" if near else f"known: {known}"
    return f"no {what} is called '{name}'; {there}"
