"""A benchmark's files as two tidy tables: what is declared, derived, doubtful, and each task."""

import json
import re

import pandas as pd
import pytest

from saturation.errors import InputError, Unsettled
from saturation.files import stages
from saturation.files.tables import write_csv
from saturation.leaderboard import names
from saturation.leaderboard.read.open import expand
from saturation.leaderboard.read.rows import Imported, Response, Score
from saturation.own import imports, schemas
from saturation.own.imports import FileRecord, ImportRecord, load, split_tasks
from tests.shared_cards import load_tables

ACCURACY = {"family": "accuracy", "score_range": [0, 1]}
PERCENT = {"family": "accuracy", "score_range": [0, 100]}


@pytest.fixture
def file(tmp_path):
    def write(text, name="x.csv"):
        (tmp_path / name).write_text(text)
        return {"path": str(tmp_path / name)}

    return write


def test_scores_and_responses_with_a_record_of_each_file(file):
    files = [
        file("model,score,n_items\na,0.5,10\n", "scores.csv"),
        file("model,q1,q2\nb,1,\n", "matrix.csv"),
    ]
    nulls = dict.fromkeys(("task", "metric", "filter", "pass_k", "n_items", "higher_is_better"))
    imports = load_tables("bench", files, ACCURACY | nulls | {"synthetic": True})
    assert imports.scores[["model", "synthetic"]].to_numpy().tolist() == [["a", True]]
    assert imports.responses[["item", "synthetic"]].to_numpy().tolist() == [["q1", True]]
    assert imports.record.scores == imports.record.responses == 1
    note = "1 cells without a grade: items that a model did not answer"
    assert imports.record.files == [
        FileRecord(files[0]["path"], "table", 1, 0, []),
        FileRecord(files[1]["path"], "wide_responses", 0, 1, [note]),
    ]


def test_what_is_declared_of_a_file_and_of_the_benchmark_arrives(file):
    text = "model,score,lower,upper,task\na,20,10,30,t\nb,90,,,u\n"
    declared = {
        "family": "bounded_mean", "score_range": [0, 100], "higher_is_better": False,
        "n_items": 7, "task": "t", "metric": "wer", "interval_level": 0.5,
    }  # fmt: skip
    entry = file(text) | {"configuration": "terse", "date": "2026-01-02"}
    declared["observed_on"] = "2026-01-02"  # the day itself
    (row,) = load_tables("bench", [entry], declared).scores.to_dict("records")
    assert (row["score"], row["n_items"], row["metric"]) == (0.8, 7, "wer")
    assert (row["configuration"], row["date"]) == ("terse", "2026-01-02")
    assert row["standard_error"] == pytest.approx(0.1 / 0.6744897501960817)
    assert not row["synthetic"]


@pytest.mark.parametrize("family", ["accuracy", "pass_at_k", "rating", "bounded_mean", "other"])
def test_families_whose_direction_is_known_and_those_that_must_declare_it(file, family):
    declared = {"family": family} | ({} if family in names.UNBOUNDED else {"score_range": [0, 1]})
    table = file("model,item,response\na,q,0.75\n")
    if family in names.HIGHER_IS_BETTER:
        assert load_tables("bench", [table], declared).responses["response"].tolist() == [0.75]
    else:
        with pytest.raises(InputError, match="higher_is_better"):
            load_tables("bench", [table], declared)


def test_the_tables_come_back_as_they_were_written(file, tmp_path):
    text = "model,item,response,cluster\n007,1,1,\n008,2,0,c\n"
    imports = load_tables("0815", [file(text)], ACCURACY)
    for name, schema in (("scores", schemas.SCORES), ("responses", schemas.RESPONSES)):
        table = getattr(imports, name)
        write_csv(table, tmp_path / "out.csv")
        texts = [name for name, c in schema.columns.items() if c.dtype == schemas.TEXT]
        again = stages.read(tmp_path / "out.csv", schema, dtype=dict.fromkeys(texts, str))
        optional = {"choice"} - set(table)  # a column where a file says it
        assert list(again.columns) == list(table.columns)
        assert list(table.columns) == [c for c in schema.columns if c not in optional]
        assert again.to_dict("list") == table.to_dict("list")
    assert again.model.tolist() == ["007", "008"]
    assert again["cluster"].tolist() == ["", "c"]
    assert again["run"].tolist() == ["", ""]
    assert imports.scores.empty


def test_a_remark_of_many_files_is_said_once():
    notes = {"a": ["same", "alone"], "b": ["same"], "c": []}
    files = [FileRecord(name, "x", 1, 0, said) for name, said in notes.items()]
    assert ImportRecord(files, 3, 0, {}, ["all"]).remarks == ["2 files: same", "a: alone", "all"]


def scores(*values, metric="acc", file="x.csv", **more):
    return file, Imported(
        scores=[Score(f"m{i}", value, metric, **more) for i, value in enumerate(values)]
    )


def responses(*values, file="x.csv", **more):
    return file, Imported(
        responses=[Response("m", f"q{i}", value) for i, value in enumerate(values)], **more
    )


FAMILIES = {
    "accuracy": "acc acc_norm Accuracy em exact_match resolved prompt_level_strict_acc",
    "pass_at_k": "pass@1",
    "bounded_mean": "f1 F1_score mc2 length_controlled_winrate",
    "rating": "elo arena_rating",
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_family_follows_from_the_metric_s_name(family):
    found = [imports.family([scores(0.5, metric=metric)]) for metric in FAMILIES[family].split()]
    assert set(found) == {family}


def test_the_family_follows_from_the_column_or_from_responses_else_it_is_asked_for():
    unnamed = [scores(0.9, metric="Quality (%)")]
    for called in ("Accuracy", "accuracy (%)", "ACC in %"):
        assert imports.family([scores(0.9, metric=called)]) == "accuracy"
    with pytest.raises(InputError, match="cannot be told from 'quality \\(%\\)'"):
        imports.family(unnamed)
    assert imports.family([responses(0, 1, 1, None), *unnamed]) == "accuracy"
    assert imports.family([responses(0, 1), responses(0, 0.5)]) == "bounded_mean"
    two = [scores(0.5), scores(0.5, metric="f1")]
    for files in (unnamed, two, [scores(0.5, metric="perplexity")]):
        with pytest.raises(InputError, match="say it with the key 'family'"):
            imports.family(files)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (scores(0.2, 1), (0, 1)),
        (scores(0.2, 1.1), (0, 100)),
        (scores(0.2, 101), None),
        (scores(0.9, minimum=0.0, maximum=1.0), None),
        (responses(0, 1), (0, 1)),
        (responses(0, 1, minimum=0.0, maximum=1.0), None),
        (scores("x", None), None),
    ],
)
def test_the_range_is_that_of_proportions_or_percentages(file, expected):
    assert imports.score_range([file]) == expected


SAMPLES = "samples_sums_2026-11-2{}T03-48-53.499511.jsonl"


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("x", ["a/x.csv"]),
        ("my-bench-1", ["a/my bench (1).csv.gz"]),
        ("runs", ["runs/results_2026-01-01T00-00-00.000000.json"]),
        ("sums", [f"a/{SAMPLES.format(2)}", f"b/{SAMPLES.format(3)}"]),
        ("arithmetic", ["l/2026-11-22T02-58-35-00-00_arithmetic_cUGQB8jHtooYYhPFY5Sz8g.eval"]),
        ("my_sums", ["l/2026-11-22T03-45-45+00-00_my_sums_F5wtkxvdNRkxKK5MiQQYwb.json"]),
        ("runs", ["runs/a.csv", "runs/b.csv"]),
        ("benchmark", ["/….csv"]),
        ("scans", ["scans/BENCHMARKS.md"]),
    ],
)
def test_the_name_is_that_of_the_one_task_else_what_the_files_names_share(name, files):
    assert imports.name_of([responses(1, file=file) for file in files]) == name
    assert imports.name_of([scores(0.5, task="leaderboard|gsm8k|0")]) == "leaderboard-gsm8k-0"
    assert imports.name_of([scores(0.5, task="a"), scores(0.5, task="b")]) == "x"


def test_what_is_lacking_is_asked_for_at_once():
    with pytest.raises(InputError) as error:
        imports.conclude([scores(0.9, metric="score")], {})
    assert [line.partition("key ")[2][:9] for line in error.value.violations] == [
        "'family':", "'score_ra", "'higher_i", "'n_items'"
    ]  # fmt: skip
    assert error.value.answers == {
        "family": "bounded_mean", "score_range": [0.0, 1.0], "higher_is_better": True,
        "n_items": None,
    }  # fmt: skip


def test_what_no_answer_mends_is_said_without_a_proposal(tmp_path):
    (tmp_path / "x.csv").write_text("item,model,response\nq,a,2\nr,a,1\nq,b,0\nq,b,1\n")
    with pytest.raises(InputError) as error:
        imports.settle([{"path": tmp_path / "x.csv"}], {})
    assert not isinstance(error.value, Unsettled)
    first, *questions = error.value.violations
    assert "'b' answers item 'q' twice" in first
    assert [("score_range" in line, "higher_is_better" in line) for line in questions] == [
        (True, False), (False, True)]  # fmt: skip


def test_a_question_of_many_files_stands_once_with_their_number(results):
    files = [results(name, "t", "u") for name in "abc"]
    with pytest.raises(Unsettled) as error:
        load(files, {"metric": "acc"})
    (question,) = error.value.violations
    assert "the file has 2 tasks" in question
    assert question.endswith("(and so in 2 more files)")


def test_an_average_that_fails_is_not_proposed(file):
    rows = "".join(f"m{i},0.{9 - i},{9 - i}0,0.2,0.3,0.{i + 1}\n" for i in range(4))
    table = file("model,a,b,c,d,e\n" + rows)
    answers = imports.settle([table], {"n_items": 100}).questions.answers
    assert (answers["each_task"], "task" in answers) == (True, False)


def test_scores_of_a_model_in_several_files_ask_which_count(file):
    files = [file(f"model,score,n_items\na,0.{d},10\n", f"{d}.csv") for d in (5, 7)]
    with pytest.raises(Unsettled) as error:
        load(files, {})
    assert error.value.answers == {"duplicates": "separate"}
    best = load(files, {"duplicates": "best"})
    assert [score.score for _, content in best for score in content.scores] == [0.7]


def test_a_log_that_failed_gives_way_to_its_retry(file):
    def log(status, value):
        samples = [{"id": i, "epoch": 1, "scores": {"s": {"value": value}}} for i in range(2)]
        head = {"version": 2, "status": status, "eval": {"task": "t", "model": "m"}}
        return json.dumps(head | {"samples": samples})

    files = [file(log("error", "I"), "a.json"), file(log("success", "C"), "b.json")]
    (_, failed), (_, retried) = load(files, {})
    assert (len(failed.responses), len(retried.responses)) == (0, 2)
    assert "b.json is complete" in failed.notes[-1]


def test_a_declared_number_of_items_that_the_answers_contradict_is_refused(file):
    table = file("model,item,response\na,q,1\nb,q,0\n")
    with pytest.raises(InputError, match="declares n_items 5, but the files hold answers to 1"):
        load_tables("x", [table], ACCURACY | {"n_items": 5})


@pytest.mark.parametrize(("revision", "older"), [("abc/", False), ("", False), ("", True)])
def test_a_folder_of_mteb_gives_a_suite_and_its_tasks(tmp_path, revision, older):
    for place, model in enumerate(("o__a", "o__b", "o__c")):
        for number, task in enumerate("tuvwx"):
            path = tmp_path / model / f"{revision}{task}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            score = {"main_score": 0.1 * number - place / 20, "f1": 0.7}
            content = (
                {"mteb_version": "1.1", "mteb_dataset_name": task, "test": score}
                if older
                else {"mteb_version": "1.14", "task_name": task, "scores": {"test": [score]}}
            )
            if (place, number) != (2, 0):
                path.write_text(json.dumps(content))
            (path.parent / "model_meta.json").write_text(json.dumps({"name": model}))
    files = [{"path": path} for path in expand(tmp_path)]
    contents = load(files, {"task": "average"})
    answers = [row for _, content in contents for row in content.responses]
    assert {row.model for row in answers} == {"o__a", "o__b"}  # the third lacks a task
    assert imports.score_range(contents) == (-1, 1)
    assert len(split_tasks("x", files, {})) == 5


def test_what_is_given_stands(tmp_path):
    (tmp_path / "x.csv").write_text("model,score,n_items,date\na,0.5,10,2025-01-02\n")
    files = load([{"path": tmp_path / "x.csv"}], {})
    given = {"name": "mine", "family": "bounded_mean", "metric": None}
    assert imports.conclude(files, given)[:3] == ("mine", {"family": "bounded_mean"}, [])
    given = {"family": "accuracy", "score_range": [0, 100]}
    name, declared, remarks, _ = imports.conclude(files, given)
    assert (name, declared["score_range"], remarks) == ("x", [0, 100], [])


def test_without_a_date_in_any_file_the_card_has_none(tmp_path):
    (tmp_path / "a.csv").write_text("model,item,response\nm0,q,1\n")
    (tmp_path / "b.csv").write_text("model,item,response,date\nm1,q,1,2026-01-02\n")
    first, second = ({"path": tmp_path / name} for name in ("a.csv", "b.csv"))
    entry = imports.conclude(load([first], {}), {})
    assert entry.declared == {"family": "accuracy", "score_range": [0, 1]}
    assert len(entry.remarks) == 2
    dated = entry.declared | {"observed_on": "2026-01-02"}
    for files, declared, undated in (
        ([first], entry.declared, 1),
        ([first], dated, 0),
        ([first, second], entry.declared, 0),
    ):
        notes = load_tables("x", files, declared).record.notes
        assert sum("no file gives a date" in note for note in notes) == undated


DATED = {"observed_on": "2026-01-31"}
LOSS = {"family": "other", "higher_is_better": False}
GRADED = {"family": "bounded_mean", "score_range": [0, 1], "higher_is_better": True}
SURE = "randomizer,0.5,10\nHumanoid,0.33,3\nSuperhuman,0,3\nmeander,1,4\n"
OF_SEVEN = "a,0.91,7\nb,0.86,7\nc,0.5,7\n"
TWO = "a,85.2,1000\nb,91,1000\n"
LONE = "row 4, model 'c': score 1 beside percentages is read as 1 of 100"


@pytest.mark.parametrize(
    ("rows", "declared", "said"),
    [
        (SURE, ACCURACY, None),
        ("Human baseline,0.5,10\na,0.3,10\naverage,0.4,10\n", ACCURACY,
         "left out, since they are no models: 'Human baseline', 'average'"),
        (OF_SEVEN, ACCURACY, "2 of 3 scores are not those of so many right answers of n"),
        (OF_SEVEN, GRADED, None),  # of graded items every mean is possible
        (f"{TWO}c,1,1000\n", PERCENT, LONE),
        (f"{TWO}c,1.0,1000\n", PERCENT, LONE),
        *((f"{TWO}c,{score},1000\n", PERCENT, None) for score in (1.1, 0, 2, 11, 100)),
        ("a,85.2,1000\nc,1,1000\n", PERCENT, None),  # one beside it tells nothing
        (f"{TWO}c,1,1000\nd,1,1000\n", PERCENT, None),
        (f"{TWO}c,1,1000\nd,10,1000\n", PERCENT, None),
        ("a,0.5,10\nb,0.9,10\nc,1,10\n", ACCURACY, None),
        ("a,0.4,10\n", ACCURACY | {"higher_is_better": False}, "80 % stands for their 20 %"),
    ],
)  # fmt: skip
def test_scores_that_look_wrong_have_a_remark(file, rows, declared, said):
    table = file(f"model,score,n_items\n{rows}")
    notes = " ".join(load_tables("x", [table], declared | DATED).record.remarks)
    assert (said in notes) if said else notes == ""


def test_scores_without_range_that_are_turned_round_are_said_to_be(file):
    table = file("model,score,standard_error\na,1.2,0.1\n")
    (note,) = load_tables("x", [table], LOSS | DATED).record.notes
    assert note.endswith("scores have the other sign")


TASKS = {"family": "accuracy", "each_task": True, "files": ["x*.json"], "metric": "acc"}


@pytest.fixture
def results(tmp_path):
    """Write a results file of a model with these tasks."""

    def write(model, *tasks):
        path = tmp_path / f"{model}.json"
        entries = {task: {"acc": 0.5, "acc_norm": 0.6} for task in tasks}
        config = {"model_args": f"pretrained={model}"}
        path.write_text(json.dumps({"results": entries, "config": config}))
        return {"path": str(path)}

    return write


def test_a_task_has_the_files_that_hold_it_and_what_they_say(results):
    both, one = results("a", "t 1", "u"), results("b", "u") | {"configuration": "terse"}
    entries = split_tasks("mine", [both, one], TASKS)
    declared = {"family": "accuracy", "metric": "acc"}
    assert entries == {
        "mine-t-1": {**declared, "task": "t 1", "files": [both]},
        "mine-u": {**declared, "task": "u", "files": [both, one]},
    }
    imported = load_tables("x", [both, one], entries["mine-u"] | {"n_items": 10})
    assert imported.scores["score"].tolist() == [0.5] * 2


@pytest.mark.parametrize("task", ["..", ".", "...", "-", "../u", "/", "con\\u", "?"])
def test_a_task_whose_name_is_no_file_s_has_a_safe_name(tmp_path, task):
    table = pd.DataFrame({"model": list("xyz"), "a": [0.9, 0.8, 0.7], task: [0.6, 0.5, 0.4]})
    table.to_csv(tmp_path / "x.csv", index=False)
    entries = split_tasks("mine", [{"path": str(tmp_path / "x.csv")}], {"family": "accuracy"})
    assert sorted(entry["task"] for entry in entries.values()) == sorted(["a", task])
    assert all(re.fullmatch(r"[\w-]+", name) for name in entries)


def test_one_of_several_benchmarks_without_its_files_is_left_to_its_own_job(results, tmp_path):
    plain = {"family": "accuracy", "files": ["a.csv"]}
    lost = TASKS | {"files": ["none.json"]}
    given = {"mine": TASKS | {"files": [results("a", "t", "u")]}, "plain": plain, "lost": lost}
    found = imports.split(given, tmp_path, made_later=False)
    assert list(found) == ["mine-t", "mine-u", "plain", "lost"]
    assert found["lost"] == {key: lost[key] for key in lost if key != "each_task"}
    for benchmarks, later, count in ((["lost"], False, 1), (["plain", "lost"], True, 2)):
        with pytest.raises(InputError, match=r"no file matches 'none\.json'") as error:
            imports.split({name: given[name] for name in benchmarks}, tmp_path, made_later=later)
        assert len(error.value.violations) == count


def test_names_of_tasks_stay_distinct_and_files_without_tasks_are_refused(results, file):
    for tasks in (("a b", "a-b"), ("A", "a"), ("ALT_毒性", "ALT_翻訳"), ("..", "x")):
        names = list(split_tasks("mine", [results("m", *tasks)], TASKS))
        assert len({name.lower() for name in names}) == len(tasks)
        assert all(name.isascii() and not name.endswith((".", "-")) for name in names)
    with pytest.raises(InputError, match=r"holds no tasks .* 'each_task'"):
        split_tasks("mine", [file("model,item,response\na,q,1\n")], TASKS)


def test_of_files_that_do_not_fit_together_one_of_several_models_is_named(file):
    files = []
    for name, models in {"first": "a", "second": "a", "all": "ab"}.items():
        rows = [f"{m},q{i},{m} says {i},{i / 10}" for m in models for i in range(6)]
        files.append(file("\n".join(["system,question_id,said,score", *rows]), f"{name}.csv"))
    with pytest.raises(InputError, match=r"card of one, such as .*all\.csv\n.*twice"):
        imports.settle(files, {})
