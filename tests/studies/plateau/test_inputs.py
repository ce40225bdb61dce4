"""The two input tables and the published sheet: one unit, ages, and what can be wrong."""

import pandas as pd
import pytest

from saturation.errors import MOST_REPORTED, InputError
from saturation.files.schema import validate
from saturation.files.stages import read
from saturation.files.tables import write_csv
from studies.plateau import inputs, schemas, sources
from studies.plateau.schemas import OPTIONAL, PREPARED_BENCHMARKS

FILES = ("own/benchmarks.csv", "own/scores.csv")
DECLARED = {"score_scale": "percent", "observed_on": "2025-11-01", "at_least": 5, "files": FILES}


def prepare(tables, **options):
    return inputs.prepare(*tables, **(DECLARED | options))


def violations(tables, **options):
    with pytest.raises(InputError) as caught:
        prepare(tables, **options)
    return caught.value.violations


def with_cell(table, row, column, value):
    """The table with one cell changed; `row` as an editor counts lines."""
    changed = table.astype({column: object})
    changed.loc[row - 2, column] = value
    return changed


def as_proportions(published):
    benchmarks, scores = published
    return (
        benchmarks.assign(sota_at_release=benchmarks["sota_at_release"] / 100),
        scores.assign(score=scores["score"] / 100),
    )


def test_percent_and_proportions_in_any_order_give_the_same_tables(published, prepared):
    shuffled = [table.sample(frac=1, random_state=1) for table in as_proportions(published)]
    found = prepare(shuffled, score_scale="proportion")
    for table, expected in zip(found, prepared):
        pd.testing.assert_frame_equal(table, expected)
    assert found[1]["score"].between(0, 1).all()
    # Ages are days over 30.44.
    months = prepared[0].set_index("benchmark_id")["months_at_observation"]
    assert months["math_500"] == pytest.approx(1702 / 30.44)  # 2021-03-05 to 2025-11-01


def test_flagged_benchmarks_are_left_out_with_their_scores(published):
    benchmarks, scores = prepare(published, exclude_flags=["n_not_test_set", "duplicate_model"])
    flags = published[0].set_index("benchmark_id")["flags"].fillna("")
    unwanted = flags.str.contains("n_not_test_set") | flags.str.contains("duplicate_model")
    assert 0 < unwanted.sum() < 60
    assert benchmarks["benchmark_id"].tolist() == sorted(flags.index[~unwanted])
    assert set(scores["benchmark_id"]) == set(benchmarks["benchmark_id"])


def test_flags_that_leave_nothing_are_named(published):
    tables = (published[0].assign(flags="duplicate_model"), published[1])
    (line,) = violations(tables, exclude_flags=["duplicate_model"])
    assert line.startswith("own/benchmarks.csv: plateau.exclude_flags ['duplicate_model'] leaves")


# Table, column, value of one cell, and what is said of it.
BAD_CELLS = [
    ("benchmarks", "benchmark_id", "Math 500", "expected a unique name of lower-case letters"),
    ("benchmarks", "name", None, "the value is missing; expected the benchmark's name"),
    ("benchmarks", "n_test", None, "the value is missing; expected number of test samples"),
    ("benchmarks", "n_test", 0, "value 0 is not allowed; expected number of test samples: a whole "
                                "number of at least 1"),
    ("benchmarks", "n_test", 1.5, "value 1.5 is not allowed"),
    ("benchmarks", "n_test", "many", "value 'many' is not allowed"),
    ("benchmarks", "citations", "lots", "expected citation count, or empty"),
    ("benchmarks", "availability", "hidden", "expected one of: public, private"),
    ("benchmarks", "input_format", "poetry", "expected one of: question_answering"),
    ("benchmarks", "output_format", "audio", "expected one of: multiple_choice, free_form, both"),
    ("benchmarks", "english_only", "no", "value 'no' is not allowed; expected true or false"),
    ("benchmarks", "templated", None, "the value is missing; expected true or false"),
    ("benchmarks", "flags", "duplicate_model;odd", "out of: duplicate_model"),
    ("benchmarks", "released", "12 May 2021", "expected the release date as YYYY-MM-DD"),
    ("benchmarks", "released", "2021-02-30", "value '2021-02-30' is not allowed"),
    ("benchmarks", "released", "2025-12-01", "is in the future; allowed: up to 2025-11-30"),
    ("benchmarks", "sota_at_release", 120, "value 120 is not allowed"),
    ("scores", "score", "best", "value 'best' is not allowed; expected a number from 0 to 100"),
    ("scores", "score", 100.5, "value 100.5 is not allowed"),
    ("scores", "score", -0.1, "value -0.1 is not allowed"),
    ("scores", "score", None, "the value is missing"),
    ("scores", "score", 0.5, "looks like a proportion, but plateau.score_scale is 'percent'"),
    ("scores", "score", 1.0, "looks like a proportion"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "column", "value", "said"), BAD_CELLS)
def test_a_bad_cell_is_named_with_what_is_allowed(published, name, column, value, said):
    place = ("benchmarks", "scores").index(name)
    tables = list(published)
    tables[place] = with_cell(tables[place], 7, column, value)
    (line,) = violations(tables)
    assert line.startswith(f"own/{name}.csv, row 7, column '{column}': ")
    assert said in line


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [("scores", "score", 55.0), ("benchmarks", "sota_at_release", 72.6)],
)
def test_a_percent_among_proportions_is_named(published, name, column, value):
    place = ("benchmarks", "scores").index(name)
    tables = list(as_proportions(published))
    tables[place] = with_cell(tables[place], 9, column, value)
    (line,) = violations(tables, score_scale="proportion")
    assert line.startswith(f"own/{name}.csv, row 9, column '{column}': value {value:g}")


def test_a_missing_column_is_named(published):
    (line,) = violations((published[0].drop(columns="n_test"), published[1]))
    assert line.startswith("own/benchmarks.csv: column 'n_test' is missing; the file has: ")


def test_a_release_up_to_the_end_of_the_month_of_observation_is_allowed(published):
    prepare((with_cell(published[0], 7, "released", "2025-11-30"), published[1]))


def test_a_rank_stands_once_for_each_benchmark(published):
    said = (
        "the combination of benchmark_id math_500, rank 1 is a duplicate; each may stand only once"
    )
    assert violations((published[0], with_cell(published[1], 3, "rank", 1))) == [
        f"own/scores.csv, row {row}: {said}" for row in (2, 3)
    ]


def test_the_embedded_tables_hold_sixty_benchmarks_with_five_scores_each(published):
    benchmarks, scores = published
    assert len(validate(benchmarks, schemas.BENCHMARKS, "benchmarks.csv")) == 60
    assert len(validate(scores, schemas.TOP_SCORES, "top_scores.csv")) == 300
    counts = scores["benchmark_id"].value_counts()
    assert counts.to_dict() == dict.fromkeys(benchmarks["benchmark_id"], 5)


def test_a_table_in_another_unit_than_declared_is_refused(published):
    for tables, scale, said in (
        (published, "proportion", "out of range"),
        (as_proportions(published), "percent", "looks like a proportion"),
    ):
        *first, last = violations(tables, score_scale=scale)
        assert len(first) == MOST_REPORTED
        assert all(said in line for line in first)
        assert last.endswith("more violations")


def test_low_scores_in_percent_are_not_taken_for_proportions(published):
    benchmarks, scores = published
    first = scores["benchmark_id"] == "math_500"
    scores = scores.assign(score=scores["score"].mask(first, [8, 4, 2, 1, 0.5] * 60))
    _, found = prepare((benchmarks, scores))
    assert found.loc[found["benchmark_id"] == "math_500", "score"].tolist() == pytest.approx(
        [0.08, 0.04, 0.02, 0.01, 0.005]
    )


def test_both_rows_of_a_duplicate_are_named(published):
    lines = violations((with_cell(published[0], 7, "benchmark_id", "math_500"), published[1]))
    said = "column 'benchmark_id': value 'math_500' is a duplicate; each may stand only once"
    assert lines == [f"own/benchmarks.csv, row {row}, {said}" for row in (2, 7)]


def test_too_few_scores_are_counted(published):
    benchmarks, scores = published
    (line,) = violations((benchmarks, scores.drop(index=[0, 1])))
    assert line.startswith("own/benchmarks.csv, row 2, column 'benchmark_id': 'math_500' has 3 ")
    assert "at least 5 are needed" in line
    assert violations(published, at_least=6)[-1] == "and 40 more violations"


def test_violations_between_the_tables_are_said_at_once(published):
    benchmarks = with_cell(published[0], 3, "released", "2030-01-01")
    scores = with_cell(published[1], 2, "score", 0.99)
    scores = with_cell(scores, 301, "benchmark_id", "maths")
    lines = violations((benchmarks, scores))
    assert len(lines) == 4
    unknown = "own/scores.csv, row 301, column 'benchmark_id': value 'maths' is not in own/benchm"
    for part in ("in the future", "looks like a proportion", "has 4 scores", unknown):
        assert sum(part in line for line in lines) == 1


def test_a_table_without_optional_columns_is_prepared_as_the_stages_read_it(published, tmp_path):
    benchmarks, scores = published
    found, _ = prepare((benchmarks.drop(columns=OPTIONAL), scores))
    write_csv(found, tmp_path / "benchmarks.csv")
    read_again = read(tmp_path / "benchmarks.csv", PREPARED_BENCHMARKS)
    assert read_again[OPTIONAL].isna().all(axis=None)


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


def read_row(**cells):
    frame = pd.DataFrame([{**ROW, **cells}])
    benchmarks, top_scores = sources.parse_source(frame)
    return benchmarks.iloc[0], top_scores


def test_a_row_becomes_tidy_cells():
    row, _ = read_row()
    expected = {
        "released": "2021-03-05",
        "n_test": 12032,
        "output_format": "both",
        "input_format": "question_answering",
        "curated_by_experts": True,
        "generated_by_llm": True,
        "curated_by_crowd": False,
        "issue_mislabelling": True,
        "issue_none_known": False,
        "sota_at_release": 79.0,
        "sota_model_at_release": "Sarvam-M (24B)",
        "score_sources": "arxiv.org;vals.ai",
    }
    assert row[list(expected)].to_dict() == expected
    assert row[["citations", "flags"]].isna().all()


@pytest.mark.parametrize(
    ("note", "mentioned"), [(None, False), ("varied", False), ("Not Template-generated", True)]
)
def test_the_word_template_in_the_notes_is_found_also_where_it_is_denied(note, mentioned):
    row, _ = read_row(**{"Literal diversity Notes": note})
    assert row["template_in_notes"] == mentioned


def test_scores_come_from_their_columns_and_names_from_the_list():
    _, top_scores = read_row()
    assert top_scores["model"].tolist() == ["A", "B-1", "C (x)", "D", "gpt 5"]
    assert top_scores["score"].tolist() == [99.2, 99, 98.3, 98.2, 98.2]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("English", ["english", 1, True]),
        ("Chinese", ["chinese", 1, False]),
        ("Python, English", ["english;python", 2, False]),
        ("English; Spanish", ["english;spanish", 2, False]),
        ("14 languages", [None, 14, False]),
        ("19 Programming languages", [None, 19, False]),
        ("Multilingual", [None, None, False]),
    ],
)
def test_languages(cell, expected):
    row, _ = read_row(**{"Languages included": cell})
    found = row[["languages", "n_languages", "english_only"]]
    assert [None if pd.isna(value) else value for value in found] == expected


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
    row, _ = read_row(**cells)
    assert row["flags"] == flag


def test_a_missing_column_of_the_sheet_is_named():
    with pytest.raises(InputError, match="column 'Metric' is missing"):
        sources.parse_source(pd.DataFrame([ROW]).drop(columns="Metric"))


def test_what_is_assigned_by_hand_is_not_compared():
    benchmarks = pd.DataFrame(
        {"benchmark_id": ["a", "b"], "name": ["A", "B"], "source_id": [1, 2],
         "flags": ["n_not_test_set;duplicate_model", None]}
    )  # fmt: skip
    top_scores = pd.DataFrame({"benchmark_id": ["b", "a"], "rank": [1, 1], "score": [50.0, 60.0]})
    facts, scores = sources.stated(benchmarks, top_scores)
    assert facts.to_dict("list") == {"source_id": [1, 2], "flags": ["duplicate_model", ""]}
    assert scores.to_dict("list") == {"rank": [1, 1], "score": [50.0, 60.0], "source_id": [2, 1]}


@pytest.mark.parametrize(
    ("cell", "score", "model"),
    [("N/A", None, None), ("", None, None), ("38.8 (GPT 4)", 38.8, "GPT 4"), ("12", 12.0, None),
     ("(GPT 4)", None, "GPT 4"), ("38.8 % GPT 4", 38.8, "GPT 4")],
)  # fmt: skip
def test_the_best_score_at_release(cell, score, model):
    row, _ = read_row(**{"SOTA Performance at release": cell})
    found = [row["sota_at_release"], row["sota_model_at_release"]]
    assert [None if pd.isna(value) else value for value in found] == [score, model]
