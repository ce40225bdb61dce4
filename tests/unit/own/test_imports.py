"""A benchmark's files as two tidy tables, by what the config declares."""

import pytest

from saturation.errors import InputError
from saturation.files import stages
from saturation.files.tables import write_csv
from saturation.leaderboard import names
from saturation.own.imports import read


@pytest.fixture
def file(tmp_path):
    def write(text, name="x.csv"):
        (tmp_path / name).write_text(text)
        return {"path": str(tmp_path / name)}

    return write


ACCURACY = {"family": "accuracy", "score_range": [0, 1]}


def test_scores_and_responses_with_a_record_of_each_file(file):
    files = [
        file("model,score,n_items\na,0.5,10\n", "scores.csv"),
        file("model,q1,q2\nb,1,\n", "matrix.csv"),
    ]
    imports = read("bench", files, ACCURACY | {"synthetic": True})
    assert imports.scores["model"].tolist() == ["a"]
    assert imports.responses["item"].tolist() == ["q1"]
    assert imports.scores["synthetic"].all()
    assert imports.responses["synthetic"].all()
    assert imports.record.scores == imports.record.responses == 1
    assert [(one.format, one.scores, one.responses) for one in imports.record.files] == [
        ("leaderboard", 1, 0),
        ("wide_responses", 0, 1),
    ]
    assert imports.record.files[0].file == files[0]["path"]
    assert imports.record.files[1].notes == ["1 empty cells: items that a model did not answer"]


def test_what_is_declared_of_a_file_and_of_the_benchmark_arrives(file):
    text = "model,score,lower,upper,task\na,20,10,30,t\nb,90,,,u\n"
    declared = {
        "family": "bounded_mean", "score_range": [0, 100], "higher_is_better": False,
        "n_items": 7, "task": "t", "metric": "wer", "interval_level": 0.5,
    }  # fmt: skip
    entry = file(text) | {"configuration": "terse", "date": "2026-01-02"}
    (row,) = read("bench", [entry], declared).scores.to_dict("records")
    assert (row["score"], row["n_items"], row["metric"]) == (0.8, 7, "wer")
    assert (row["configuration"], row["date"]) == ("terse", "2026-01-02")
    assert row["standard_error"] == pytest.approx(0.1 / 0.6744897501960817)
    assert not row["synthetic"]


@pytest.mark.parametrize("family", ["accuracy", "pass_at_k", "rating"])
def test_families_whose_direction_is_known(file, family):
    unit = {} if family == "rating" else {"score_range": [0, 1]}
    table = file("model,score,n_items\na,0.75,10\n")
    imports = read("bench", [table], {"family": family} | unit)
    assert imports.scores["score"].tolist() == [0.75]


@pytest.mark.parametrize("family", ["bounded_mean", "other"])
def test_families_whose_direction_must_be_declared(file, family):
    unit = {} if family == "other" else {"score_range": [0, 1]}
    table = file("model,score,n_items\na,0.75,10\n")
    with pytest.raises(InputError, match="higher_is_better"):
        read("bench", [table], {"family": family} | unit)


def test_a_key_that_is_null_is_not_declared(file):
    nulls = dict.fromkeys(("task", "metric", "filter", "pass_k", "n_items", "higher_is_better"))
    (row,) = read("b", [file("model,score,n_items\na,0.5,10\n")], ACCURACY | nulls).scores.values
    assert row[2] == "score"


def test_a_score_without_any_error_is_refused(file):
    with pytest.raises(InputError, match="has no number of items"):
        read("bench", [file("model,score\na,0.5\n")], ACCURACY)


def test_the_tables_come_back_as_they_were_written(file, tmp_path):
    text = "model,item,response,cluster\n007,1,1,\n008,2,0,c\n"
    imports = read("0815", [file(text)], ACCURACY)
    for name, schema in (("scores", names.SCORES), ("responses", names.RESPONSES)):
        table = getattr(imports, name)
        write_csv(table, tmp_path / "out.csv")
        again = stages.read(tmp_path / "out.csv", schema, dtype=names.text_columns(schema))
        assert list(again.columns) == list(table.columns) == list(schema.columns)
        assert again.to_dict("list") == table.to_dict("list")
    assert again.model.tolist() == ["007", "008"]
    assert again["cluster"].tolist() == ["", "c"]
    assert again["run"].tolist() == ["", ""]
    assert imports.scores.empty
