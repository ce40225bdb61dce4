"""`saturation subset` and `saturation score` from the command line, end to end."""

import json

import numpy as np
import pandas as pd
import pytest

from saturation import cli
from validation import subset as simulation

ITEMS = [f"i{number}" for number in range(simulation.ITEMS)]


@pytest.fixture
def files(tmp_path):
    """Answers of eight families, who belongs to which, and answers of a ninth family's model."""
    cells = simulation.answered(np.random.default_rng(8), simulation.topics, 0.0)
    table = pd.DataFrame(cells, columns=ITEMS)
    table.insert(0, "model", [f"m{row}" for row in range(len(cells))])
    table[:48].to_csv(tmp_path / "bank.csv", index=False)
    people = pd.DataFrame({"respondent": table["model"], "model": table["model"],
                           "family": simulation.FAMILY.astype(str), "checkpoint": 1})  # fmt: skip
    people.to_csv(tmp_path / "people.csv", index=False)
    table[48:49].to_csv(tmp_path / "new.csv", index=False)
    return tmp_path, cells[48].mean()


def run(capsys, *words):
    code = cli.main([str(word) for word in words])
    return (code, *capsys.readouterr())


def test_a_subset_is_made_and_a_new_model_scored(files, capsys, monkeypatch):
    folder, true = files
    monkeypatch.chdir(folder)
    code, text, errors = run(
        capsys, "subset", "bank.csv", "--size", 30, "--respondents", "people.csv"
    )
    assert (code, errors) == (0, "")
    first, second, third, doubt, last = text.splitlines()
    assert first == "30 of the 300 items of bank (90% saved)"
    assert second.startswith("error of the predicted share right: 0.0")
    assert "families left out (8 families, 48 models); of 30 random items: 0.0" in second
    assert "times what the item response model says" in third
    assert doubt.startswith("the item response model is rejected: ")
    assert doubt.endswith(". Believe these errors, which do not rest on it, and no others")
    assert last == "written to subset_bank_30: items.csv and scorer.json"
    chosen = pd.read_csv("subset_bank_30/items.csv")["item"]
    pd.read_csv("new.csv")[["model", *chosen]].to_csv("some.csv", index=False)
    scorer = "subset_bank_30/scorer.json"
    code, text, errors = run(capsys, "score", scorer, "some.csv", "--output", "s.json")
    assert (code, errors) == (0, "")
    assert text.startswith("m48: 0.")
    assert "from 30 answers" in text
    assert "the item response model is rejected: " in text
    saved = json.loads((folder / "s.json").read_text())["m48"]
    assert saved["lower"] < true < saved["upper"]
    # All answers there are give the same: the rest is left out.
    assert run(capsys, "score", scorer, "new.csv")[1] == text


def test_models_that_are_each_a_family_are_a_warning(files, capsys):
    folder, _ = files
    out = folder / "out"
    code, text, _ = run(capsys, "subset", folder / "bank.csv", "--size", 100, "--output", out)
    assert code == 0
    assert "each model counts as a family of its own" in text
    assert (out / "scorer.json").is_file()


def test_what_cannot_be_written_or_read_is_a_sentence(files, capsys):
    folder, _ = files
    words = ("subset", folder / "bank.csv", "--size", 30, "--respondents", folder / "people.csv")
    code, _, errors = run(capsys, *words, "--output", folder / "bank.csv")
    assert (code, "cannot be written there" in errors) == (1, True)
    code, _, errors = run(capsys, *words[:3], 300)
    assert (code, "300 items; expected 5 to 299" in errors) == (1, True)
    run(capsys, *words, "--output", folder / "out")
    score = ("score", folder / "out/scorer.json", folder / "new.csv", "--output")
    code, _, errors = run(capsys, *score, folder / "bank.csv/s.json")
    assert (code, "cannot be written there" in errors) == (1, True)


def test_guessing_is_used_and_said_by_every_command(tmp_path, capsys):
    cells = simulation.answered(np.random.default_rng(8), simulation.none, 0.25)
    table = pd.DataFrame(cells, columns=ITEMS)
    table.insert(0, "model", [f"m{row}" for row in range(len(cells))])
    table[:48].to_csv(tmp_path / "bank.csv", index=False)
    table[48:49].to_csv(tmp_path / "new.csv", index=False)
    people = pd.DataFrame({"respondent": table["model"], "model": table["model"],
                           "family": simulation.FAMILY.astype(str), "checkpoint": 1})  # fmt: skip
    people[:48].to_csv(tmp_path / "people.csv", index=False)
    bank = (tmp_path / "bank.csv", "--respondents", tmp_path / "people.csv")
    said = "right answers are guessed with a chance of 0.2"
    code, text, _ = run(capsys, "subset", *bank, "--size", 30, "--output", tmp_path / "out")
    assert code == 0
    assert said in text
    saved = json.loads((tmp_path / "out/scorer.json").read_text())
    assert saved["version"] == 3
    assert 0.2 < saved["floor"]["value"] < 0.3
    code, text, _ = run(capsys, "score", tmp_path / "out/scorer.json", tmp_path / "new.csv")
    assert code == 0
    assert said in text
    asked = ("--hold-out", "m3", "--length", 30, "--batch", 10, "--output", tmp_path / "a.json")
    code, text, _ = run(capsys, "adapt", *bank, *asked)
    assert code == 0
    assert said in text
    assert 0.2 < json.loads((tmp_path / "a.json").read_text())["floor"] < 0.3
