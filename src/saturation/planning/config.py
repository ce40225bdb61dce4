"""The config: studies, closed schema, rules between keys, and the named files."""

import copy
import difflib
import glob
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from saturation.adaptive.names import FLUID_FOLDER
from saturation.discriminability.names import FINE_BINS
from saturation.errors import Key, Violation, refuse
from saturation.leaderboard.names import bounded

Config = Mapping[str, Any]

# Every study by name, each after those it builds on, with the report's category, which sorts by its
# number. Study NAME has its rules in workflow/rules/NAME.smk, its part of the config's schema in
# workflow/schemas/NAME.schema.yaml and its claims, if any, in resources/ledger/claims/NAME.csv.
STUDIES = {
    "plateau": "1 Plateau",
    "discriminability": "2 Discriminability",
    "robustness": "4 Robustness",
    "adaptive": "3 Adaptive",
    "forecast": "5 Forecast",
    "regression": "1 Plateau",
    "multiverse": "6 Multiverse",
    "boards": "0 Real boards",
    "renewal": "0 Real boards",
    "suites": "0 Real boards",
    "review": "0 Real boards",
    "status": "0 Status",
    "releases": "0 Status",
}
CATEGORY = {**STUDIES, "ledger": "7 Ledger", "own": "9 Your own benchmark"}
# What the workflow itself writes beside the results of the user's benchmarks.
_OWN_FILES = ("benchmarks", "cards.csv", "cards.html", "gate.txt")
# Keys that name a table of the user's, by study.
_TABLES = {
    "plateau": ("benchmarks", "top_scores"),
    "discriminability": ("leaderboard", "benchmarks"),
    "robustness": ("predictions", "datasets"),
}
# Says in the environment that the config may name code that is imported and run.
MAY_IMPORT = "SATURATION_IMPORTS"
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


def check(config: Config, schema: Config) -> None:
    """Raise with every violation of the schema and of the rules between keys, at once.

    The rules of a section are tried unless the schema finds a value there that they cannot read.
    """
    errors = _errors(config, schema)
    violations = [sentence for error in errors for sentence in _sentences(error)]
    unreadable = {error.path[0] for error in errors if error.path and error.validator not in _MILD}
    for study, rules in _RULES.items():
        if study in config and study not in unreadable:
            violations += rules(config[study])
    refuse(violations)


def check_benchmark(name: str, declared: Config, own: Config, schema: Config) -> None:
    """Raise with every violation of a declared benchmark of the section `own`."""
    section = {**own, "benchmarks": {name: {**declared, "files": ["FILE"]}}}
    errors = _errors(section, schema)
    violations = [sentence for error in errors for sentence in _sentences(error, "own")]
    if all(error.validator in _MILD for error in errors):
        violations += _check_own(section)
    refuse(violations)


def _errors(values: Config, schema: Config) -> list[ValidationError]:
    validator = _Validator(schema, format_checker=_Validator.FORMAT_CHECKER)
    return sorted(validator.iter_errors(values), key=lambda error: list(map(str, error.path)))


def _sentences(error: ValidationError, section: str = "") -> Iterator[str]:
    path = ".".join([section] * bool(section) + list(map(str, error.absolute_path)))
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


def assemble(parts: Mapping[str, Config], studies: Iterable[str] = STUDIES) -> dict[str, Any]:
    """Assemble the whole schema, with every part as a property of its name."""
    sections = {name: copy.deepcopy(part) for name, part in sorted(parts.items())}
    top = sections.pop("config")
    if "ledger" in sections:
        sections["ledger"]["properties"]["studies"]["items"]["enum"] = list(studies)
    return {
        **top,
        "properties": {**top["properties"], **sections},
        "required": [*top["required"], *sections],
    }


def check_names(benchmarks: Iterable[str]) -> None:
    """Raise unless each of the user's benchmarks has a name of its own on every file system."""
    refuse(_list_clashes(benchmarks, "own.benchmarks", _OWN_FILES))


def check_files(config: Config, folder: Path) -> None:
    """Raise unless every table and folder of the user's that a checked config names exists."""
    refuse(
        f"config: {key}: there is no '{path}' in {folder}: correct the path"
        for key, path in files(config)
        if path and not (folder / path).exists()
    )


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
        yield f"{key}.published", None if published == FLUID_FOLDER else published
        for bank, entry in collection["banks"].items():
            yield f"{key}.banks.{bank}.responses", entry.get("responses")


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


def _wrong(key: str, value: Any, allowed: str) -> str:
    return Violation(_key(key), f" has the value {value!r}; allowed: {allowed}")


def _falling(key: str, span: Sequence[float] | None) -> Iterator[str]:
    if span and span[0] >= span[1]:
        yield _wrong(key, list(span), "the lowest possible value, then the highest")


def _list_clashes(names: Iterable[str], key: str, reserved: Iterable[str]) -> Iterator[str]:
    """List names that a file system may confuse with further names or the workflow's files."""
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


def _plateau(plateau: Config) -> Iterator[str]:
    edges, start = plateau["bin_edges"], plateau["saturated_from"]
    if sorted(set(edges)) != edges:
        yield _wrong("plateau.bin_edges", edges, "rising numbers")
    if start not in edges:
        allowed = f"one of plateau.bin_edges {edges}, so that saturation is a union of bins"
        yield _wrong("plateau.saturated_from", start, allowed)
    if max(plateau["sensitivity"]["k"]) < plateau["k"]:
        allowed = f"at most the largest of plateau.sensitivity.k {plateau['sensitivity']['k']}"
        yield _wrong("plateau.k", plateau["k"], allowed)


def _discriminability(study: Config) -> Iterator[str]:
    for key, values in (("bins", [study["bins"]]), ("bins_sweep", study["bins_sweep"])):
        for value in values:
            if FINE_BINS % value:
                allowed = f"divisors of {FINE_BINS}, so that the bins are formed exactly"
                yield _wrong(f"discriminability.{key}", value, allowed)
    yield from _falling("discriminability.score_range", study["score_range"])
    if study["leaderboard"] is not None and study["benchmarks"] is None:
        allowed = (
            "with your own discriminability.leaderboard, a table of benchmark, kind and n_test"
        )
        yield _wrong("discriminability.benchmarks", None, allowed)


def _robustness(robustness: Config) -> Iterator[str]:
    yield from _falling("robustness.score_range", robustness["score_range"])
    name = robustness["normaliser"]
    # A config from elsewhere must not run code by itself.
    if ":" in name and os.environ.get(MAY_IMPORT) != "1":
        allowed = f"a name of the project's own, or, with {MAY_IMPORT}=1, code that is run"
        yield _wrong("robustness.normaliser", name, allowed)


def _adaptive(adaptive: Config) -> Iterator[str]:
    collections = adaptive["collections"]
    for name in adaptive["run"]:
        if name not in collections:
            allowed = f"{', '.join(collections)}, or one that you add under adaptive.collections"
            yield _wrong("adaptive.run", name, allowed)
    if sorted(adaptive["sizes"]) != list(adaptive["sizes"]):
        yield _wrong("adaptive.sizes", adaptive["sizes"], "rising numbers")
    yield from _falling("adaptive.limits", adaptive["limits"])
    for name, collection in collections.items():
        for bank, entry in collection["banks"].items():
            yield from _adaptive_bank(name, collection, bank, entry)
    banks = [bank for collection in collections.values() for bank in collection["banks"]]
    # A bank's results have a folder of their own, so that no other name is taken.
    yield from _list_clashes(sorted(set(banks)), "adaptive.collections", ())
    for bank in sorted({bank for bank in banks if banks.count(bank) > 1}):
        yield f"config: bank '{bank}' is in several collections; give each bank a name of its own"


def _adaptive_bank(name: str, collection: Config, bank: str, entry: Config) -> Iterator[str]:
    path = f"adaptive.collections.{name}.banks.{bank}"
    allowed = ["board", "responses", "benchmark"]
    origins = [key for key in allowed if key in entry]
    if len(origins) != 1:
        yield f"config: key '{path}' has {origins}; allowed: exactly one of {', '.join(allowed)}"
    if "benchmark" in entry and "published" not in collection:
        yield f"config: key '{path}.benchmark' needs adaptive.collections.{name}.published"
    if entry.get("partner", bank) not in collection["banks"]:
        yield _wrong(f"{path}.partner", entry["partner"], ", ".join(collection["banks"]))


def _regression(regression: Config) -> Iterator[str]:
    models, reference = regression["models"], regression["reference_model"]
    names_of = {
        "default_models": regression["default_models"],
        "reference_model": [reference],
        "refits.singly": regression["refits"]["singly"],
    }
    for key, names in names_of.items():
        for name in names:
            if name not in models:
                yield _wrong(f"regression.{key}", name, f"the models {', '.join(models)}")
    if reference in models and models[reference]["likelihood"] != "beta":
        yield _wrong("regression.reference_model", reference, "a beta model")
    horseshoes = [name for name, model in models.items() if "nonzero" in model["priors"]]
    if reference in horseshoes:
        allowed = "a model with a normal prior, not with a horseshoe (priors.nonzero)"
        yield _wrong("regression.reference_model", reference, allowed)
    for name in horseshoes:
        if models[name]["priors"]["coefficient"] is None:
            allowed = "a number, with priors.nonzero the scale of the horseshoe's slab"
            yield _wrong(f"regression.models.{name}.priors.coefficient", None, allowed)
    yield from _outcomes(models)


def _outcomes(models: Mapping[str, Config]) -> Iterator[str]:
    for name, model in models.items():
        outcomes = _OUTCOMES[model["likelihood"]]
        if model["outcome"] not in outcomes:
            allowed = f"with the likelihood {model['likelihood']}: {', '.join(outcomes)}"
            yield _wrong(f"regression.models.{name}.outcome", model["outcome"], allowed)


def _check_own(study: Config) -> Iterator[str]:
    benchmarks = study["benchmarks"] or {}
    yield from _list_clashes(benchmarks, "own.benchmarks", _OWN_FILES)
    for name, benchmark in benchmarks.items():
        head = f"own.benchmarks.{name}"
        released, observed = benchmark.get("released"), benchmark.get("observed_on")
        if released and observed and released > observed:
            yield _wrong(f"{head}.released", released, f"a day before observed_on {observed}")
        issues, source = benchmark.get("known_issues"), benchmark.get("known_issues_source")
        if bool(issues) != bool(source):
            allowed = "known_issues and known_issues_source together, or neither"
            yield _wrong(f"{head}.known_issues", issues, allowed)
        span, margin = benchmark.get("score_range"), benchmark.get("meaningful_difference")
        yield from _falling(f"{head}.score_range", span)
        if span and not bounded(benchmark["family"]):
            allowed = f"null, because the family {benchmark['family']} has no range"
            yield _wrong(f"{head}.score_range", span, allowed)
        if margin is not None and margin >= 1 and bounded(benchmark["family"]):
            allowed = "a proportion below 1, or points for a family without range"
            yield _wrong(f"{head}.meaningful_difference", margin, allowed)


_RULES = {
    "plateau": _plateau,
    "discriminability": _discriminability,
    "robustness": _robustness,
    "adaptive": _adaptive,
    "regression": _regression,
    "own": _check_own,
}
