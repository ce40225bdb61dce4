"""Check a config by its closed schema and the rules between its keys."""

import difflib
import glob
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from saturation.errors import Key, Violation, refuse
from saturation.leaderboard.names import bounded

Config = Mapping[str, Any]

# What the workflow itself writes beside the results of the user's benchmarks.
_OWN_FILES = ("benchmarks", "cards.csv", "cards.html", "gate.txt")
# What the schema finds wrong without a value's type being wrong, or a value lacking.
_MILD = ("format", "additionalProperties", "pattern")
_NUMBERS = Draft202012Validator.TYPE_CHECKER

# The greatest whole number of which a float holds every smaller one.
_GREATEST = 2**53
# Letters of a value that a sentence repeats.
_LONGEST = 200

# NaN passes every comparison of a schema, and infinity most.
_Validator = extend(
    Draft202012Validator,
    type_checker=_NUMBERS.redefine(
        "number",
        # A whole number of 400 digits fits no float.
        lambda _, value: _NUMBERS.is_type(value, "number") and abs(value) <= sys.float_info.max,
    ).redefine(
        "integer", lambda _, value: _NUMBERS.is_type(value, "integer") and abs(value) <= _GREATEST
    ),
)


def check(
    config: Config, schema: Config, rules: Mapping[str, Callable[[Config], Iterable[str]]]
) -> None:
    """Raise with every violation of the schema and of the rules between keys, at once.

    The rules of a section are tried unless the schema finds a value there that they cannot read.
    """
    errors = _errors(config, schema)
    violations = [sentence for error in errors for sentence in _sentences(error)]
    unreadable = {error.path[0] for error in errors if error.path and error.validator not in _MILD}
    for section, rule in rules.items():
        if section in config and section not in unreadable:
            violations += rule(config[section])
    refuse(violations)


def check_benchmark(name: str, declared: Config, own: Config, schema: Config) -> None:
    """Raise with every violation of a declared benchmark of the section `own`."""
    section = {**own, "benchmarks": {name: {**declared, "files": ["FILE"]}}}
    check({"own": section}, {"properties": {"own": schema}}, {"own": check_own})


def _errors(values: Config, schema: Config) -> list[ValidationError]:
    validator = _Validator(schema, format_checker=_Validator.FORMAT_CHECKER)
    return sorted(validator.iter_errors(values), key=lambda error: list(map(str, error.path)))


def _sentences(error: ValidationError) -> Iterator[str]:
    path = ".".join(map(str, error.absolute_path))
    if error.validator != "additionalProperties":
        meaning = error.schema.get("description")
        subject = _key(path) if path else "config: top level"
        value = repr(error.instance)
        message = error.message.replace(value, f"{value[:_LONGEST]}..."[: len(value)])
        yield Violation(subject, f": {message}" + (f" ({meaning})" if meaning else ""))
        return
    allowed = list(error.schema.get("properties", {}))
    for key in sorted(set(error.instance) - set(allowed)):
        close = difflib.get_close_matches(key, allowed, n=1)
        yield (
            f"config: key '{f'{path}.{key}'.lstrip('.')}' (value {error.instance[key]!r}) is not "
            f"known; allowed here: {', '.join(allowed)}"
            + (f"; did you mean '{close[0]}'?" if close else "")
        )


def _key(path: str) -> Key | str:
    """Return the key at a path of the config, for example own.benchmarks.mmlu.n_items."""
    section, _, name = path.rpartition(".")
    return Key(name, section) if section else f"config: key '{name}'"


def check_names(benchmarks: Iterable[str]) -> None:
    """Raise unless each of the user's benchmarks has a name of its own on every file system."""
    refuse(describe_clashes(benchmarks, "own.benchmarks", _OWN_FILES))


def expand(
    entries: Sequence[str | Config], workflow: Path, *, made_later: bool = False
) -> list[dict[str, Any]]:
    """One mapping a file of a benchmark's list of paths and patterns, these in sorted order.

    A path that is not found where one runs is looked for in the workflow's folder. One that is made
    later, by another workflow's rule, need not be there, but no pattern finds it.
    """
    files, missing = [], []
    for entry in entries:
        declared = {"path": entry} if isinstance(entry, str) else dict(entry)
        path = declared["path"]
        paths = _matches(path) or _matches(str(workflow / path))
        if not paths and made_later and not glob.has_magic(path):
            paths = [path]
        if not paths:
            missing.append(
                f"config: own.benchmarks: no file matches '{path}'; looked in {Path.cwd()} and in "
                f"{workflow}"
                + "; files that are made later cannot be found by a pattern: name each of them"
                * made_later
            )
        files += [{**declared, "path": path} for path in paths]
    refuse(missing)
    return files


def _matches(pattern: str) -> list[str]:
    """Match a pattern; a file of exactly this name comes first, for names may hold wildcards."""
    if Path(pattern).is_file():
        return [pattern]
    # Path.glob takes no absolute patterns.
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207
    return sorted(path for path in paths if Path(path).is_file())


def describe_value(key: str, value: Any, allowed: str) -> str:
    """Describe a value that the config may not have, and what is allowed."""
    return Violation(_key(key), f" has the value {value!r}; allowed: {allowed}")


def describe_falling_range(key: str, span: Sequence[float] | None) -> Iterator[str]:
    """Describe a range whose lowest value is not below its highest."""
    if span and span[0] >= span[1]:
        yield describe_value(key, list(span), "the lowest possible value, then the highest")


def describe_clashes(names: Iterable[str], key: str, reserved: Iterable[str]) -> Iterator[str]:
    """Describe names that a file system may confuse with further names or the workflow's files."""
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(name.lower(), name)
        if twin != name:
            yield (
                f"config: {key}: the names '{twin}' and '{name}' differ only by case, which some "
                "file systems do not distinguish; rename one"
            )
        if name.lower() in reserved:
            yield (
                f"config: {key}: '{name}' is the name of a file or folder that the workflow "
                "writes; rename it"
            )


def check_own(study: Config) -> Iterator[str]:
    """Describe violations of the rules between the keys of the user's benchmarks."""
    benchmarks = study["benchmarks"] or {}
    yield from describe_clashes(benchmarks, "own.benchmarks", _OWN_FILES)
    for name, benchmark in benchmarks.items():
        head = f"own.benchmarks.{name}"
        released, observed = benchmark.get("released"), benchmark.get("observed_on")
        if released and observed and released > observed:
            yield describe_value(
                f"{head}.released", released, f"a day before observed_on {observed}"
            )
        issues, source = benchmark.get("known_issues"), benchmark.get("known_issues_source")
        if bool(issues) != bool(source):
            allowed = "known_issues and known_issues_source together, or neither"
            yield describe_value(f"{head}.known_issues", issues, allowed)
        span, margin = benchmark.get("score_range"), benchmark.get("meaningful_difference")
        yield from describe_falling_range(f"{head}.score_range", span)
        if span and not bounded(benchmark["family"]):
            allowed = f"null, because the family {benchmark['family']} has no range"
            yield describe_value(f"{head}.score_range", span, allowed)
        if margin is not None and margin >= 1 and bounded(benchmark["family"]):
            allowed = "a proportion below 1, or points for a family without range"
            yield describe_value(f"{head}.meaningful_difference", margin, allowed)
