"""Files of kinds that people publish, each with the right reading written down by hand."""

import csv
import json
import time
from pathlib import Path

import pytest

from saturation.leaderboard.read import cells, registry, roles, sheets
from saturation.own import imports

FOLDER = Path(__file__).parent
with (FOLDER / "corpus.csv").open(encoding="utf-8") as file:
    CORPUS = list(csv.DictReader(file, delimiter=";"))


@pytest.mark.parametrize("row", CORPUS, ids=[row["file"] for row in CORPUS])
def test_a_file_is_read_as_meant_or_asks_for_what_is_open(row):
    files = [{"path": str(FOLDER / "corpus" / row["file"])}]
    proposed = imports.settle(files, {}).questions.answers
    assert sorted(proposed) == sorted(row["asks"].split())
    answers = {**proposed, **json.loads(row["answers"])}
    given = {key: value for key, value in answers.items() if value is not None}
    entry = imports.conclude(imports.load(files, given), given)
    tables = imports.join_tables("x", entry.contents, entry.declared)
    if tables.scores.empty:
        means = tables.responses.groupby("model", observed=True)["response"].mean()
    else:
        means = tables.scores.groupby("model")["score"].mean()
        assert set(tables.scores["n_items"]) == {float(row["n"])}
    assert (means.idxmax(), len(means)) == (row["leader"], int(row["models"]))
    assert means.max() == pytest.approx(float(row["share"]), abs=0.0006)


def test_a_rate_of_errors_is_no_accuracy_and_words_of_a_task_decide_nothing():
    file = {"path": str(FOLDER / "corpus/20_error_rate_ceiling.csv")}
    entry = imports.conclude(imports.load([file], {}), {})
    assert entry.declared["family"] == "bounded_mean"
    from saturation.leaderboard.read.columns import direction_of

    assert direction_of("ToxicConversationsClassification", is_task=True) is not False
    assert [direction_of(name) for name in ("AMI WER", "Hallucination Rate", "x ↓")] == [False] * 3
    assert direction_of("Average") is None


HOSTILE = {
    "spaces": "5" + " " * 6000 + "x",
    "digits": "1" * 6000 + "x",
    "intervals": "5 [" + "1," * 3000,
    "thousands": "1,000" * 1200 + "x",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_cell_is_read_in_a_time_that_is_linear_in_its_length(name):
    started = time.process_time()
    assert cells.value(HOSTILE[name]) == HOSTILE[name]
    assert time.process_time() - started < 1


def test_long_texts_and_wide_headers_take_no_time(tmp_path):
    started = time.process_time()
    assert registry._YAML.match("\n" * 5000 + "x") is None
    assert not sheets.is_markdown("|" + " " * 50_000 + "x\n|" + "-" * 50_000 + "x")
    names = ["model", *(f"t{place}" for place in range(10_000))]
    sheet = sheets._sheet(names, [(2, ["a", *["0.5"] * 10_000]), (3, ["b", *["0.25"] * 10_000])])
    board = roles.layout(sheet)
    assert len(board.scores) == 10_000
    assert time.process_time() - started < 20
