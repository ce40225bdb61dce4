"""What files say of their benchmark where nobody declares it."""

import os

import pytest

from saturation.errors import InputError
from saturation.leaderboard.read.rows import Imported, Response, Score
from saturation.own import imports
from saturation.own.imports import load


def scores(*values, metric="acc", file="x.csv", **more):
    return file, Imported(
        scores=[Score(f"m{i}", value, metric, **more) for i, value in enumerate(values)]
    )


def responses(*values, file="x.csv", **more):
    return file, Imported(
        responses=[Response("m", f"q{i}", value) for i, value in enumerate(values)], **more
    )


@pytest.mark.parametrize(
    ("metric", "family"),
    [("acc", "accuracy"), ("acc_norm", "accuracy"), ("Accuracy", "accuracy"), ("em", "accuracy"),
     ("exact_match", "accuracy"), ("resolved", "accuracy"), ("prompt_level_strict_acc", "accuracy"),
     ("pass@1", "pass_at_k"), ("f1", "bounded_mean"), ("F1_score", "bounded_mean"),
     ("mc2", "bounded_mean"), ("length_controlled_winrate", "bounded_mean"),
     ("elo", "rating"), ("arena_rating", "rating")],
)  # fmt: skip
def test_the_family_follows_from_the_metric_s_name(metric, family):
    assert imports.family([scores(0.5, metric=metric)]) == family


@pytest.mark.parametrize(
    "files",
    [[scores(0.5, metric="score")], [scores(0.5), scores(0.5, metric="f1")],
     [scores(0.5, metric="perplexity")]],
)  # fmt: skip
def test_a_family_that_does_not_follow_is_asked_for(files):
    with pytest.raises(InputError, match="say it with the key 'family'"):
        imports.family(files)


@pytest.mark.parametrize("called", ["Accuracy", "accuracy (%)", "ACC in %"])
def test_the_column_s_own_name_tells_the_family(called):
    assert imports.family([scores(0.9, metric="score")], called) == "accuracy"
    with pytest.raises(InputError, match="cannot be told from 'quality'"):
        imports.family([scores(0.9, metric="score")], "Quality (%)")


def test_what_is_lacking_is_asked_for_at_once():
    with pytest.raises(InputError) as error:
        imports.entry([scores(0.9, metric="score")], {})
    assert [line.partition("key ")[2][:9] for line in error.value.violations] == [
        "'family':", "'n_items'"
    ]  # fmt: skip
    for files, given in [
        ([scores(0.9, metric="score")], {"n_items": 5}),
        ([scores(0.9, metric="score", n_items=5)], {}),
    ]:
        with pytest.raises(InputError) as error:
            imports.entry(files, given)
        assert len(error.value.violations) == 1


def test_responses_of_0_and_1_are_right_or_wrong_whatever_the_metric():
    assert imports.family([responses(0, 1, 1, None), scores(0.5, metric="score")]) == "accuracy"
    assert imports.family([responses(0, 1), responses(0, 0.5)]) == "bounded_mean"


def test_the_range_is_that_of_proportions_or_percentages():
    assert imports.score_range([scores(0.2, 1)]) == (0, 1)
    assert imports.score_range([scores(0.2, 1.1)]) == (0, 100)
    assert imports.score_range([scores(0.2), scores(99.5)]) == (0, 100)
    assert imports.score_range([scores(0.2, 101)]) is None
    assert imports.score_range([scores(0.9, minimum=0.0, maximum=1.0)]) is None
    assert imports.score_range([responses(0, 1)]) == (0, 1)
    assert imports.score_range([responses(0, 1, minimum=0.0, maximum=1.0)]) is None
    assert imports.score_range([scores("x", None)]) is None


@pytest.mark.parametrize(
    ("files", "name"),
    [(["a/x.csv"], "x"), (["a/my bench (1).csv.gz"], "my-bench-1"),
     (["runs/results_2026-01-01T00-00-00.000000.json"], "runs"),
     (["a/samples_sums_2026-11-22T03-48-53.499511.jsonl",
       "b/samples_sums_2026-11-23T03-48-53.499511.jsonl"], "sums"),
     (["l/2026-11-22T02-58-35-00-00_arithmetic_cUGQB8jHtooYYhPFY5Sz8g.eval"], "arithmetic"),
     (["l/2026-11-22T03-45-45+00-00_my_sums_F5wtkxvdNRkxKK5MiQQYwb.json"], "my_sums"),
     (["runs/a.csv", "runs/b.csv"], "runs"), (["/….csv"], "benchmark")],
)  # fmt: skip
def test_the_name_is_what_the_files_names_share(files, name):
    assert imports.name([responses(1, file=file) for file in files]) == name


def test_the_one_task_names_the_benchmark():
    assert imports.name([scores(0.5, task="leaderboard|gsm8k|0")]) == "leaderboard-gsm8k-0"
    files = [scores(0.5, task="a"), scores(0.5, task="b")]
    assert imports.name(files) == "x"


def test_what_is_given_stands(tmp_path):
    (tmp_path / "x.csv").write_text("model,score,n_items,date\na,0.5,10,2025-01-02\n")
    files = load([{"path": tmp_path / "x.csv"}], {})
    given = {"name": "mine", "family": "bounded_mean", "metric": None}
    assert imports.entry(files, given) == ("mine", {"family": "bounded_mean"}, [])
    name, declared, remarks = imports.entry(files, {"family": "accuracy", "score_range": [0, 100]})
    assert (name, declared["score_range"], remarks) == ("x", [0, 100], [])


def test_the_date_is_that_of_the_latest_change_where_no_file_has_one(tmp_path):
    for place, name in enumerate(("a.csv", "b.csv")):
        (tmp_path / name).write_text(f"model,item,response\nm{place},q,1\n")
        os.utime(tmp_path / name, (0, 1_700_000_000 + place * 86_400))
    files = load([{"path": tmp_path / name} for name in ("a.csv", "b.csv")], {})
    declared, remarks = imports.entry(files, {})[1:]
    assert declared == {"family": "accuracy", "score_range": [0, 1], "observed_on": "2023-11-15"}
    assert len(remarks) == 3
    (tmp_path / "b.csv").write_text("model,item,response,date\nm1,q,1,2026-01-02\n")
    files = load([{"path": tmp_path / name} for name in ("a.csv", "b.csv")], {})
    assert "observed_on" not in imports.entry(files, {})[1]
