"""All cards of a config, their table, and the verdicts that a user does not accept."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import numpy as np
import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.tables import write_json
from saturation.leaderboard.read import registry
from saturation.leaderboard.read.rows import Choice, Origin
from saturation.own import cards
from saturation.own.card import Summary

ROOT = Path(__file__).parents[3]
TEMPLATES = {
    name: (ROOT / f"workflow/templates/{file}.j2").read_text() for name, file in cards.PAGES.items()
}
ANNOTATION = pd.read_csv(ROOT / "resources/plateau/benchmarks.csv")
DECLARED = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-31"}

SUMMARY = {
    "benchmark": "a", "verdict": "saturated", "reason": "equivalent_at_the_ceiling",
    "first_and_kth": "undecided", "s_index": 0.8, "observed_on": "2026-01-01", "n_models": 5,
    "n_items": 100, "tied_at_top": 3, "synthetic": False, "stale": None,
}  # fmt: skip
UNKNOWN = SUMMARY | {
    "benchmark": "b", "verdict": "undetermined", "reason": "too_few_models",
    "first_and_kth": None, "s_index": None, "n_items": None, "tied_at_top": None,
}  # fmt: skip


def test_one_row_a_card_and_only_the_named_verdicts_are_refused():
    table = cards.table([SUMMARY, UNKNOWN])
    assert table["benchmark"].tolist() == ["a", "b"]
    assert table.loc[0].drop("stale").to_dict() == {
        key: value for key, value in SUMMARY.items() if key != "stale"
    }
    assert table.loc[1].isna().sum() == 5
    assert cards.refused(table, ["saturated", "stagnated"]) == [
        "benchmark 'a': the verdict is saturated (equivalent_at_the_ceiling), which own.fail_on "
        "names"
    ]
    assert cards.refused(table, []) == []
    with pytest.raises(InputError, match=r"own\.benchmarks is empty.*config/own\.yaml"):
        cards.table([])


@pytest.mark.parametrize(
    ("column", "value"),
    [("verdict", "fine"), ("reason", "because"), ("first_and_kth", "even"), ("tied_at_top", 0)],
)
def test_a_summary_that_no_card_gives_is_refused(column, value):
    with pytest.raises(InputError, match=f"cards, row 2, column '{column}'"):
        cards.table([SUMMARY | {column: value}])


@pytest.fixture
def make(tmp_path, context):
    """Make cards of tables given as text, by benchmark, and the table of their summaries."""

    def made(**texts):
        files = {}
        for name, text in texts.items():
            (tmp_path / f"{name}.csv").write_text(text)
            files[name] = [{"path": tmp_path / f"{name}.csv"}]
        benchmarks = dict.fromkeys(texts, DECLARED)
        folder_of_all = tmp_path / "out"
        cards.make(benchmarks, files, folder_of_all, context, TEMPLATES)
        lines = [(folder_of_all / name / "summary.json").read_text() for name in texts]
        return cards.table([json.loads(line) for line in lines])

    return made


def board(best):
    rows = "".join(f"m{i},{best - i / 50:.2f},500\n" for i in range(5))
    return f"model,score,n_items\n{rows}"


def test_every_benchmark_has_its_folder(make, tmp_path):
    make(a=board(0.9), b=board(0.8))
    names = {"card.html", "card.md", "badge.svg", "card.json", "summary.json", "scores.csv",
             "responses.parquet", "imports.json", "every_eval_ever.jsonl"}  # fmt: skip
    assert {path.name for path in (tmp_path / "out/b").iterdir()} == names
    assert pd.read_csv(tmp_path / "out/b/scores.csv")["score"].max() == 0.8
    assert "responses" not in pd.read_parquet(tmp_path / "out/b/responses.parquet")


def test_without_an_earlier_card_all_that_is_wrong_is_said(make):
    with pytest.raises(InputError) as error:
        make(a=board(9), c="model,score\nx,0.5\n")
    assert len(error.value.violations) > 2
    assert "a.csv" in error.value.violations[0]
    assert "the score of model 'x' has no number of items" in error.value.violations[-1]


def test_one_unreadable_benchmark_does_not_cost_the_others_theirs(make, tmp_path):
    table = make(a=board(9), b=board(0.8))
    assert table["n_models"].tolist() == [0, 5]
    assert table["stale"].notna().tolist() == [True, False]
    (sentence,) = cards.refused(table, [])
    assert "benchmark 'a': it has no card" in sentence
    assert "outside the metric" in (tmp_path / "out/a/card.html").read_text()
    assert make(a=board(0.9), b=board(0.8))["stale"].isna().all()


def test_an_earlier_card_stays_and_says_so(make, tmp_path):
    make(a=board(0.9), b=board(0.9))
    kept = {name: (tmp_path / "out/a" / name).read_bytes() for name in ("scores.csv", "badge.svg")}
    before = json.loads((tmp_path / "out/a/card.json").read_text())
    table = make(a="model,score\nx,<b>\n", b=board(0.8))
    assert table["stale"].notna().tolist() == [True, False]
    assert pd.read_csv(tmp_path / "out/b/scores.csv")["score"].max() == 0.8
    after = json.loads((tmp_path / "out/a/card.json").read_text())
    assert after | {"stale": None} == before
    assert all((tmp_path / "out/a" / name).read_bytes() == text for name, text in kept.items())
    for page in ("card.html", "card.md"):
        text = (tmp_path / "out/a" / page).read_text()
        assert "As of 2026-01-31." in text
        assert "<b>'" not in text
    (sentence,) = cards.refused(table, [])
    assert "benchmark 'a': the card and its data as of 2026-01-31 stay in place" in sentence
    make(a=board(0.9), b=board(0.8))
    assert "As of" not in (tmp_path / "out/a/card.html").read_text()
    # A card of an earlier version does not stay.
    path = tmp_path / "out/a/card.json"
    card = json.loads(path.read_text())
    del card["frontier"]
    path.write_text(json.dumps(card))
    with pytest.raises(InputError, match="no number of items"):
        make(a="model,score\nx,0.5\n")


def standing(folder, day, earlier=()):
    """A folder's card of a day, and what a card of the same benchmark says of itself."""
    write_json(SUMMARY | {"observed_on": day}, folder / "summary.json")
    write_json({"earlier_cards": [asdict(one) for one in earlier]}, folder / "card.json")


def before(day, folder):
    return cards.earlier_cards(SimpleNamespace(observed_on=day), folder)


def test_a_card_remembers_those_of_earlier_dates(tmp_path):
    assert before("2025-01-01", tmp_path) == []
    standing(tmp_path, "2025-01-01")
    (first,) = before("2025-02-01", tmp_path)
    assert first == Summary(**SUMMARY | {"observed_on": "2025-01-01"})
    standing(tmp_path, "2025-02-01", [first])
    found = before("2025-03-01", tmp_path)
    assert [one.observed_on for one in found] == ["2025-01-01", "2025-02-01"]
    # The same data again, or older ones, add nothing.
    assert before("2025-02-01", tmp_path) == [first]
    assert before("2024-01-01", tmp_path) == []
    # A card of an earlier version is forgotten; a damaged card is said.
    for text in ("[]", '{"earlier_cards": 3}', "{}"):
        (tmp_path / "card.json").write_text(text)
        (tmp_path / "summary.json").write_text("{}")
        assert before("2026-01-01", tmp_path) == []
    for text in ("{", "[" * 100_000, '{"earlier_cards": [], "x": "\x00'):
        (tmp_path / "card.json").write_text(text)
        with pytest.raises(InputError, match=r"card\.json: not whole JSON .* or remove it"):
            before("2026-01-01", tmp_path)


def test_a_card_that_cannot_be_written_whole_leaves_the_earlier_card(card, tmp_path, monkeypatch):
    made = card([f"m{i},{0.9 - i / 50},500" for i in range(5)])
    cards.write_card(made, tmp_path / "c", TEMPLATES)
    before_fault = (tmp_path / "c/card.json").read_bytes()

    def cut_off(content, path):
        path.write_text("{")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cards, "write_json", cut_off)
    with pytest.raises(OSError, match="No space"):
        cards.write_card(made, tmp_path / "c", TEMPLATES)
    assert (tmp_path / "c/card.json").read_bytes() == before_fault


# Rows, and the header and the family where they are not those of accuracies.
TABLES = {
    "responses": (
        [f"m{i},q{j},{int((7 * j + 3 * i) % 10 < 9 - i)}" for i in range(6) for j in range(60)],
        "model,item,response",
    ),
    "scores": ([f"m{i},0.9,400" for i in range(5)],),
    "ratings": ([f"m{i},{1300 - i},5" for i in range(5)], "model,score,standard_error", "rating"),
    "undetermined": (["a,0.9,400", "b,0.8,400"],),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_card_is_written_with_the_numbers_of_the_schema_and_read_again(card, tmp_path, name):
    whole = card(*TABLES[name])
    write_json(cards.encode_card(whole), tmp_path / "card.json")
    written = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    schema = json.loads((ROOT / "resources/own/numbers.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(written["numbers"], schema)
    assert list(schema["properties"]) == schema["required"]
    assert set(written["numbers"]) == set(schema["properties"])
    again = cards.decode_card(written)
    write_json(cards.encode_card(again), tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "card.json").read_bytes()
    if name == "ratings":  # what is not known is a number again
        assert np.isnan(again.frontier.power.n_items)
    if name == "scores":  # infinite: equal models differ by no number of items
        assert written["numbers"]["items_needed"]["top_two"] is None
        assert written["numbers"]["top_pair"]["discordant_items"] is None
        assert written["numbers"]["tie_group"] == [f"m{i}" for i in range(5)]


def test_numbers_by_hand(card):
    rows, header = TABLES["responses"]
    table = pd.DataFrame([row.split(",") for row in rows], columns=header.split(","))
    solved = table.pivot(index="item", columns="model", values="response").astype(int)
    whole = card(rows, header)
    numbers = cards.numbers(whole)
    assert numbers["dead_items"] == {
        "items": 60,
        "solved_by_all": (solved.sum(axis=1) == 6).sum(),
        "solved_by_none": (solved.sum(axis=1) == 0).sum(),
    }
    pair = numbers["top_pair"]
    first, second = solved[pair["first"]], solved[pair["second"]]
    assert pair["only_first"] == ((first == 1) & (second == 0)).sum() > 0
    assert pair["only_second"] == ((first == 0) & (second == 1)).sum()
    assert pair["discordant_items"] == (first != second).sum()
    assert pair["items"] == numbers["items_needed"]["present"] == 60
    assert pair["difference"] == pytest.approx((first - second).mean())
    assert pair["lower"] < pair["difference"] < pair["upper"]
    ranked = [model["model"] for model in numbers["rank_intervals"]]
    assert ranked[:2] == [pair["first"], pair["second"]]
    assert numbers["headroom"] == {
        "status": whole.frontier.answers.headroom.status,
        "ceiling": 0.9,
        "lower": whole.frontier.answers.headroom.lower,
        "upper": whole.frontier.answers.headroom.upper,
    }


def test_what_a_limit_may_be_set_to_is_measured(card):
    whole = card(*TABLES["responses"])
    right = [sum((7 * j + 3 * i) % 10 < 9 - i for i in range(6)) for j in range(60)]
    power = whole.frontier.power
    assert {name: measure(whole) for name, measure in cards.MEASURES.items()} == {
        "tied": len(whole.frontier.deciding.group),
        "models": 6,
        "items": 60,
        "score": 0.9,
        "detectable": power.minimum_detectable_difference,
        "s_index": whole.frontier.index.s_index,
        "dead_items": right.count(0) + right.count(6),
    }
    assert cards.MEASURES["dead_items"](card(*TABLES["scores"])) is None


def test_the_docs_list_the_names_of_the_schema():
    schema = json.loads((ROOT / "resources/own/numbers.schema.json").read_text(encoding="utf-8"))
    text = (ROOT / "docs/card.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    assert list(rows) == list(schema["properties"])
    for name, part in schema["properties"].items():
        assert part["description"] in rows[name]
        assert re.findall(r"`(\w+)`", rows[name]) == list(part.get("properties", {}))


class TestEveryEvalEver:
    def test_a_record_a_model_that_can_be_read_again(self, card, tmp_path):
        whole = card(*TABLES["responses"])
        path = tmp_path / "every_eval_ever.jsonl"
        records = cards.records(whole)
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        back = registry.load(Origin(path), Choice())
        models = {m.model: m for m in whole.frontier.models}
        assert len(back.scores) == len(models) == 6
        for score in back.scores:
            model = models[score.model]
            assert score.score == pytest.approx(model.score)
            assert score.standard_error == pytest.approx(model.standard_error)
            assert (score.n_items, score.date, score.task) == (60, "2026-01-31", "bench")
            assert (score.minimum, score.maximum, score.higher_is_better) == (0, 1, True)

    def test_details_are_text_and_hold_the_numbers(self, card):
        whole = card(*TABLES["responses"])
        results = [record["evaluation_results"][0] for record in cards.records(whole)]
        first, *others = (result["score_details"]["details"] for result in results)
        assert all(isinstance(value, str) for one in (first, *others) for value in one.values())
        assert first["saturation.verdict"] == whole.verdict
        assert json.loads(first["saturation.best_rank"]) == 1
        pair = json.loads(first["saturation.top_pair"])
        assert pair["discordant_items"] == cards.numbers(whole)["top_pair"]["discordant_items"]

    def test_without_a_range_a_top_or_an_error_less_is_written(self, card):
        assert [cards.records(card(*TABLES[name])) for name in ("ratings", "undetermined")] == [
            []
        ] * 2
        whole = card(*TABLES["scores"])
        models = whole.frontier.models
        models[0] = replace(models[0], standard_error=np.nan, n_items=np.nan)
        first, second = (
            record["evaluation_results"][0]["score_details"]["uncertainty"]
            for record in cards.records(whole)[:2]
        )
        assert first == {}
        assert second["num_samples"] == 400
        assert second["confidence_interval"]["confidence_level"] == 0.95
