"""All cards of a config, their table, and the verdicts that a user does not accept."""

import json
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.own import cards, outlook

TEMPLATES = {
    name: (Path(__file__).parents[3] / f"workflow/templates/{file}.j2").read_text()
    for name, file in cards.PAGES.items()
}
ROOT = Path(__file__).parents[3]
LESSONS = outlook.lessons(*(ROOT / f"resources/forecast/{t}.csv" for t in ("shared", "accuracy")))
DECLARED = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-31"}

SUMMARY = {
    "benchmark": "a", "verdict": "saturated", "reason": "alike_at_the_ceiling", "p_saturated": 0.5,
    "s_index": 0.8, "observed_on": "2026-01-01", "n_models": 5, "n_items": 100,
    "tied_at_top": 3, "synthetic": False, "stale": None,
}  # fmt: skip
UNKNOWN = SUMMARY | {
    "benchmark": "b", "verdict": "undetermined", "reason": "too_few_models", "p_saturated": None,
    "s_index": None, "n_items": None, "tied_at_top": None,
}  # fmt: skip


def test_one_row_a_card_missing_values_allowed():
    table = cards.table([SUMMARY, UNKNOWN])
    assert table["benchmark"].tolist() == ["a", "b"]
    assert table.loc[0].drop("stale").to_dict() == {
        key: value for key, value in SUMMARY.items() if key != "stale"
    }
    assert table.loc[1].isna().sum() == 5


@pytest.mark.parametrize(
    ("column", "value"),
    [("verdict", "fine"), ("reason", "because"), ("p_saturated", 1.1), ("tied_at_top", 0)],
)
def test_a_summary_that_no_card_gives_is_refused(column, value):
    with pytest.raises(InputError, match=f"cards, row 2, column '{column}'"):
        cards.table([SUMMARY | {column: value}])


def test_without_cards_it_says_what_to_do():
    with pytest.raises(InputError, match=r"own\.benchmarks is empty.*config/own\.yaml"):
        cards.table([])


def test_only_the_named_verdicts_are_refused():
    table = cards.table([SUMMARY, UNKNOWN])
    assert cards.refused(table, ["saturated", "stagnated"]) == [
        "benchmark 'a': the verdict is saturated (alike_at_the_ceiling), which own.fail_on names"
    ]
    assert cards.refused(table, []) == []


@pytest.fixture
def make(tmp_path, default_settings):
    """Make cards of tables given as text, by benchmark, and the table of their summaries."""

    def made(**texts):
        files = {}
        for name, text in texts.items():
            (tmp_path / f"{name}.csv").write_text(text)
            files[name] = [{"path": tmp_path / f"{name}.csv"}]
        benchmarks = dict.fromkeys(texts, DECLARED)
        folder_of_all = tmp_path / "out"
        cards.make(benchmarks, files, folder_of_all, default_settings, TEMPLATES, LESSONS, 0)
        lines = [(folder_of_all / name / "summary.json").read_text() for name in texts]
        return cards.table([json.loads(line) for line in lines])

    return made


def board(best):
    rows = "".join(f"m{i},{best - i / 50:.2f},500\n" for i in range(5))
    return f"model,score,n_items\n{rows}"


def test_every_benchmark_has_its_folder(make, tmp_path):
    table = make(a=board(0.9), b=board(0.8))
    assert table["benchmark"].tolist() == ["a", "b"]
    assert table["stale"].isna().all()
    names = {"card.html", "card.md", "badge.svg", "card.json", "summary.json", "scores.csv",
             "responses.parquet", "imports.json", "every_eval_ever.jsonl"}  # fmt: skip
    assert {path.name for path in (tmp_path / "out/b").iterdir()} == names
    assert pd.read_csv(tmp_path / "out/b/scores.csv")["score"].max() == 0.8
    assert "responses" not in pd.read_parquet(tmp_path / "out/b/responses.parquet")


def test_without_an_earlier_card_all_that_is_wrong_is_said(make):
    with pytest.raises(InputError) as error:
        make(a=board(9), b=board(0.8), c="model,score\nx,0.5\n")
    assert len(error.value.violations) > 2
    assert "a.csv" in error.value.violations[0]
    assert "the score of model 'x' has no number of items" in error.value.violations[-1]


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


def test_a_card_of_an_earlier_version_does_not_stand(make, tmp_path):
    make(a=board(0.9))
    path = tmp_path / "out/a/card.json"
    card = json.loads(path.read_text())
    del card["frontier"]
    path.write_text(json.dumps(card))
    with pytest.raises(InputError, match="no number of items"):
        make(a="model,score\nx,0.5\n")
