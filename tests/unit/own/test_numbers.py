"""The numbers of a card under their documented names, and the card as Every Eval Ever records."""

import json
import re
from dataclasses import replace

import jsonschema
import numpy as np
import pandas as pd
import pytest

from saturation.files.tables import write_json
from saturation.leaderboard.read import registry
from saturation.leaderboard.read.rows import Choice, Origin
from saturation.leaderboard.top import Settings
from saturation.own import card, cards
from saturation.own.card import dead_items
from saturation.own.imports import ImportRecord

SETTINGS = Settings()
NO_SCORES = pd.DataFrame(
    columns=["model", "score", "standard_error", "n_items", "run", "configuration", "date"]
)
NO_RESPONSES = pd.DataFrame(
    columns=["model", "item", "cluster", "run", "configuration", "response", "date"]
)


def scored(scores, n=400.0, error=np.nan):
    return pd.DataFrame(
        {"model": [f"org/m{i}" for i in range(len(scores))], "score": scores, "n_items": n,
         "standard_error": error, "run": "", "configuration": "", "date": None}
    )  # fmt: skip


def answered():
    rng = np.random.default_rng(0)
    right = rng.random((60, 6)) < np.linspace(0.9, 0.5, 6)
    right[:7], right[7:10] = True, False
    return pd.concat(
        pd.DataFrame(
            {"model": f"m{i}", "item": [f"q{j}" for j in range(60)], "cluster": "", "run": "",
             "configuration": "", "date": "", "response": right[:, i].astype(float)}
        )
        for i in range(6)
    )  # fmt: skip


def completed(judged, **changes):
    """The whole card, which says nothing beyond the verdict."""
    nothing = card.Abstention("no dates")
    parts = {
        "observed_on": "2026-01-31", "released": None, "synthetic": False, "history": nothing,
        "earlier": nothing, "items": card.Items("", "", nothing, nothing), "consistency": nothing,
        "imported": ImportRecord([], 0, 0, {}, []),
    }  # fmt: skip
    return card.Card(**vars(judged) | parts | changes)


def made(scores=NO_SCORES, responses=NO_RESPONSES, family="accuracy"):
    found = card.assemble("bench", scores, responses, {"family": family}, SETTINGS)
    return completed(found)


CARDS = {
    "responses": lambda: made(responses=answered()),
    "scores": lambda: made(scored([0.9, 0.9, 0.9, 0.85, 0.8])),
    "ratings": lambda: made(scored([1300.0, 1299, 1298, 1297, 1296], np.nan, 5.0), family="rating"),
    "undetermined": lambda: made(scored([0.9, 0.8])),
    "alike": lambda: made(scored([0.6] * 5, 50_000.0)),
}


@pytest.fixture
def schema(request):
    path = request.config.rootpath / "resources/own/numbers.schema.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", CARDS)
def test_the_numbers_are_those_of_the_schema_also_when_written(schema, tmp_path, name):
    jsonschema.Draft202012Validator.check_schema(schema)
    whole = CARDS[name]()
    jsonschema.validate(card.numbers(whole), schema)
    write_json(cards.written(whole), tmp_path / "card.json")
    written = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    jsonschema.validate(written["numbers"], schema)
    assert list(schema["properties"]) == schema["required"]
    assert set(card.numbers(whole)) == set(schema["properties"])


def test_the_docs_list_the_names_of_the_schema(schema, request):
    text = (request.config.rootpath / "docs/own.md").read_text(encoding="utf-8")
    table = text.partition("## Written back")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    assert list(rows) == list(schema["properties"])
    for name, part in schema["properties"].items():
        assert part["description"] in rows[name]
        assert re.findall(r"`(\w+)`", rows[name]) == list(part.get("properties", {}))


def test_numbers_by_hand():
    responses = answered()
    found = card.numbers(made(responses=responses))
    wide = responses.pivot(index="item", columns="model", values="response")
    assert found["dead_items"] == {
        "items": 60,
        "solved_by_all": int((wide.sum(axis=1) == 6).sum()),
        "solved_by_none": int((wide.sum(axis=1) == 0).sum()),
    }
    assert found["dead_items"]["solved_by_all"] >= 7
    pair = found["top_pair"]
    first, second = wide[pair["first"]], wide[pair["second"]]
    assert pair["only_first"] == int(((first == 1) & (second == 0)).sum())
    assert pair["discordant_items"] == int((first != second).sum())
    assert pair["items"] == 60
    assert pair["difference"] == pytest.approx((first - second).mean())
    assert found["items_needed"]["present"] == 60
    assert found["rank_intervals"][0]["model"] == pair["first"]


def test_scores_have_no_counts_of_items_and_equal_ones_no_number_that_would_do():
    found = card.numbers(made(scored([0.9] * 5)))
    assert found["dead_items"] is None
    assert found["top_pair"]["discordant_items"] is None
    assert found["items_needed"]["top_two"] is None
    assert found["items_needed"]["alike"] > 400
    nothing = card.numbers(made(scored([0.9, 0.8])))
    assert (nothing["verdict"], nothing["tie_group"]) == ("undetermined", None)


def test_an_item_that_one_model_answered_is_not_dead():
    matrix = pd.DataFrame({"a": [1.0, 1, 0, 0.5], "b": [np.nan, 1, 0, 0.5]})
    assert dead_items(matrix) == card.DeadItems(3, 1, 1)
    assert dead_items(matrix[["a"]]) is None
    assert dead_items(pd.DataFrame()) is None


class TestExport:
    def test_a_record_a_model_that_can_be_read_again(self, tmp_path):
        whole = made(responses=answered())
        path = tmp_path / "every_eval_ever.jsonl"
        path.write_text(cards.lines(whole), encoding="utf-8")
        back = registry.read(Origin(path), Choice())
        models = {m.model: m for m in whole.frontier.models}
        assert len(back.scores) == len(models) == 6
        for score in back.scores:
            model = models[score.model]
            assert score.score == pytest.approx(model.score)
            assert score.standard_error == pytest.approx(model.standard_error)
            assert (score.n_items, score.date, score.task) == (60, "2026-01-31", "bench")
            assert (score.minimum, score.maximum, score.higher_is_better) == (0, 1, True)

    def test_details_are_text_and_hold_the_numbers(self):
        whole = made(responses=answered())
        details = [
            record["evaluation_results"][0]["score_details"]["details"]
            for record in cards.records(whole)
        ]
        assert all(isinstance(value, str) for one in details for value in one.values())
        first = details[0]
        assert first["saturation.verdict"] == whole.verdict
        assert json.loads(first["saturation.best_rank"]) == 1
        assert json.loads(first["saturation.tied_with_leader"]) is True
        pair = json.loads(first["saturation.top_pair"])
        assert pair["discordant_items"] == card.numbers(whole)["top_pair"]["discordant_items"]
        assert {name.removeprefix(cards.PREFIX) for name in first} >= set(cards.OF_BOARD)

    def test_the_same_card_gives_the_same_bytes(self):
        whole = CARDS["scores"]()
        assert cards.lines(whole) == cards.lines(CARDS["scores"]())
        assert '"num_samples": 400' in cards.lines(whole)

    @pytest.mark.parametrize("name", ["ratings", "undetermined"])
    def test_without_a_range_or_a_top_nothing_is_written(self, name):
        assert cards.lines(CARDS[name]()) == ""

    def test_an_unknown_error_is_left_out(self):
        whole = made(scored([0.9, 0.88, 0.86, 0.84, 0.82]))
        unknown = replace(whole.frontier.models[0], standard_error=np.nan, n_items=np.nan)
        whole.frontier.models[0] = unknown
        first = cards.records(whole)[0]["evaluation_results"][0]["score_details"]
        assert first["uncertainty"] == {}
