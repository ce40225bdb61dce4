"""The two input tables: one unit, ages, and a message for everything that can be wrong."""

import numpy as np
import pandas as pd
import pytest

from saturation.errors import MOST_REPORTED, InputError
from saturation.files.stages import read
from saturation.files.tables import write_csv
from saturation.plateau import inputs
from saturation.plateau.schemas import OPTIONAL, PREPARED_BENCHMARKS

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


def test_percent_and_proportions_give_the_same_tables(published, prepared):
    found = prepare(as_proportions(published), score_scale="proportion")
    for table, expected in zip(found, prepared):
        pd.testing.assert_frame_equal(table, expected)
    assert found[1]["score"].between(0, 1).all()


def test_row_order_does_not_matter(published, prepared):
    shuffled = [table.sample(frac=1, random_state=1) for table in published]
    for table, expected in zip(prepare(shuffled), prepared):
        pd.testing.assert_frame_equal(table, expected)


def test_the_tables_that_came_in_are_not_changed(published):
    before = [table.copy() for table in published]
    prepare(published)
    for table, expected in zip(published, before):
        pd.testing.assert_frame_equal(table, expected)


def test_ages_are_days_over_30_44(prepared):
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


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("n_test", None, "the value is missing; expected number of test samples"),
        ("n_test", 0, "value 0 is not allowed; expected number of test samples: a whole number "
                      "of at least 1"),
        ("n_test", -5, "value -5 is not allowed"),
        ("availability", "hidden", "value 'hidden' is not allowed; expected one of: public, "
                                   "private"),
        ("input_format", "poetry", "expected one of: question_answering"),
        ("released", "12 May 2021", "value '12 May 2021' is not allowed; expected the release "
                                    "date as YYYY-MM-DD"),
        ("released", "2021-02-30", "value '2021-02-30' is not allowed"),
        ("released", "2025-12-01", "value '2025-12-01' is in the future; allowed: up to "
                                   "2025-11-30"),
        ("sota_at_release", 120, "value 120 is not allowed"),
    ],
)  # fmt: skip
def test_a_bad_benchmark_is_named_with_what_is_allowed(published, column, value, said):
    tables = (with_cell(published[0], 7, column, value), published[1])
    (line,) = violations(tables)
    assert line.startswith(f"own/benchmarks.csv, row 7, column '{column}': ")
    assert said in line


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("best", "value 'best' is not allowed; expected a number from 0 to 100"),
        (100.5, "value 100.5 is not allowed"),
        (-0.1, "value -0.1 is not allowed"),
        (None, "the value is missing"),
        (0.5, "value 0.5 looks like a proportion, but plateau.score_scale is 'percent'"),
    ],
)
def test_a_bad_score_is_named_with_what_is_allowed(published, value, said):
    (line,) = violations((published[0], with_cell(published[1], 9, "score", value)))
    assert line.startswith("own/scores.csv, row 9, column 'score': ")
    assert said in line


def test_a_percent_among_proportions_is_named(published):
    benchmarks, scores = as_proportions(published)
    (line,) = violations(
        (benchmarks, with_cell(scores, 9, "score", 55.0)), score_scale="proportion"
    )
    assert line.startswith("own/scores.csv, row 9, column 'score': value 55 is out of range")
    assert "'proportion', so 0 to 1 is allowed" in line


def test_a_best_score_at_release_in_another_unit_is_named(published):
    _, scores = as_proportions(published)
    benchmarks = published[0].assign(sota_at_release=np.nan)
    (line,) = violations(
        (with_cell(benchmarks, 4, "sota_at_release", 72.6), scores), score_scale="proportion"
    )
    assert line.startswith("own/benchmarks.csv, row 4, column 'sota_at_release': value 72.6")


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


@pytest.mark.parametrize("column", ["benchmark_id", "n_test", "released", "templated"])
def test_a_missing_column_is_named(published, column):
    (line,) = violations((published[0].drop(columns=column), published[1]))
    assert line.startswith(f"own/benchmarks.csv: column '{column}' is missing; the file has: ")


@pytest.mark.parametrize("column", ["benchmark_id", "rank", "score"])
def test_a_missing_column_of_the_scores_is_named(published, column):
    (line,) = violations((published[0], published[1].drop(columns=column)))
    assert line.startswith(f"own/scores.csv: column '{column}' is missing; the file has: ")


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


def test_scores_of_an_unknown_benchmark_are_named(published):
    lines = violations((published[0], with_cell(published[1], 4, "benchmark_id", "maths")))
    assert lines[0] == (
        "own/scores.csv, row 4, column 'benchmark_id': value 'maths' is not in own/benchmarks.csv"
    )


def test_a_table_without_rows_is_named(published):
    assert violations((published[0].head(0), published[1])) == [
        "own/benchmarks.csv: the table has no rows; at least one is needed"
    ]


def test_several_violations_are_said_at_once(published):
    benchmarks = with_cell(published[0], 3, "n_test", 0)
    benchmarks = with_cell(benchmarks, 5, "availability", "hidden")
    benchmarks = with_cell(benchmarks, 8, "released", "soon")
    lines = violations((benchmarks, published[1]))
    places = [(3, "n_test"), (5, "availability"), (8, "released")]
    assert sorted(line.split(":")[0] for line in lines) == [
        f"own/benchmarks.csv, row {row}, column '{column}'" for row, column in places
    ]


def test_what_is_wrong_in_each_table_is_said_for_both(published):
    benchmarks, scores = (table.copy() for table in published)
    benchmarks["n_test"] = -1
    scores["score"] = 1e6
    with pytest.raises(InputError) as raised:
        prepare((benchmarks, scores))
    said = "\n".join(raised.value.violations)
    assert "column 'n_test'" in said
    assert "column 'score'" in said


def test_violations_between_the_tables_are_said_at_once(published):
    benchmarks = with_cell(published[0], 3, "released", "2030-01-01")
    scores = with_cell(published[1], 2, "score", 0.99).drop(index=[299])
    lines = violations((benchmarks, scores))
    assert len(lines) == 3
    for part in ("in the future", "looks like a proportion", "has 4 scores"):
        assert sum(part in line for line in lines) == 1


def test_a_table_without_optional_columns_is_prepared_as_the_stages_read_it(published, tmp_path):
    benchmarks, scores = published
    found, _ = prepare((benchmarks.drop(columns=OPTIONAL), scores))
    write_csv(found, tmp_path / "benchmarks.csv")
    read_again = read(tmp_path / "benchmarks.csv", PREPARED_BENCHMARKS)
    assert read_again[OPTIONAL].isna().all(axis=None)
