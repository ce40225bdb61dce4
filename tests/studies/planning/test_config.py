"""The config: completed from the defaults, closed, and checked with messages that help."""

import copy
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from saturation.errors import InputError
from studies.planning import config

ROOT = Path(__file__).resolve().parents[3]

DEFAULTS = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
SCHEMA = config.assemble(
    {
        path.name.removesuffix(".schema.yaml"): yaml.safe_load(path.read_text())
        for path in Path(ROOT / "workflow" / "schemas").glob("*.yaml")
    }
)


def completed(changes):
    """The changes on top of the defaults, as the workflow takes them."""
    whole = copy.deepcopy(DEFAULTS)
    update_config(whole, changes)
    return whole


def violations(changes):
    with pytest.raises(InputError) as caught:
        config.check(completed(changes), SCHEMA)
    return caught.value.violations


@pytest.mark.parametrize("path", sorted((ROOT / "config").glob("*.yaml")), ids=lambda p: p.name)
def test_the_shipped_configs_are_valid(path):
    config.check(completed(yaml.safe_load(path.read_text())), SCHEMA)


def at(path, value):
    """A change of one key."""
    for key in reversed(path.split(".")):
        value = {key: value}
    return value


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("sede", 1, "(value 1) is not known … did you mean 'seed'?"),
        ("plateau.ceilling", 0.8, "(value 0.8) is not known … did you mean 'ceiling'?"),
        ("plateau.sensitivity.ks", [3], "(value [3]) … allowed here: k, alpha"),
        ("plateau.score_scale", "per cent", "is not one of ['percent', 'proportion']"),
        ("plateau.k", 1, ": 1 is less than the minimum of 2 ("),
        ("plateau.alpha", 1.5, "1.5 is greater than the maximum of 1"),
        ("plateau.z", float("nan"), "key 'plateau.z'"),
        ("plateau.z", float("inf"), "key 'plateau.z'"),
        ("plateau.exclude_flags", ["odd"], "flags.0': 'odd' is not one of ['duplicate_model'"),
        ("plateau.observed_on", "1/11/2025", "'1/11/2025' is not a 'date' … ISO date"),
        ("plateau.observed_on", "2025-13-45", "'2025-13-45' is not a 'date'"),
        ("plateau.bin_edges", [0.3, 0.01, 0.7, 0.9], "[0.3, 0.01, 0.7, 0.9] … rising numbers"),
        ("plateau.saturated_from", 0.6, "has the value 0.6 … one of plateau.bin_edges"),
        ("plateau.k", 6, "has the value 6 … the largest of plateau.sensitivity.k"),
        ("adaptive.limits", [4, -4], "[4, -4] … the lowest possible value, then the highest"),
        ("adaptive.run", ["none"], "has the value 'none'; allowed: nlu"),
        ("adaptive.sizes", [20, 10], "has the value [20, 10]"),
        ("discriminability.score_range", [1, 1], "has the value [1, 1]"),
        ("robustness.score_range", [2, 1], "has the value [2, 1]"),
        ("robustness.normaliser", "a.b:c", "has the value 'a.b:c' … with SATURATION_IMPORTS=1"),
        ("regression.models.main.likelihood", "poisson", "is not one of … 'gaussian'"),
        ("regression.models.main.outcome", "saturated", "with the likelihood beta: s_index"),
        ("regression.default_models", ["mian"], "'mian' … the models main, interaction"),
        ("regression.reference_model", "gap", "'gap' … allowed: a beta model"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(path, value, said):
    (line,) = violations(at(path, value))
    assert line.startswith("config: ")
    for part in (f"'{path}", *said.split(" … ")):
        assert part in line


def test_code_is_imported_where_the_environment_allows_it(monkeypatch):
    monkeypatch.setenv("SATURATION_IMPORTS", "1")
    config.check(completed(at("robustness.normaliser", "a.b:c")), SCHEMA)


def test_every_missing_file_is_named_with_its_key(tmp_path):
    (tmp_path / "scores.csv").touch()
    mine = {"respondents": "people.csv", "banks": {"bank": {"responses": "cells.csv"}}}
    changes = {
        "plateau": {"benchmarks": "benchmark.csv", "top_scores": "scores.csv"},
        "adaptive": {"run": ["mine"], "collections": {"mine": mine}},
    }
    with pytest.raises(InputError) as caught:
        config.check_files(completed(changes), tmp_path)
    assert [line.partition(": there is no ")[0] for line in caught.value.violations] == [
        "config: plateau.benchmarks",
        "config: adaptive.collections.mine.respondents",
        "config: adaptive.collections.mine.banks.bank.responses",
    ]
    config.check_files(DEFAULTS, tmp_path)


def test_all_violations_are_said_at_once():
    lines = violations({"seed": "x", "sources": {"miror": "m"}, "plateau": {"k": 0, "z": -1}})
    keys = ("'seed'", "'sources.miror'", "'plateau.k'", "'plateau.z'")
    assert len(lines) == len(keys)
    for key in keys:
        assert sum(key in line for line in lines) == 1


def test_a_missing_key_is_named():
    incomplete = {key: value for key, value in DEFAULTS.items() if key != "seed"}
    with pytest.raises(InputError, match="'seed' is a required property"):
        config.check(incomplete, SCHEMA)


def objects(schema):
    if "properties" in schema:
        yield schema
        for part in schema["properties"].values():
            yield from objects(part)


def test_every_object_of_the_schema_is_closed_and_every_key_described():
    found = list(objects(SCHEMA))
    assert len(found) >= 4
    for part in found:
        assert part["additionalProperties"] is False
        for key, value in part["properties"].items():
            assert "properties" in value or value["description"], key


ONE = {"responses": "cells.csv"}


def collection(**banks):
    return {"adaptive": {"collections": {"mine": {"respondents": "people.csv", "banks": banks}}}}


def own(**keys):
    declared = {"files": ["a.csv"], "family": "accuracy", **keys}
    return {"own": {"benchmarks": {"mine": declared}}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (at("discriminability.leaderboard", "scores.csv"), "benchmarks' has the value None"),
        (collection(bank={**ONE, "board": "livebench"}), "has ['board', 'responses']"),
        (collection(bank={}), "has []; allowed: exactly one of"),
        (collection(bank={"benchmark": "b"}), "needs adaptive.collections.mine.published"),
        (collection(bank={**ONE, "partner": "other"}), "has the value 'other'; allowed: bank"),
        (collection(nlu_hellaswag=ONE), "'nlu_hellaswag' is in several collections"),
        (own(score_range=[1, 0]), "'own.benchmarks.mine.score_range' has the value [1, 0]"),
        (own(family="rating", score_range=[0, 1]), "the family rating has no range"),
        (own(observed_on="2026-02-30"), "observed_on': '2026-02-30' is not a 'date'"),
        (own(released="2025-13-01"), "released': '2025-13-01' is not a 'date'"),
    ],
)
def test_rules_between_keys_are_said(changes, said):
    (line,) = violations(changes)
    assert line.startswith("config: ")
    assert said in line


def test_the_schema_and_the_rules_between_keys_are_said_at_once():
    wrong_day, typo, wrong_type = (
        own(score_range=[1, 0], **more)
        for more in ({"released": "2026-02-31"}, {"n_item": 5}, {"n_items": "many"})
    )
    for changes, known in ((wrong_day, "is not a 'date'"), (typo, "'n_items'?")):
        first, *others = violations(changes)
        assert known in first
        assert "score_range' has the value [1, 0]" in others[0]
    # The rules of other sections are read where a section's own cannot be.
    lines = violations(wrong_type | {"robustness": {"score_range": [2, 1]}})
    assert [line.split("'")[1] for line in lines] == [
        "own.benchmarks.mine.n_items", "robustness.score_range", "own.benchmarks.mine.score_range"
    ]  # fmt: skip


def test_the_parts_of_the_schema_are_put_together_without_changing_them():
    parts = {
        "config": {"type": "object", "properties": {"seed": {}}, "required": ["seed"]},
        "ledger": {"properties": {"studies": {"items": {"enum": []}}}},
        "toy": {"properties": {}},
    }
    before = copy.deepcopy(parts)
    whole = config.assemble(parts)
    assert parts == before
    assert list(whole["properties"]) == ["seed", "ledger", "toy"]
    assert whole["required"] == ["seed", "ledger", "toy"]
    assert whole["properties"]["ledger"]["properties"]["studies"]["items"]["enum"] == list(
        config.STUDIES
    )
    assert config.assemble({"config": parts["config"]})["required"] == ["seed"]
