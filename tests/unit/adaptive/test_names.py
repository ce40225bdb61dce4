from pathlib import Path

import pytest
import yaml

from saturation.adaptive import names as banks
from saturation.adaptive import synthetic

ROOT = Path(__file__).resolve().parents[3]
EMBEDDED = "/there/resources/adaptive/nlu_respondents.csv"


def shipped(path):
    return f"/there/{path}"


def adaptive(**collections):
    return {
        "synthetic": {"families": 2, "models_per_family": 3},
        "posterior": {"largest_cells": 600},
        "collections": collections,
    }


def only(entry, name="mine", **settings):
    """The plan of a collection with one bank."""
    return banks.plan(adaptive(all={"banks": {name: entry}, **settings}), shipped)[name]


def test_a_users_table_is_taken_as_it_is():
    bank = only({"responses": "cells.csv", "layout": "long"}, respondents="people.csv")
    assert bank == banks.Bank("mine", "all", "cells.csv", "people.csv", "long")
    assert (bank.known, bank.known_abilities) == ([], [])


@pytest.mark.parametrize("settings", [{}, {"respondents": None}])
def test_respondents_that_nothing_is_known_of(settings):
    bank = only({"responses": "cells.csv"}, **settings)
    assert bank.respondents is None
    assert bank.layout == "wide"
    assert bank.partner is None


def test_an_embedded_board_has_its_respondents():
    bank = only({"board": "nlu_snli"}, respondents=None)
    assert bank.responses == "/there/resources/boards/responses/nlu_snli.parquet"
    assert (bank.respondents, bank.layout) == (EMBEDDED, banks.BOARD)
    assert only({"board": "nlu_snli"}, respondents="own.csv").respondents == "own.csv"
    assert only({"board": "livebench"}).respondents.endswith("livebench_respondents.csv")
    assert only({"board": "other"}).respondents is None


def test_embedded_banks_are_told_from_others():
    config = adaptive(all={"banks": {"a": {"board": "nlu_snli"}, "b": {"responses": "b.csv"}}})
    assert banks.embedded(banks.plan(config, shipped)) == ["a"]


def test_a_synthetic_bank_has_a_folder_and_the_synthetic_respondents():
    bank = only({"synthetic": "nlu_snli", "n_items": 10})
    assert bank.responses == "results/adaptive/synthetic/mine/responses.csv"
    assert bank.respondents == "results/adaptive/synthetic/respondents.csv"
    assert bank.synthetic == {"synthetic": "nlu_snli", "n_items": 10}
    own = only({"synthetic": "nlu_snli", "n_items": 10}, respondents="own.csv")
    assert own.respondents == "own.csv"


def test_a_published_benchmark_brings_respondents_and_items():
    bank = only(
        {"benchmark": "arc", "partner": "paper_mmlu"}, published="data", respondents="own.csv"
    )
    assert (bank.published, bank.benchmark, bank.partner) == ("data", "arc", "paper_mmlu")
    assert bank.responses == "results/adaptive/published/mine/responses.csv"
    assert bank.respondents == "results/adaptive/published/mine/respondents.csv"
    assert bank.known == ["results/adaptive/published/mine/item_parameters.csv"]
    assert bank.known_abilities == ["results/adaptive/published/mine/abilities.csv"]


@pytest.mark.parametrize("name", ["synthetic", "published", "respondents", "banks", "tables"])
def test_no_name_of_a_bank_reaches_what_is_not_its_own(name):
    """A bank called synthetic got the made-up respondents when its folder stood beside theirs."""
    bank = only({"responses": "cells.csv"}, name)
    assert (bank.responses, bank.respondents) == ("cells.csv", None)
    made_up = only({"synthetic": "nlu_snli", "n_items": 10}, name)
    assert made_up.responses != made_up.respondents
    assert made_up.responses == f"results/adaptive/synthetic/{name}/responses.csv"


def test_banks_stand_by_name_in_the_configs_order():
    config = adaptive(
        first={"banks": {"b": {"responses": "b.csv"}, "a": {"synthetic": "x", "n_items": 10}}},
        second={"banks": {"c": {"benchmark": "arc"}}, "published": "data"},
    )
    plan = banks.plan(config, shipped)
    assert list(plan) == ["b", "a", "c"]
    assert [bank.collection for bank in plan.values()] == ["first", "first", "second"]
    assert banks.synthetic(plan) == {"a": {"synthetic": "x", "n_items": 10}}
    assert banks.published(plan) == ["c"]


def test_the_full_posterior_is_for_banks_up_to_its_limit():
    """Two families of three models at five checkpoints are 30 respondents; 600 cells are it."""
    entries = {name: {"synthetic": "x", "n_items": n} for name, n in (("fits", 20), ("more", 21))}
    config = adaptive(all={"banks": entries | {"real": {"responses": "cells.csv"}}})
    assert banks.small_enough(config, banks.plan(config, shipped)) == ["fits"]


def test_checkpoints_are_those_of_the_synthetic_models():
    assert synthetic.respondents(1, 1)["checkpoint"].tolist() == list(
        range(1, banks.CHECKPOINTS + 1)
    )


def test_a_wildcard_is_one_of_its_names_or_nothing():
    import re

    assert re.fullmatch(banks.pattern(["a", "b.c"]), "b.c")
    assert not re.fullmatch(banks.pattern(["a", "b.c"]), "bxc")
    for name in ("", "none", "a"):
        assert not re.fullmatch(banks.pattern([]), name)


def test_the_shipped_config():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())["adaptive"]
    plan = banks.plan(config, shipped)
    assert {bank.respondents for bank in plan.values() if bank.collection == "nlu"} == {EMBEDDED}
    assert banks.small_enough(config, plan) == ["synthetic_small"]
    shown = [bank for name in config["run"] for bank in config["collections"][name]["banks"]]
    assert set(shown) == set(banks.embedded(plan))  # real, and nothing made up
    for bank in banks.embedded(plan):
        for file in (plan[bank].responses, plan[bank].respondents):
            assert (ROOT / file.removeprefix("/there/")).is_file()
