"""The reading of the published sheet."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.plateau import inputs

ROW = {
    "ID": "7",
    "Name": "A benchmark",
    "Released Date": "3/5/2021",
    "top5_models_extracted": "A: 99.2; B-1: 99;\nC (x) 98.3;\n D:  98.2; gpt 5: 98.2",
    "top model 1": "99.2",
    "top model 2": "99",
    "top model 3": "98.3",
    "top model 4": "98.2",
    "top model 5": "98.2",
    "Recent Models Evaluated (Yes / No)": "Yes",
    "Time since benchmark release (in months)": "57",
    "SOTA Performance at release": "79.0 (Sarvam-M (24B))",
    "Dataset-related issues": "Contamination, Mislabeling",
    "Task Input": "QA (MCQ)",
    "Task Output Format": "MCQ, Free-form",
    "Dataset curation tags": "Expert human created, LLM generated",
    "Languages included": "English",
    "Quantity of test samples": "12,032",
    "Paper Citations": "N/A (blog post)",
    "Publically v/s Privately available": "Public",
    "Literal diversity": "No",
    "Literal diversity Notes": None,
    "Metric": "Accuracy",
    "Saturation Time Metadata\n(Top-Performing five Models: Performance and Rankings) ": (
        "o3: 99.2\n\nsource: https://www.vals.ai/benchmarks/x (http://arxiv.org) https://Vals.ai/y"
    ),
}


def read(**cells):
    frame = pd.DataFrame([{**ROW, **cells}])
    benchmarks, top_scores = inputs.from_source(frame)
    return benchmarks.iloc[0], top_scores


def test_a_row_becomes_tidy_cells():
    row, _ = read()
    assert row["released"] == "2021-03-05"
    assert row["n_test"] == 12032
    assert pd.isna(row["citations"])
    assert row["output_format"] == "both"
    assert row["input_format"] == "question_answering"
    assert row["curated_by_experts"]
    assert row["generated_by_llm"]
    assert not row["curated_by_crowd"]
    assert row["issue_mislabelling"]
    assert not row["issue_none_known"]
    assert (row["sota_at_release"], row["sota_model_at_release"]) == (79.0, "Sarvam-M (24B)")
    assert row["score_sources"] == "arxiv.org;vals.ai"
    assert pd.isna(row["flags"])


def test_a_cell_without_a_link_has_no_source():
    row, _ = read(**{inputs._SOURCES: "o3: 99.2"})
    assert pd.isna(row["score_sources"])


@pytest.mark.parametrize(
    ("note", "mentioned"), [(None, False), ("varied", False), ("Not Template-generated", True)]
)
def test_the_word_template_in_the_notes_is_found_also_where_it_is_denied(note, mentioned):
    row, _ = read(**{"Literal diversity Notes": note})
    assert row["template_in_notes"] == mentioned


def test_scores_come_from_their_columns_and_names_from_the_list():
    _, top_scores = read()
    assert top_scores["model"].tolist() == ["A", "B-1", "C (x)", "D", "gpt 5"]
    assert top_scores["score"].tolist() == [99.2, 99, 98.3, 98.2, 98.2]


def test_unnamed_rows_are_left_out():
    frame = pd.DataFrame([ROW, dict.fromkeys(ROW, None) | {"ID": "1512"}])
    benchmarks, top_scores = inputs.from_source(frame)
    assert len(benchmarks) == 1
    assert len(top_scores) == 5


@pytest.mark.parametrize(
    ("cell", "languages", "number", "english_only"),
    [
        ("English", "english", 1, True),
        ("Chinese", "chinese", 1, False),
        ("Python, English", "english;python", 2, False),
        ("English; Spanish", "english;spanish", 2, False),
        ("14 languages", None, 14, False),
        ("19 Programming languages", None, 19, False),
        ("Multilingual", None, None, False),
    ],
)
def test_languages(cell, languages, number, english_only):
    row, _ = read(**{"Languages included": cell})
    assert (row["languages"] if pd.notna(row["languages"]) else None) == languages
    assert (row["n_languages"] if pd.notna(row["n_languages"]) else None) == number
    assert row["english_only"] == english_only


@pytest.mark.parametrize(
    ("cells", "flag"),
    [
        ({"top5_models_extracted": "A: 1; A: 2; C: 3; D: 4; E: 5"}, "duplicate_model"),
        ({"top model 4": "81.1", "top model 5": "81.5"}, "scores_not_in_order"),
        ({"top5_models_extracted": "A: 1; B: 2; C: 3; D: 4"}, "fifth_score_repeated"),
        ({"Metric": "pass$k"}, "metric_not_accuracy"),
    ],
)
def test_oddities_are_flagged(cells, flag):
    row, _ = read(**cells)
    assert row["flags"] == flag


def test_a_cell_outside_the_vocabulary_is_named():
    with pytest.raises(InputError, match=r"ID 7, column 'Task Output Format': 'Audio'"):
        read(**{"Task Output Format": "Audio"})


def test_a_missing_column_is_named():
    with pytest.raises(InputError, match="column 'Metric' is missing"):
        inputs.from_source(pd.DataFrame([ROW]).drop(columns="Metric"))


def test_what_is_assigned_by_hand_is_not_compared():
    benchmarks = pd.DataFrame(
        {"benchmark_id": ["a", "b"], "name": ["A", "B"], "source_id": [1, 2],
         "flags": ["n_not_test_set;duplicate_model", None]}
    )  # fmt: skip
    top_scores = pd.DataFrame({"benchmark_id": ["b", "a"], "rank": [1, 1], "score": [50.0, 60.0]})
    facts, scores = inputs.stated(benchmarks, top_scores)
    assert facts.to_dict("list") == {"source_id": [1, 2], "flags": ["duplicate_model", ""]}
    assert scores.to_dict("list") == {"rank": [1, 1], "score": [50.0, 60.0], "source_id": [2, 1]}


@pytest.mark.parametrize(
    ("cell", "score", "model"),
    [("N/A", None, None), ("", None, None), ("38.8 (GPT 4)", 38.8, "GPT 4"), ("12", 12.0, None),
     ("(GPT 4)", None, "GPT 4"), ("38.8 % GPT 4", 38.8, "GPT 4")],
)  # fmt: skip
def test_the_best_score_at_release(cell, score, model):
    row, _ = read(**{"SOTA Performance at release": cell})
    found = [row["sota_at_release"], row["sota_model_at_release"]]
    assert [None if pd.isna(value) else value for value in found] == [score, model]


def test_a_list_of_models_that_cannot_be_read_is_named():
    with pytest.raises(InputError, match="a model's name and its score"):
        read(top5_models_extracted="A: 99; ???")
