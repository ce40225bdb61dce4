"""Define the error that bad input raises."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

T = TypeVar("T")
K = TypeVar("K")

MOST_REPORTED = 20
# What names a row, and its model and item.
_PLACE = re.compile(r", row \d+|\b(?:model|item) (?:'[^']*'|\"[^\"]*\")")
# A small file can hold millions of wrong rows.
MOST_COUNTED = 10_000


class InputError(ValueError):
    """Input that cannot be used, with every violation found.

    A violation is one sentence: where (file, row, column), which value, what is allowed, what to
    do.
    """

    def __init__(self, violations: str | Sequence[str]) -> None:
        self.violations = [violations] if isinstance(violations, str) else list(violations)
        super().__init__("\n".join(self.violations))


@dataclass(frozen=True)
class Key:
    """Key of a benchmark in the config, with its section or with a value that the key may have."""

    name: str
    section: str = ""  # such as own.benchmarks.mmlu
    value: Any = None  # a mapping, a list or one value

    def describe_in_config(self) -> str:
        """Name the key and its value as the config has them."""
        if self.section:
            return f"config: key '{self.section}.{self.name}'"
        pairs = self.value.items() if isinstance(self.value, Mapping) else ()
        value = ", ".join(f"{ours}={theirs}" for ours, theirs in pairs) or self.value
        return f"the key '{self.name}'" + ("" if value is None else f": {value}")


class Violation(str):
    """A sentence about keys of a benchmark, which each border names in its own words.

    The text itself has the words of the config; `Violation("give it with ", Key("n_items"))`.
    """

    parts: tuple[str | Key, ...]

    def __new__(cls, *parts: str | Key) -> Violation:
        """Join the parts in the words of the config; parts of a violation are taken over."""
        flat = [inner for part in parts for inner in getattr(part, "parts", (part,))]
        words = (part.describe_in_config() if isinstance(part, Key) else part for part in flat)
        violation = super().__new__(cls, "".join(words))
        violation.parts = tuple(flat)
        return violation

    def phrase(self, words: Callable[[Key], str]) -> str:
        """Write the sentence with a border's words for its keys."""
        return "".join(words(part) if isinstance(part, Key) else part for part in self.parts)


def collect(steps: Iterable[Callable[[], T]]) -> list[T]:
    """Return the results of independent steps; raise all their violations at once."""
    results = []
    violations = []
    for step in steps:
        try:
            results.append(step())
        except InputError as error:
            violations += error.violations
    if violations:
        raise InputError(violations)
    return results


# Names that a sentence lists before it counts the rest.
MOST_NAMES = 8


def listed(names: Iterable[str], key: Any = None) -> str:
    """Sort names, by a key first, in quotation marks; of many, list the first and count the rest.

    Examples
    --------
    >>> listed(["b", "a"])
    "'a', 'b'"
    """
    return list_first([f"'{name}'" for name in sorted(sorted(names), key=key)], MOST_NAMES)


def list_first(names: Sequence[str], most: int) -> str:
    """List the first names of many, and count the rest.

    Examples
    --------
    >>> list_first(["b", "a", "c"], 2)
    'b, a and 1 more'
    """
    more = len(names) - most
    listing = ", ".join(names[:most])
    return f"{listing} and {more} more" if more > 0 else listing


def shortened(violations: Iterable[str]) -> list[str]:
    """Return the first of many violations and the number of further ones, counted up to a bound."""
    sentences = iter(violations)
    first = list(islice(sentences, MOST_REPORTED))
    more = sum(1 for _ in islice(sentences, MOST_COUNTED))
    if not more:
        return first
    return [*first, f"and {'at least ' * (more == MOST_COUNTED)}{more} more violations"]


def merge_rows(violations: Iterable[str]) -> Iterator[str]:
    """Return violations of which one in many rows stands once, with the number of further rows."""
    sentences = islice(violations, MOST_COUNTED)
    alike = group_values((_PLACE.sub("", sentence), sentence) for sentence in sentences)
    for first, *further in alike.values():
        number = f"{'at least ' * (len(further) == MOST_COUNTED - 1)}{len(further):,}"
        yield Violation(first, f" (and so in {number} more rows)") if further else first


def group_values(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """List the values of each key, in the order in which they come.

    Examples
    --------
    >>> group_values([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    groups: dict[K, list[T]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def refuse(violations: Iterable[str]) -> None:
    """Raise an InputError with the violations, the first of many; nothing happens without any."""
    if sentences := shortened(violations):
        raise InputError(sentences)


class NoResults(InputError):
    """A file without a result: begun by a tool, or with no table of models as it is read."""


class Unsettled(InputError):
    """Input that is readable once a person settles its open questions.

    `answers` are the proposed ones, by the keys of a benchmark in the config; None where only a
    person knows.
    """

    def __init__(self, questions: Sequence[str], answers: Mapping[str, Any]) -> None:
        super().__init__(questions)
        self.answers = dict(answers)


@contextmanager
def reading(file: object) -> Iterator[None]:
    """Turn whatever reading a file raises into a sentence, but for a mistake of the program."""
    try:
        yield
    except (InputError, NameError, ImportError, AssertionError):
        raise
    except OSError as error:
        why, remedy = (
            error.strerror or error,
            "correct its rights" if error.errno else "copy it again",
        )
        raise InputError(f"{file}: the file cannot be read ({why}); {remedy}") from None
    except RecursionError:
        raise InputError(
            f"{file}: nested too deeply; no evaluation tool writes such a file"
        ) from None
    except MemoryError:
        raise InputError(f"{file}: the file takes more memory than there is") from None
    except Exception as error:
        raise InputError(
            f"{file}: damaged, or a part that the format requires is missing or of another type: "
            f"{error}; copy it again, or compare it with a file that the tool itself has written"
        ) from None
