"""The config of the studies: schema, rules between keys, and the named files."""

import copy
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from saturation.discriminability.names import FINE_BINS
from saturation.errors import refuse
from saturation.planning import config as benchmarks
from saturation.planning.config import (
    Config,
    check_own,
    describe_clashes,
    describe_falling_range,
    describe_value,
)
from studies.adaptive.names import FLUID_FOLDER

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


# Keys that name a table of the user's, by study.
_TABLES = {
    "plateau": ("benchmarks", "top_scores"),
    "discriminability": ("leaderboard", "benchmarks"),
    "robustness": ("predictions", "datasets"),
}


# Says in the environment that the config may name code that is imported and run.
MAY_IMPORT = "SATURATION_IMPORTS"


# Outcomes on which each likelihood of the regression is defined.
_OUTCOMES = {"beta": ["s_index"], "gaussian": ["s_index", "log_gap"], "bernoulli": ["saturated"]}


def check(config: Config, schema: Config) -> None:
    """Raise with every violation of the schema and of the studies' rules, at once."""
    benchmarks.check(config, schema, _RULES)


def assemble(parts: Mapping[str, Config]) -> dict[str, Any]:
    """Assemble the whole schema, with every part as a property of its name."""
    sections = {name: copy.deepcopy(part) for name, part in sorted(parts.items())}
    top = sections.pop("config")
    if "ledger" in sections:
        sections["ledger"]["properties"]["studies"]["items"]["enum"] = list(STUDIES)
    return {
        **top,
        "properties": {**top["properties"], **sections},
        "required": [*top["required"], *sections],
    }


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


def _plateau(plateau: Config) -> Iterator[str]:
    edges, start = plateau["bin_edges"], plateau["saturated_from"]
    if sorted(set(edges)) != edges:
        yield describe_value("plateau.bin_edges", edges, "rising numbers")
    if start not in edges:
        allowed = f"one of plateau.bin_edges {edges}, so that saturation is a union of bins"
        yield describe_value("plateau.saturated_from", start, allowed)
    if max(plateau["sensitivity"]["k"]) < plateau["k"]:
        allowed = f"at most the largest of plateau.sensitivity.k {plateau['sensitivity']['k']}"
        yield describe_value("plateau.k", plateau["k"], allowed)


def _discriminability(study: Config) -> Iterator[str]:
    for key, values in (("bins", [study["bins"]]), ("bins_sweep", study["bins_sweep"])):
        for value in values:
            if FINE_BINS % value:
                allowed = f"divisors of {FINE_BINS}, so that the bins are formed exactly"
                yield describe_value(f"discriminability.{key}", value, allowed)
    yield from describe_falling_range("discriminability.score_range", study["score_range"])
    if study["leaderboard"] is not None and study["benchmarks"] is None:
        allowed = (
            "with your own discriminability.leaderboard, a table of benchmark, kind and n_test"
        )
        yield describe_value("discriminability.benchmarks", None, allowed)


def _robustness(robustness: Config) -> Iterator[str]:
    yield from describe_falling_range("robustness.score_range", robustness["score_range"])
    name = robustness["normaliser"]
    # A config from elsewhere must not run code by itself.
    if ":" in name and os.environ.get(MAY_IMPORT) != "1":
        allowed = f"a name of the project's own, or, with {MAY_IMPORT}=1, code that is run"
        yield describe_value("robustness.normaliser", name, allowed)


def _adaptive(adaptive: Config) -> Iterator[str]:
    collections = adaptive["collections"]
    for name in adaptive["run"]:
        if name not in collections:
            allowed = f"{', '.join(collections)}, or one that you add under adaptive.collections"
            yield describe_value("adaptive.run", name, allowed)
    if sorted(adaptive["sizes"]) != adaptive["sizes"]:
        yield describe_value("adaptive.sizes", adaptive["sizes"], "rising numbers")
    yield from describe_falling_range("adaptive.limits", adaptive["limits"])
    for name, collection in collections.items():
        for bank, entry in collection["banks"].items():
            yield from _adaptive_bank(name, collection, bank, entry)
    banks = [bank for collection in collections.values() for bank in collection["banks"]]
    # A bank's results have a folder of their own, so that no other name is taken.
    yield from describe_clashes(sorted(set(banks)), "adaptive.collections", ())
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
        yield describe_value(f"{path}.partner", entry["partner"], ", ".join(collection["banks"]))


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
                yield describe_value(f"regression.{key}", name, f"the models {', '.join(models)}")
    if reference in models and models[reference]["likelihood"] != "beta":
        yield describe_value("regression.reference_model", reference, "a beta model")
    yield from _outcomes(models)


def _outcomes(models: Mapping[str, Config]) -> Iterator[str]:
    for name, model in models.items():
        outcomes = _OUTCOMES[model["likelihood"]]
        if model["outcome"] not in outcomes:
            allowed = f"with the likelihood {model['likelihood']}: {', '.join(outcomes)}"
            yield describe_value(f"regression.models.{name}.outcome", model["outcome"], allowed)


_RULES = {
    "plateau": _plateau,
    "discriminability": _discriminability,
    "robustness": _robustness,
    "adaptive": _adaptive,
    "regression": _regression,
    "own": check_own,
}
