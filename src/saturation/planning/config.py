"""The config: completed from the defaults, closed against unknown keys, checked as a whole."""

import copy
import datetime
import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from saturation.adaptive.names import FLUID_FOLDER as _FLUID_FOLDER
from saturation.discriminability.names import FINE_BINS as _FINE_BINS
from saturation.errors import InputError
from saturation.leaderboard.names import bounded as _bounded

Config = Mapping[str, Any]

# Types of JSON schema, for those who do not know them.
_KINDS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "keys of its own, indented below it",
    "string": "text",
}

# What the workflow itself writes beside the results of the user's benchmarks and banks.
_OWN_FILES = ("benchmarks", "cards.csv", "cards.html", "gate.txt")

# Keys that name a table of the user's, by study.
_TABLES = {
    "plateau": ("benchmarks", "top_scores"),
    "discriminability": ("leaderboard", "benchmarks"),
    "robustness": ("predictions", "datasets"),
}


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
    """Raise with every violation of the schema and of the cross-field rules at once."""
    validator = Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(config), key=lambda error: list(map(str, error.path)))
    violations = [sentence for error in errors for sentence in _sentences(error)]
    violations += _not_finite(config, "")
    if not violations:
        violations = list(_cross_field(config))
    if violations:
        raise InputError(violations)


def check_names(benchmarks: Iterable[str]) -> None:
    """Raise unless each of the user's benchmarks has a name of its own on every file system."""
    if violations := list(_taken(benchmarks, "own.benchmarks", _OWN_FILES)):
        raise InputError(violations)


def check_files(config: Config, folder: Path) -> None:
    """Raise unless every table and folder of the user's that a checked config names exists."""
    missing = [
        f"config: {key}: there is no '{path}' in {folder}: correct the path"
        for key, path in files(config)
        if path and not (folder / path).exists()
    ]
    if missing:
        raise InputError(missing)


def files(config: Config) -> Iterator[tuple[str, str | None]]:
    """Key and path of every table and folder of the user's that a config may name; None if not."""
    for study, names in _TABLES.items():
        for name in names:
            yield f"{study}.{name}", config[study][name]
    adaptive = config["adaptive"]
    for name in adaptive["run"]:
        collection, key = adaptive["collections"][name], f"adaptive.collections.{name}"
        yield f"{key}.respondents", collection.get("respondents")
        published = collection.get("published")
        # What the run fetches need not be there yet.
        yield f"{key}.published", None if published == _FLUID_FOLDER else published
        for bank, given in collection["banks"].items():
            yield f"{key}.banks.{bank}.responses", given.get("responses")


def assemble(parts: Mapping[str, Config], studies: Iterable[str]) -> dict[str, Any]:
    """The whole schema, with every part as a property of its name."""
    sections = {name: copy.deepcopy(part) for name, part in sorted(parts.items())}
    top = sections.pop("config")
    if "ledger" in sections:
        sections["ledger"]["properties"]["studies"]["items"]["enum"] = list(studies)
    return {
        **top,
        "properties": {**top["properties"], **sections},
        "required": [*top["required"], *sections],
    }


def render_keys(schema: Config) -> str:
    """Markdown table of the keys: path, type, allowed values and description."""
    lines = ["| key | type | allowed | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{path}` | {_type(part)} | {_allowed(part)} | {part.get('description', '')} |"
        for path, part in _leaves(schema, "")
    ]
    return "\n".join(lines) + "\n"


def _not_finite(value: Any, path: str) -> Iterator[str]:
    """NaN passes every comparison of a schema, and infinity most."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _not_finite(part, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for part in value:
            yield from _not_finite(part, path)
    elif isinstance(value, float) and not math.isfinite(value):
        yield f"config: key '{path}' has the value {value}; allowed: a finite number"


def _taken(names: Iterable[str], key: str, reserved: Iterable[str]) -> Iterator[str]:
    """Names that a file system may take for another, or for one of the workflow's own files."""
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.lower(), name)
        if other != name:
            yield (
                f"config: {key}: the names '{other}' and '{name}' differ only by case, which some "
                "file systems do not tell apart; rename one"
            )
        if name.lower() in reserved:
            yield (
                f"config: {key}: '{name}' is the name of a file or folder that the workflow "
                "writes; rename it"
            )


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
    meaning = error.schema.get("description")
    yield (
        f"config: key '{path}' has the value {error.instance!r}; allowed: {_wanted(error.schema)}"
        + (f" ({meaning})" if meaning else "")
    )


def _wanted(part: Config) -> str:
    """What a key may be, in words: its kind unless the choice or the bounds say it."""
    allowed = _allowed(part)
    kinds = part.get("type", [])
    words = [_KINDS[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    if "enum" in part or not words:
        return allowed or "see config/README.md"
    return ", ".join(filter(None, [" or ".join(words), allowed]))


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


def _discriminability(study: Config) -> Iterator[str]:
    for key in ("bins", "bins_sweep"):
        values = study[key] if key == "bins_sweep" else [study[key]]
        for value in values:
            if _FINE_BINS % value:
                yield (
                    f"config: key 'discriminability.{key}' has the value {value}; allowed: "
                    f"divisors of {_FINE_BINS}, so that the bins are formed exactly"
                )
    low, high = study["score_range"]
    if low >= high:
        yield (
            f"config: key 'discriminability.score_range' has the value {[low, high]}; "
            "allowed: the lowest, then the highest possible score"
        )
    if study["leaderboard"] is not None and study["benchmarks"] is None:
        yield (
            "config: key 'discriminability.benchmarks' has the value None; allowed: with your own "
            "discriminability.leaderboard, a table of benchmark, kind and n_test"
        )


def _robustness(robustness: Config) -> Iterator[str]:
    low, high = robustness["score_range"]
    if low >= high:
        yield (
            f"config: key 'robustness.score_range' has the value {[low, high]}; "
            "allowed: the lowest score, then a higher one"
        )


def _adaptive(adaptive: Config) -> Iterator[str]:
    collections = adaptive["collections"]
    for name in adaptive["run"]:
        if name not in collections:
            yield (
                f"config: key 'adaptive.run' names '{name}'; allowed: {', '.join(collections)}, or "
                "a collection that you add under adaptive.collections"
            )
    if sorted(adaptive["sizes"]) != list(adaptive["sizes"]):
        yield f"config: key 'adaptive.sizes' has the value {adaptive['sizes']}; allowed: rising"
    if adaptive["limits"] is not None and not adaptive["limits"][0] < adaptive["limits"][1]:
        yield (
            f"config: key 'adaptive.limits' has the value {adaptive['limits']}; allowed: the "
            "lowest ability before the highest, or null"
        )
    for name, collection in collections.items():
        for bank, given in collection["banks"].items():
            yield from _adaptive_bank(name, collection, bank, given)
    banks = [bank for collection in collections.values() for bank in collection["banks"]]
    # A bank's results have a folder of their own, so that no other name is taken.
    yield from _taken(sorted(set(banks)), "adaptive.collections", ())
    for bank in sorted({bank for bank in banks if banks.count(bank) > 1}):
        yield f"config: bank '{bank}' is in several collections; give each bank a name of its own"


def _adaptive_bank(name: str, collection: Config, bank: str, given: Config) -> Iterator[str]:
    path = f"adaptive.collections.{name}.banks.{bank}"
    allowed = ["board", "responses", "synthetic", "benchmark"]
    origins = [key for key in allowed if key in given]
    if len(origins) != 1:
        yield (
            f"config: key '{path}' has {origins or 'none'}; allowed: exactly one of "
            f"{', '.join(allowed)}"
        )
    if ("synthetic" in given) != ("n_items" in given):
        yield f"config: key '{path}': synthetic and n_items belong together"
    if "benchmark" in given and "published" not in collection:
        yield f"config: key '{path}.benchmark' needs adaptive.collections.{name}.published"
    if given.get("partner", bank) not in collection["banks"]:
        yield (
            f"config: key '{path}.partner' names '{given['partner']}'; allowed: "
            f"{', '.join(collection['banks'])}"
        )


# Outcomes on which each likelihood of the regression is defined.
_OUTCOMES = {
    "beta": ["s_index"],
    "beta_probit": ["s_index"],
    "beta_cloglog": ["s_index"],
    "logit_normal": ["s_index"],
    "ordered_beta": ["s_rounded"],
    "gaussian": ["s_index", "log_gap"],
    "bernoulli": ["saturated"],
}


def _regression(regression: Config) -> Iterator[str]:
    models, reference = regression["models"], regression["reference_model"]
    named = {
        "default_models": regression["default_models"],
        "reference_model": [reference],
        "refits.singly": regression["refits"]["singly"],
    }
    for key, names in named.items():
        for name in names:
            if name not in models:
                yield (
                    f"config: key 'regression.{key}' names the model '{name}'; "
                    f"allowed: {', '.join(models)}"
                )
    if reference in models and models[reference]["likelihood"] != "beta":
        yield (
            f"config: key 'regression.reference_model' has the value '{reference}', a "
            f"{models[reference]['likelihood']} model; allowed: a beta model"
        )
    horseshoes = [name for name, model in models.items() if "nonzero" in model["priors"]]
    if reference in horseshoes:
        yield (
            f"config: key 'regression.reference_model' has the value '{reference}', a model with a "
            "horseshoe (priors.nonzero); allowed: a model with a normal prior"
        )
    for name in horseshoes:
        if models[name]["priors"]["coefficient"] is None:
            yield (
                f"config: key 'regression.models.{name}.priors.coefficient' has the value null; "
                "with priors.nonzero it is the scale of the horseshoe's slab: give a number"
            )
    for name, model in models.items():
        allowed = _OUTCOMES[model["likelihood"]]
        if model["outcome"] not in allowed:
            yield (
                f"config: key 'regression.models.{name}.outcome' has the value "
                f"'{model['outcome']}'; allowed with the likelihood {model['likelihood']}: "
                f"{', '.join(allowed)}"
            )


def _own(study: Config) -> Iterator[str]:
    yield from _taken(study["benchmarks"] or {}, "own.benchmarks", _OWN_FILES)
    for name, benchmark in (study["benchmarks"] or {}).items():
        released, observed = benchmark.get("released"), benchmark.get("observed_on")
        if released and observed and released > observed:
            yield (
                f"config: own.benchmarks.{name}: released {released} is after observed_on "
                f"{observed}; correct one"
            )
        head = f"config: key 'own.benchmarks.{name}"
        low, high = benchmark.get("score_range") or (0, 1)
        if low >= high:
            yield (
                f"{head}.score_range' has the value {[low, high]}; "
                "allowed: the lowest, then the highest possible score"
            )
        if not _bounded(benchmark["family"]) and benchmark.get("score_range"):
            yield (
                f"{head}.score_range' has the value {[low, high]}; allowed: null, because the "
                f"family {benchmark['family']} has no range"
            )
        margin = benchmark.get("meaningful_difference")
        if margin is not None and margin >= 1 and _bounded(benchmark["family"]):
            yield (
                f"{head}.meaningful_difference' has the value {margin}; allowed: a proportion "
                "below 1, or points for a family without range"
            )
        for key in ("observed_on", "released"):
            if benchmark.get(key) and not _is_date(benchmark[key]):
                yield (
                    f"{head}.{key}' has the value '{benchmark[key]}'; allowed: a date as YYYY-MM-DD"
                )


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True


_CROSS_FIELD = {
    "plateau": _plateau,
    "discriminability": _discriminability,
    "robustness": _robustness,
    "adaptive": _adaptive,
    "regression": _regression,
    "own": _own,
}


def _leaves(schema: Config, path: str) -> Iterator[tuple[str, Config]]:
    named = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), Mapping):
        named["NAME"] = schema["additionalProperties"]
    for key, part in named.items():
        key_path = f"{path}.{key}".lstrip(".")
        if "properties" in part or isinstance(part.get("additionalProperties"), Mapping):
            yield from _leaves(part, key_path)
            continue
        yield key_path, part
        named = part.get("additionalProperties")
        if isinstance(named, Mapping):  # a mapping from the user's names to keys of their own
            yield from _leaves(named, f"{key_path}.NAME")


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
