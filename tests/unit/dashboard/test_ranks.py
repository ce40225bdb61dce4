"""Boards and their models: where they stand, and which ranks they may hold."""

import pandas as pd
import pytest

from saturation.dashboard import rows


@pytest.fixture
def boards(tables, cards):
    listed = pd.concat(
        [
            rows.published(tables["benchmarks"], tables["index"], tables["intervals"]),
            rows.from_cards(cards),
        ],
        ignore_index=True,
    )
    return rows.boards(tables, listed)


def test_a_board_stands_on_the_page_of_the_benchmark_of_its_name(boards):
    first, second = boards
    assert (first["id"], first["address"]) == ("b", "benchmarks/b.html")
    assert (second["id"], second["address"]) == (
        "board-mmlu_pro", "benchmarks/board-mmlu_pro.html"
    )  # fmt: skip
    assert first["explanation"].startswith("no two of the top models are told apart")
    assert first["sources"] == ["board_epoch_runs"]
    assert not first["older"]


def test_boards_of_the_item_banks_say_that_their_models_are_old(tables):
    renamed = {
        name: tables[name].replace({"board": {"gpqa_diamond": "nlu_boolq"}})
        for name in ("overview", "models", "course", "remarks")
    }
    listed = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    assert [board["older"] for board in rows.boards(renamed, listed)] == [True, False]


def test_a_users_benchmark_of_the_same_name_is_another(tables, cards):
    listed = rows.from_cards([cards[0] | {"benchmark": "Beta"}])
    assert rows.boards(tables, listed)[0]["id"] == "board-gpqa_diamond"


def test_models_have_the_ranks_that_they_may_hold(boards):
    first, second = boards
    assert [model["ranks"] for model in first["ranks"]] == ["1 to 2", "1 to 2", "3"]
    assert [model["alike"] for model in first["ranks"]] == [1, 1, 0]
    assert [model["label"] for model in first["ranks"]] == ["90.0 %", "85.0 %", "50.0 %"]
    assert (first["newest"], second["newest"]) == ("2025-03-04", None)
    assert [row["until"] for row in first["course"]] == ["2025-03-31", "2025-06-30"]
    assert (second["course"], second["remarks"]) == ([], [])
    assert first["remarks"] == ["left out: 1 evaluation"]


def test_every_model_has_its_place_on_each_board_and_card(boards, cards):
    models = {model["model"]: model for model in rows.by_model(boards, cards)}
    assert [place["title"] for place in models["m"]["places"]] == ["Beta", "MMLU-Pro"]
    second = models["m"]["places"][1]
    assert second == {
        "title": "MMLU-Pro", "address": "benchmarks/board-mmlu_pro.html", "rank": 2, "of": 3,
        "tied": False, "dated": None, "ranks": "2", "alike": 0, "label": "80.0 %",
    }  # fmt: skip
    assert models["m"]["released"] == "2025-01-01"
    assert models["n (new)"]["released"] is None
    # Two names with the same letters have two anchors.
    assert {models["n (new)"]["anchor"], models["N [new]"]["anchor"]} == {"n-new", "n-new-2"}
    own = models["m3"]["places"]
    assert [place["title"] for place in own] == ["mine", "arena"]
    assert own[0]["dated"] == "2026-01-31"
    assert (own[0]["rank"], own[0]["of"], own[0]["ranks"], own[0]["alike"]) == (4, 12, "4 to 11", 7)
    assert [place["label"] for place in own] == ["87.0 %", "0.9"]
    undetermined = cards[0] | {"frontier": None}
    assert len(rows.by_model(boards, [undetermined])) == 4
    names = [model["model"].lower() for model in rows.by_model(boards, cards)]
    assert names == sorted(names)
