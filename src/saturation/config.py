"""The config: completed from the defaults, closed against unknown keys, checked as a whole."""

import datetime
import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from saturation.errors import InputError

Config = Mapping[str, Any]


def complete(config: Config, defaults: Config) -> dict[str, Any]:
    """Config with every key that it does not set taken from the defaults, at every depth."""
    merged = dict(defaults)
    for key, value in config.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = complete(value, merged[key])
        else:
            merged[key] = value
    return merged


def check(config: Config, schema: Config) -> None:
    """Raise with every violation of the schema and of the cross-field rules at once.

    Raises
    ------
    InputError
        One line a violation: the key's path, the value, what is allowed and a suggestion.
    """
    validator = Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(config), key=lambda error: list(map(str, error.path)))
    found = [sentence for error in errors for sentence in _sentences(error)]
    if not found:
        found = list(_cross_field(config))
    if found:
        raise InputError(found)


def assemble(parts: Mapping[str, Config]) -> dict[str, Any]:
    """The whole schema: the part ``config`` with every other part as a property of its name."""
    studies = {name: part for name, part in sorted(parts.items()) if name != "config"}
    whole = dict(parts["config"])
    return {**whole, "properties": {**whole["properties"], **studies}}


def render_keys(schema: Config) -> str:
    """Markdown table of the keys: path, type, allowed values and description."""
    lines = ["| key | type | allowed | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{path}` | {_type(part)} | {_allowed(part)} | {part.get('description', '')} |"
        for path, part in _leaves(schema, "")
    ]
    return "\n".join(lines) + "\n"


def _sentences(error: ValidationError) -> Iterator[str]:
    path = ".".join(map(str, error.absolute_path))
    if error.validator == "additionalProperties":
        known = list(error.schema.get("properties", {}))
        for key in sorted(set(error.instance) - set(known)):
            yield _unknown_key(f"{path}.{key}".lstrip("."), key, error.instance[key], known)
        return
    if error.validator == "required":
        yield f"config: {path or 'top level'}: {error.message}"
        return
    yield (
        f"config: key '{path}' has the value {error.instance!r}; "
        f"allowed: {_allowed(error.schema) or _type(error.schema)}"
        f" ({error.schema.get('description', error.message)})"
    )


def _unknown_key(path: str, key: str, value: Any, known: list[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return (
        f"config: key '{path}' (value {value!r}) is not known; "
        f"allowed here: {', '.join(known)}{hint}"
    )


def _cross_field(config: Config) -> Iterator[str]:
    """Rules between keys that a schema cannot say; each study has its own function."""
    for study, rules in _CROSS_FIELD.items():
        if study in config:
            yield from rules(config[study])


def _plateau(plateau: Config) -> Iterator[str]:
    try:
        datetime.date.fromisoformat(plateau["observed_on"])
    except ValueError:
        yield (
            f"config: key 'plateau.observed_on' has the value '{plateau['observed_on']}'; "
            "allowed: a date as YYYY-MM-DD"
        )
    edges = plateau["bin_edges"]
    if sorted(set(edges)) != edges:
        yield f"config: key 'plateau.bin_edges' has the value {edges}; allowed: rising numbers"
    if plateau["saturated_from"] not in edges:
        yield (
            f"config: key 'plateau.saturated_from' has the value {plateau['saturated_from']}; "
            f"allowed: one of plateau.bin_edges {edges}, so that saturation is a union of bins"
        )
    if max(plateau["sensitivity"]["k"]) < plateau["k"]:
        yield (
            f"config: key 'plateau.k' has the value {plateau['k']}; allowed: at most the largest "
            f"of plateau.sensitivity.k {plateau['sensitivity']['k']}"
        )


_CROSS_FIELD = {"plateau": _plateau}


def _leaves(schema: Config, path: str) -> Iterator[tuple[str, Config]]:
    for key, part in schema.get("properties", {}).items():
        here = f"{path}.{key}".lstrip(".")
        if "properties" in part:
            yield from _leaves(part, here)
        else:
            yield here, part


def _type(part: Config) -> str:
    kind = part.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_type(part.get('items', {}))}"
    return str(kind)


def _allowed(part: Config) -> str:
    if part.get("type") == "array":
        return _allowed(part.get("items", {}))
    if "enum" in part:
        return ", ".join(f"`{value}`" for value in part["enum"])
    bounds = [
        f"{sign} {part[name]}"
        for name, sign in (
            ("minimum", "≥"),
            ("exclusiveMinimum", ">"),
            ("maximum", "≤"),
            ("exclusiveMaximum", "<"),
        )
        if name in part
    ]
    return ", ".join(bounds)
