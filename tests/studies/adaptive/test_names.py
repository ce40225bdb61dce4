import re
from pathlib import Path

import yaml

from studies.adaptive import names as banks

ROOT = Path(__file__).resolve().parents[3]
EMBEDDED = "/there/resources/adaptive/nlu_respondents.csv"


def shipped(path):
    return f"/there/{path}"


def only(entry, name="mine", **settings):
    """The plan of a collection with one bank."""
    collection = {"banks": {name: entry}, **settings}
    return banks.plan({"collections": {"all": collection}}, shipped)[name]


def test_a_users_table_is_taken_as_it_is():
    bank = only({"responses": "cells.csv", "layout": "long"}, respondents="people.csv")
    assert bank == banks.Bank("mine", "all", "cells.csv", "people.csv", "long")
    assert (bank.known("item_parameters"), bank.known("abilities")) == ([], [])
    for settings in ({}, {"respondents": None}):
        unknown = only({"responses": "cells.csv"}, **settings)
        assert (unknown.respondents, unknown.layout, unknown.partner) == (None, "wide", None)


def test_an_embedded_board_has_its_respondents():
    bank = only({"board": "nlu_snli"}, respondents=None)
    assert bank.responses == "/there/resources/boards/responses/nlu_snli.parquet"
    assert (bank.respondents, bank.layout) == (EMBEDDED, banks.BOARD)
    assert only({"board": "nlu_snli"}, respondents="own.csv").respondents == "own.csv"
    assert only({"board": "livebench"}).respondents.endswith("livebench_respondents.csv")
    assert only({"board": "other"}).respondents is None


def test_a_published_benchmark_brings_respondents_and_items():
    bank = only(
        {"benchmark": "arc", "partner": "paper_mmlu"}, published="data", respondents="own.csv"
    )
    assert (bank.published, bank.benchmark, bank.partner) == ("data", "arc", "paper_mmlu")
    assert bank.responses == "results/adaptive/published/mine/responses.csv"
    assert bank.respondents == "results/adaptive/published/mine/respondents.csv"
    assert bank.known("item_parameters") == ["results/adaptive/published/mine/item_parameters.csv"]
    assert bank.known("abilities") == ["results/adaptive/published/mine/abilities.csv"]


def test_banks_stand_by_name_in_the_configs_order():
    other = {"responses": "a.csv"}
    collections = {
        "first": {"banks": {"b": other, "a": other, "d": {"board": "nlu_snli"}}},
        "second": {"banks": {"c": {"benchmark": "arc"}}, "published": "data"},
    }
    plan = banks.plan({"collections": collections}, shipped)
    assert list(plan) == ["b", "a", "d", "c"]
    assert [bank.collection for bank in plan.values()] == ["first"] * 3 + ["second"]
    assert banks.embedded(plan) == ["d"]
    assert banks.published(plan) == ["c"]


def test_a_wildcard_is_one_of_its_names_or_nothing():
    assert re.fullmatch(banks.pattern(["a", "b.c"]), "b.c")
    assert not re.fullmatch(banks.pattern(["a", "b.c"]), "bxc")
    for name in ("", "none", "a"):
        assert not re.fullmatch(banks.pattern([]), name)


def test_the_shipped_config():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())["adaptive"]
    plan = banks.plan(config, shipped)
    assert {bank.respondents for bank in plan.values() if bank.collection == "nlu"} == {EMBEDDED}
    shown = [bank for name in config["run"] for bank in config["collections"][name]["banks"]]
    assert set(shown) == set(banks.embedded(plan))  # real, and nothing made up
    for bank in banks.embedded(plan):
        for file in (plan[bank].responses, plan[bank].respondents):
            assert (ROOT / file.removeprefix("/there/")).is_file()
