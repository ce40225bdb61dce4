"""Files of kinds that people publish, each with the right reading written down by hand."""

import csv
import gzip
import json
import re
import time
import tracemalloc
from pathlib import Path

import pytest

from saturation.commands import base, benchmark
from saturation.errors import InputError, Unsettled
from saturation.leaderboard.read import (
    cells,
    columns,
    duplicates,
    logs,
    open,
    registry,
    roles,
    sheets,
    tables,
)
from saturation.leaderboard.read.board import numbers_in_text
from saturation.leaderboard.read.rows import Choice, Origin, Score
from saturation.own import imports

FOLDER = Path(__file__).parent
with (FOLDER / "corpus.csv").open(encoding="utf-8") as file:
    CORPUS = list(csv.DictReader(file, delimiter=";"))


@pytest.mark.parametrize("row", CORPUS, ids=[row["file"] for row in CORPUS])
def test_a_file_is_read_as_meant_or_asks_for_what_is_open(row):
    check_reading(FOLDER / "corpus" / row["file"], row)


def check_reading(path, row):
    proposed = imports.settle([{"path": str(path)}], {}).questions.answers
    assert sorted(proposed) == sorted(row["asks"].split())
    check_card(path, row, {**proposed, **json.loads(row["answers"])})


def check_card(path, row, answers):
    files = [{"path": str(path)}]
    given = {key: value for key, value in answers.items() if value is not None}
    leader, share, models, sizes = means_of(files, given)
    assert (leader, models) == (row["leader"], int(row["models"]))
    assert share == pytest.approx(float(row["share"]), abs=0.0006)
    # Ratings have no number of items.
    if sizes is not None:
        assert sizes == set(map(float, row["n"].split()))


NAMED = {
    "35_n_of_each_score": {"model": "model", "score": "acc_B"},
    "103_two_metrics": {"model": "Model", "score": "Radio WER"},
    "124_equal_scores": {"model": "model", "score": "bleu"},
    "314_measures": {"model": "arm", "response": "hit@1"},
    "32_successes": {"model": "Model", "response": "Success"},
    "05_group_stderr": {"model": "model", "score": "acc"},
}


@pytest.mark.parametrize("start", NAMED)
def test_what_stands_beside_a_score_that_the_user_names_is_read_all_the_same(start):
    row = next(row for row in CORPUS if row["file"].startswith(start))
    path, given = FOLDER / "corpus" / row["file"], {"columns": NAMED[start]}
    proposed = imports.settle([{"path": str(path)}], given).questions.answers
    n = {key: x for key, x in json.loads(row["answers"]).items() if key == "n_items"}
    check_card(path, row, {**given, **proposed, **n})


WITH_COMMAS = ["192_parts_name", "262_ranks_of", "377_grid_of", "399_two_scores", "400_methods"]


@pytest.mark.parametrize("start", WITH_COMMAS)
def test_a_table_with_decimal_commas_is_read_as_that_with_points(start, tmp_path):
    row = next(row for row in CORPUS if row["file"].startswith(start))
    text = (FOLDER / "corpus" / row["file"]).read_text().replace(",", ";")
    (path := tmp_path / row["file"]).write_text(re.sub(r"(?<=\d)\.(?=\d)", ",", text))
    check_reading(path, row)


def test_runs_are_models_by_their_files_though_each_step_of_an_answer_is_graded(tmp_path):
    for place, name in enumerate(("cold", "warm")):
        rows = [
            {
                "task_id": f"t{item}",
                "prompt": f"Who is {item}?",
                "gold_success": True,
                "made_success": True,
                "gold_count": 3,
            }
            | {"made_count": item, "is_correct": item > 2 - place}
            for item in range(1, 5)
        ]
        with (tmp_path / f"{name}.csv").open("w") as stream:
            csv.DictWriter(stream, rows[0]).writeheader()
            csv.DictWriter(stream, rows[0]).writerows(rows)
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    assert imports.settle(files, {}).questions.answers == {"model": "file"}
    leader, share, models, _ = means_of(files, {"model": "file"})
    assert (leader, share, models) == ("warm", 0.75, 2)


def test_files_of_another_layout_than_as_many_that_are_read_are_left_out(tmp_path):
    parts = [{"model": m, "question_id": q, "accuracy": q / 9} for m in "ab" for q in range(4)]
    (tmp_path / "a.json").write_text(json.dumps(parts))
    (tmp_path / "a.csv").write_text("model,item,response\nc,1,1\nc,2,0\nd,1,1\nd,2,1\n")
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    assert imports.settle(files, {}).questions.answers == {}
    assert means_of(files, {})[:3] == ("d", 1.0, 2)


def test_a_large_table_with_decimal_commas_is_read_as_a_small_one(tmp_path):
    lines = [f"m{n};0,{500 + n % 400};{'x' * 400}" for n in range(3000)]
    (path := tmp_path / "large.csv").write_text("\n".join(["model;accuracy;remark", *lines]))
    assert path.stat().st_size > tables.LARGE
    files = [{"path": str(path)}]
    assert imports.settle(files, {}).questions.answers == {"n_items": 500}
    assert means_of(files, {"n_items": 500})[1:3] == (pytest.approx(0.899), 3000)


OF_ONE_MODEL = {
    "grades of at most ten": (
        ['{"score": 0.9}', '{"score": 6.2}', '{"score": 7.1}'],
        {"model": "file", "score_range": [0, 10], "n_items": None},
        ("c", 0.71),
    ),
    "more wrong words than were said": (
        ['{"wer": 0.125}', '{"wer": 0.31}', '{"wer": 2.85}'],
        {"model": "file", "score_range": [0, 1]},
        ("a", 0.875),
    ),
    "error rates in percent": (
        ['{"wer": 2.4}', '{"wer": 3.1}', '{"wer": 2.2}'],
        {"model": "file", "score_range": [0, 100]},
        ("c", 0.978),
    ),
    "keys that all files share": (
        ['{"wool": 0.5, "cork": 0.7}', '{"wool": 0.6, "cork": 0.7}'],
        {"model": "file", "each_task": True, "n_items": None},
        ("b", 0.6),
    ),
    "data sets with their sizes": (
        ["dataset,samples,accuracy\nwool,50,0.7\ncork,80,0.9"] * 2,
        {"model": "file", "each_task": True},
        ("a", 0.7),
    ),
    "groups that a stated model has": (
        ["discipline,acc\nwool,0.6\ncork,0.9", "discipline,acc\nwool,0.5\ncork,0.8"],
        {"each_task": True, "n_items": None},
        ("a", 0.6),
    ),
    "numbers before the only score": (
        ["size,layers,accuracy\n5000,12,0.7", "size,layers,accuracy\n900,6,0.8"],
        {"model": "file", "n_items": None},
        ("b", 0.8),
    ),
    "answers in several modes and trials": (
        [
            "question_id,mode,trial,score\n"
            + "".join(
                f"{q},{mode},{t},{s}\n" for q in "12" for mode in ("cot", "raw") for t in "12"
            )
            for s in (0, 1)
        ],
        {"model": "file", "columns": {"configuration": "mode"}},
        ("b", 1.0),
    ),
    "texts beside the numbers of queries": (
        [
            "qid,area,first_hit_rank,reciprocal_rank,top_document\n"
            + "".join(f"q{n},law {n},{r},{1 / r:.3f},d{n}\n" for n in range(4))
            for r in (2, 1)
        ],
        {"model": "file", "columns": {"response": "reciprocal_rank"}},
        ("b", 1.0),
    ),
    "scored answers": (
        [f"sample_id,seconds,rougeL\ns1,90,{s}\ns2,95,0.5\ns3,9,0.4" for s in (0.3, 0.6)],
        {"model": "file", "columns": {"item": "sample_id", "response": "rougeL"}},
        ("b", 0.5),
    ),
}


@pytest.mark.parametrize("case", OF_ONE_MODEL)
def test_files_of_a_model_each_are_read_together(case, tmp_path):
    texts, asked, (leader, share) = OF_ONE_MODEL[case]
    for name, text in zip("abc", texts):
        (tmp_path / f"{name}.{'json' if text.startswith('{') else 'csv'}").write_text(text)
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    stated = {} if "model" in asked else {"model": "file"}
    assert imports.settle(files, stated).questions.answers == asked
    of_task = {"task": "wool", "each_task": None} if "each_task" in asked else {}
    size = {"n_items": 100} if "n_items" in asked else {}
    given = {**stated, **asked, **of_task, **size}
    given = {key: value for key, value in given.items() if value is not None}
    assert means_of(files, given)[:3] == (leader, pytest.approx(share), len(texts))


def test_groups_of_tasks_with_a_metric_each_are_no_models(tmp_path):
    for place, name in enumerate(("org-a/embed", "org-b/embed")):
        groups = {
            "Search": {"wiki": {"ndcg@10": 0.7 + place / 10}, "law": {"ndcg@10": 0.5}},
            "Similarity": {"news": {"spearman": 0.8}},
        }
        (path := tmp_path / name / "summary.json").parent.mkdir(parents=True)
        path.write_text(json.dumps(groups))
    files = [{"path": str(path)} for path in sorted(tmp_path.rglob("*.json"))]
    with pytest.raises(InputError, match="'file' for the file's name"):
        imports.load(files, {})
    named = [{**file, "model": name} for file, name in zip(files, ("a", "b"))]
    leader, share, models, _ = means_of(named, {"task": "wiki", "n_items": 100})
    assert (leader, models) == ("b", 2)
    assert share == pytest.approx(0.8)


def test_each_file_of_answers_without_a_model_is_that_of_a_model(tmp_path):
    key = "DABCADBC"
    for model, answers in {"lynx": "DABCADAA", "puma": "DABXBBBB"}.items():
        rows = zip(key, answers)
        lines = [f"{n},ask {n},{a},{a == b},{b}" for n, (a, b) in enumerate(rows)]
        text = "\n".join(["Number,Question,Answer,correct,prediction", *lines])
        (tmp_path / f"exam_{model}.csv").write_text(text)
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    assert imports.settle(files, {}).questions.answers == {"model": "file"}
    assert means_of(files, {"model": "file"})[:3] == ("exam_lynx", 0.75, 2)


def test_n_of_a_summary_is_that_of_the_files_beside(tmp_path):
    shares = {"lynx": 45, "puma": 42, "ibis": 40}
    for model, right in shares.items():
        result = {"model": model, "accuracy": 100 * right / 50, "total_questions": 50}
        (tmp_path / f"{model}.json").write_text(json.dumps(result))
    summary = [{"model": model, "accuracy": 2 * right} for model, right in shares.items()]
    (tmp_path / "summary.json").write_text(json.dumps(summary))
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    assert imports.settle(files, {}).questions.answers["n_items"] == 50


def test_counts_of_right_words_are_shares_of_all_words_of_a_page(tmp_path):
    for reader, right in {"lynx": (90, 30), "puma": (60, 36)}.items():
        pages = zip(("a.png", "b.png"), (100, 40), right)
        lines = [f"{page},{n},{words},{n - words},{n // 20}" for page, n, words in pages]
        text = "\n".join(["file,total,correct,incorrect,extra", *lines])
        (tmp_path / f"{reader}.csv").write_text(text)
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    assert imports.settle(files, {}).questions.answers == {"model": "file"}
    assert means_of(files, {"model": "file"})[:3] == ("lynx", 0.825, 2)


def test_metrics_of_a_single_model_in_names_of_columns_are_no_models():
    header = ["set", "asked_f1", "unasked_f1"]
    rows = [["a", "0.5", "0.6"], ["b", "0.7", "0.4"]]
    assert roles.split_columns(sheets.Sheet(header, rows[:1], [2])) is None
    two = roles.split_columns(sheets.Sheet(header, rows, [2, 3]))
    assert two.rows == [
        *(["asked", "a", "0.5"], ["asked", "b", "0.7"]),
        *(["unasked", "a", "0.6"], ["unasked", "b", "0.4"]),
    ]
    assert columns.split_names(["test_f1", "macro_f1", "train_f1", "max_f1"]) == {}
    assert columns.split_names(["class0_f1", "class1_f1", "class0_std_f1", "fold 2 f1"]) == {}


def test_either_key_of_a_document_can_be_the_model_as_the_question_proposes():
    files = [{"path": str(FOLDER / "corpus/221_keys_of_two_levels.json")}]
    given = {"columns": {"model": "task key"}, "task": "kupa", "metric": "f1", "n_items": 100}
    assert means_of(files, given)[2:] == (2, {100.0})


def ask(name, given):
    files = [{"path": str(FOLDER / "corpus" / name)}]
    return imports.settle(files, given).questions


def test_headline_measures_are_listed_first():
    asked = ask("310_headline_beside_diversity.csv", {}).sentences[0]
    assert "'NDCG@5', 'NDCG@10', 'NDCG_tail@5', 'Coverage@10'" in asked
    asked = ask("312_rates_of_a_guard.csv", {}).sentences[1]
    assert "3 columns hold scores: 'auc', 'achieved_fpr', 'tpr_at_threshold';" in asked


def test_a_retriever_s_own_confidence_is_no_measure_of_answers():
    (asked,) = ask("314_measures_of_a_retriever.csv", {}).sentences
    measures = "'hit@1', 'hit@5', 'refusal_correct', 'rr'"
    assert f"scored by any of {measures}, say so" in asked


def test_cutoffs_of_a_retrieval_are_no_models():
    names = ["Experts", "Task", "R@1", "R@5", "R@10", "MdR", "MnR"]
    rows = [["both", "t2v", 31.2, 60.1, 72.4, 3.0, 17.4], ["both", "v2t", 33.0, 61.7, 74.0, 3, 15]]
    assert roles.turned(sheets.Sheet(names, rows, [3, 4])) is None


def test_a_pasted_log_keeps_shots_apart_and_a_filter_is_that_of_tasks_with_several():
    origin = Origin(FOLDER / "corpus/165_setups_of_a_pasted_log.log")
    assert registry.tasks(origin, Choice()) == ["ox_quiz", "elk", "elk [5-shot]"]
    scores = registry.load(origin, Choice(task="elk [5-shot]", filter="strict-match")).scores
    assert [(score.model, score.score) for score in scores] == [("lab/puma [dtype=int8]", 0.66)]


def test_rows_of_audio_files_are_one_models_answers(tmp_path):
    (path := tmp_path / "sonic.md").write_text(
        "| File | CER | Runtime (s) |\n|---|---|---|\n"
        "| `a-1b.opus` | 0.30 | 14.2 |\n| `a-2b.opus` | 0.2 | 9 |\n"
    )
    with pytest.raises(InputError, match="seem to be one model's"):
        imports.load([{"path": str(path)}], {})


def test_a_rate_of_errors_is_no_accuracy_and_words_of_a_task_decide_nothing():
    file = {"path": str(FOLDER / "corpus/20_error_rate_ceiling.csv")}
    entry = imports.conclude(imports.load([file], {}), {})
    assert entry.declared["family"] == "bounded_mean"
    assert entry.declared["higher_is_better"] is False
    tables = imports.join_tables("x", entry.contents, entry.declared)
    from saturation.leaderboard.top import Settings
    from saturation.own import card

    judged = card.assemble("x", tables.scores, tables.responses, entry.declared, Settings())
    # The words of an utterance are not known, so that 12,643 utterances tell no error.
    assert (judged.verdict, judged.reason) == ("undetermined", "metric_not_accuracy_like")
    stated = tables.scores.assign(standard_error=0.002, n_source="stated")
    judged = card.assemble("x", stated, tables.responses, entry.declared, Settings())
    assert judged.frontier.answers.headroom.ceiling is None
    assert judged.verdict not in ("saturated", "exhausted")
    from saturation.leaderboard.read.columns import direction_of

    assert direction_of("ToxicConversationsClassification", is_task=True) is not False
    assert [direction_of(name) for name in ("AMI WER", "Hallucination Rate", "x ↓")] == [False] * 3
    assert direction_of("Average") is None
    # Words of sentences are no names of errors.
    assert direction_of("Score per task (%)") is True
    assert direction_of("Accuracy rate per language") is True
    assert direction_of("Anteil der Treffer") is None


def test_a_word_accuracy_is_a_rate_of_words_and_no_accuracy():
    assert columns.family_of("Word Accuracy") == "bounded_mean"
    assert columns.family_of("Accuracy") == "accuracy"


@pytest.mark.parametrize(
    ("cell", "unfit"), [('{"f1": 0.5}', True), ("[1, 2]", True), ("m1", False)]
)
def test_objects_and_lists_in_cells_are_no_names(cell, unfit):
    assert roles.Column(0, "model", [cell] * 3).unfit == unfit


def test_the_row_of_two_files_counts_once_and_rows_of_two_prompts_twice():
    def resolved(name, *texts):
        score = Score("m", 0.5, "accuracy")
        scores = [score._replace(details=((name, text),)) for text in texts]
        return duplicates.resolve([*scores, Score("other", 0.4, "accuracy")], Choice(), "x.csv")

    assert resolved("file", "a.csv", "b.csv").question == ""
    question = resolved("prompt", "plain", "few-shot").question
    assert "several scores of 'm', which differ in 'prompt' ('few-shot', 'plain')" in question


def test_a_note_names_models_whose_rows_are_called_invalid():
    files = [{"path": str(FOLDER / "corpus/301_rows_called_invalid.csv")}]
    ((_, content),) = imports.load(files, {})
    assert content.notes[0] == (
        "'result_status' says 'invalid_stage_leakage' of 'P2', 'P3', "
        "'result_status' says 'incomplete' of 'P5': are they to count?"
    )


def test_rows_of_different_n_are_separate_unless_dates_decide():
    scores = [Score("m", 0.5, "accuracy", n_items=20.0), Score("m", 0.4, "accuracy", n_items=80.0)]
    resolved = duplicates.resolve(scores, Choice(), "x.csv")
    assert "differ in 'n' ('n = 20', 'n = 80')" in resolved.question
    assert resolved.proposed == "separate"
    dated = [s._replace(date=f"2031-0{month}-01") for month, s in enumerate(scores, start=1)]
    assert duplicates.resolve(dated, Choice(), "x.csv").question == ""


def test_runs_that_agree_are_no_items(tmp_path):
    rows = [f"m{i},{run},{0.8 - i / 50}" for i in range(6) for run in range(3)]
    (path := tmp_path / "runs.csv").write_text("\n".join(["model,run,score", *rows]))
    given = {"family": "accuracy", "n_items": 200}
    entry = imports.conclude(imports.load([{"path": str(path)}], given), given)
    tables = imports.join_tables("x", entry.contents, entry.declared)
    assert tables.responses.empty
    assert set(tables.scores["n_items"]) == {200}
    from saturation.statistics import standard_errors

    matrix = standard_errors.item_matrix(tables.responses)
    best = standard_errors.estimates(tables.scores, *matrix, "accuracy", 0.95).iloc[0]
    # Runs share their items: the error of one binomial share of 200, sqrt(.8 * .2 / 200).
    assert best["standard_error"] == pytest.approx(0.0283, abs=0.0001)
    assert (best["lower"], best["upper"]) == (
        pytest.approx(0.74, abs=0.01),
        pytest.approx(0.85, abs=0.01),
    )


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
    assert not sheets.holds_markdown("|" + " " * 50_000 + "x\n|" + "-" * 50_000 + "x")
    names = ["model", *(f"t{place}" for place in range(10_000))]
    sheet = sheets.sheet_of(names, [(2, ["a", *["0.5"] * 10_000]), (3, ["b", *["0.25"] * 10_000])])
    board = roles.layout(sheet)
    assert len(board.scores) == 10_000
    assert time.process_time() - started < 20


PRINTED = {
    "rules": "-----\n" * 150_000,
    "blanks": "\n" * 200_000,
    "brackets": "%WER 5 [ 1 / 2," + "]" * 10**5,
    "words": "a " * 10**5 + "\nb: 1\n",
    "spaces": "a" + " " * 10**6 + "b\n",
    "numbers": "avg " + "1 " * 10**5,
    "dates": "2026-01-01 " * 10**5,
}


@pytest.mark.parametrize("name", PRINTED)
def test_printed_text_is_read_in_a_time_that_is_linear_in_its_length(name):
    started = time.process_time()
    logs.tables_of(PRINTED[name])
    assert time.process_time() - started < 3


@pytest.mark.parametrize("suffix", ["csv", "md"])
def test_a_header_of_20_000_columns_is_read_in_bounded_time(tmp_path, suffix):
    width = 20_000
    rows = [["model", *(f"bench {place}" for place in range(width))]]
    rows += [["---"] * (width + 1)] if suffix == "md" else []
    rows += [[model, *["0.5"] * width] for model in ("m1", "m2", "m3")]
    path = tmp_path / f"wide.{suffix}"
    ends = ("| ", " | ", " |") if suffix == "md" else ("", ",", "")
    path.write_text("".join(f"{ends[0]}{ends[1].join(row)}{ends[2]}\n" for row in rows))
    started = time.process_time()
    with pytest.raises(InputError, match="20000 columns hold scores"):
        registry.load(Origin(path), Choice())
    # Two processor seconds on one machine; ten times as many where the time is quadratic.
    assert time.process_time() - started < 12


def test_compressed_text_is_refused_before_it_is_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(open, "LARGEST_WHOLE", 2**25)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"model,score\n" + b"a,0.5\n" * 2**23, 1))
    tracemalloc.start()
    with pytest.raises(InputError, match="more than 32 MiB"):
        open.whole(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**24


# The right answers of a log, and all.
LOGS = {
    "30_log_of_one_model.csv": (2, 4),
    "31_numbered_log.json": (2, 3),
    "41_predictions_and_labels.csv": (3, 4),
    "71_answers_with_traces.json": (6, 10),
    "72_repeats_by_sample.json": (6, 12),
    "85_numbered_traces.json": (6, 6),
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_of_one_model_asks_for_the_model_and_is_read_as_its_answers(name):
    file = {"path": str(FOLDER / "corpus" / name)}
    with pytest.raises(InputError, match=r"name (it|the model) with the key 'model'"):
        imports.settle([file], {})
    named = {**file, "model": "m1"}
    entry = imports.conclude(imports.load([named], {}), {})
    answers = imports.join_tables("x", entry.contents, entry.declared).responses
    assert set(answers["model"]) == {"m1"}
    assert (answers["response"].sum(), len(answers)) == LOGS[name]


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("on 300 grade-8 questions", 300),
        ("1,012 top-5 sentences", 1012),
        ("the 48-example split", 48),
        ("accuracy (n=1,500)", 1500),
        ("trained on 2,000 images, tested on 450 images", 450),
        ("40 per 100 pairs; each of 309 questions", 309),
    ],
)
def test_n_is_the_number_before_what_is_counted(text, n):
    assert [number for number, _ in numbers_in_text(text)] == [n]


# What cannot be read, and what the error says of it.
REFUSED = {
    "outcomes of pairs": (
        json.dumps({"judge": "j", "totals": {"A": 36, "B": 7, "TIE": 7, "ERROR": 0}}),
        "holds no table",
    ),
    "a log without answers' scores": (
        "split,ID,seconds,transcript,hypothesis\ntest,u1,19.7,a b,a c\ntest,u2,4.1,d,d\n",
        "no column holds scores",
    ),
    "counts beside what is true": (
        "method,photo,y_true,y_pred\n"
        + "".join(f"m{i % 2},p{i // 2}.jpg,{8 + i // 2}.0,{7 + i}.5\n" for i in range(8)),
        "no scores: compare 'y_pred' with 'y_true' first",
    ),
    "texts with labels of one model": (
        "text,annotation\n" + "".join(f"{'a sentence ' * 9}{i},{i % 2}\n" for i in range(4)),
        "no table with a column of models",
    ),
    "texts that one model wrote": (
        json.dumps([{"task_id": f"t{i}", "mode": "new", "text": f"line {i}"} for i in range(4)]),
        "no column holds scores",
    ),
    "times of models": (
        "model,prompt,seconds,peak_memory_mb\n"
        + "".join(f"m{i},ask {i},{i}.5,100\n" for i in range(4)),
        "no column holds scores",
    ),
    "flags of answers, none named for success": (
        json.dumps(
            [
                {"run": f"r{n}", "model": "ab"[n % 2], "task_id": f"t{n % 3}", "cheated": n < 5}
                for n in range(9)
            ]
        ),
        "'cheated' scores each answer",
    ),
    "kinds of the items of one model": (
        "id,question_type,overlap,citation\n"
        + "".join(
            f"q{i},{'single' if i < 4 else 'several'},0.{i},0.{9 - i}\n" for i in range(1, 8)
        ),
        "seem to be one model's: name it",
    ),
    "runs with labels and calls of tools": (
        json.dumps(
            [
                {"case": f"c{n % 2}", "model": "a", "label": "ok", "calls": [{"name": "x"}] * n}
                for n in range(4)
            ]
        ),
        "columns: case, model, label, calls",
    ),
    "texts predicted beside texts of a key": (
        "question,answer,prediction\n"
        + "".join(f"ask {i},the {i}th of May,{i} May or so\n" for i in range(5)),
        "no scores: compare 'prediction' with 'answer' first",
    ),
    "settings of a training run": (json.dumps({"lr": 0.5, "epochs": 3}), "not recognised"),
    "metrics of the first hits of one model": (
        json.dumps({"Precision@1": 0.61, "MRR@10": 0.68}),
        "seem to be one model's: name it",
    ),
    "forecasts beside what came": (
        "day,actual,arima_forecast,ets_forecast\n"
        + "".join(f"d{i},4{i}.5,4{i}.1,4{i}.9\n" for i in range(5)),
        "compare 'arima_forecast', 'ets_forecast' with 'actual' first",
    ),
    "labels beside features": (
        "id,age,is_old,is_tall,label\n"
        + "".join(f"{i},{30 + 3 * i},{i % 2},{i % 3 % 2},{i % 2}\n" for i in range(9)),
        "name them with",
    ),
    "texts written beside several of a key": (
        "id,gold_answerable,gold_answers,mode,final_answer\n"
        + "".join(f"q{i // 2},true,the {i}th of May,{'ab'[i % 2]},{i} May\n" for i in range(6)),
        "no scores: compare 'final_answer' with 'gold_answers' first",
    ),
    "speech heard as it was said": (
        "item_id,ground,transcript\n"
        + "".join(f"u{i},{'so it goes ' * (9 + i)},{'so it goes ' * (9 + i)}\n" for i in range(4)),
        "a word error rate in a column 'wer'",
    ),
    "texts of models beside a key": (
        "model,item,reference,prediction,seconds\n"
        + "".join(f"m{i % 2},q{i // 2},the {i}th of May,{i} May,{i}.5\n" for i in range(6)),
        "no scores: compare 'prediction' with 'reference' first",
    ),
    "opinions of detectors": (
        "detector,set,id,score\n"
        + "".join(f"d{i % 2},{'ok' if i < 6 else 'bad'},t{i // 2},0.{i}3\n" for i in range(9)),
        "what each detector says, no column what is true",
    ),
    "winners of votes between sides": (
        "id,winner\n" + "".join(f"{i},{'AB'[i % 2]}\n" for i in range(6)),
        "name the two with .* model_b=NAME",
    ),
    "documents that a search ranked": (
        json.dumps([{"rank": i, "doc_id": f"moor_{i}", "score": 15.5 - i} for i in range(1, 4)]),
        "documents that a search ranked",
    ),
    "lines of a log": (
        "".join(
            f"18 May 13:5{i} INFO test: {{'recall': 0.2{i}, 'hit': 0.3{i}}}\n" for i in range(4)
        ),
        "a log of a program; write",
    ),
    "labels of judges": (
        "id,response,human_label,judge_label\n"
        + "".join(f"a{i},{'so it goes ' * 9}{i},{i < 5},{i < 4}\n" for i in range(9)),
        "if it grades what the others say",
    ),
    "a notebook": (json.dumps({"cells": [{"source": ["x"]}], "nbformat": 4}), "a notebook; export"),
    "settings with the same value": (
        json.dumps({"model": "m", "k_asr": dict.fromkeys("123", 0.0), "base_asr": 78.6}),
        "format is not recognised",
    ),
    "metrics of runs that only their times distinguish": (
        "dataset,m,alpha,accuracy,edge_error,node_error,ts\n"
        + "".join(f"a,270,0.{i}4,0.7{i}3,0.99{i},0.9{i},2026-07-02 11:2{i}:08\n" for i in (3, 5)),
        "columns: dataset, m, alpha, accuracy",
    ),
    "letters as the key": (
        json.dumps([{"question_id": i, "correct": "C", "is_correct": True} for i in range(3)]),
        "seem to be one model's: name it",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_holds_no_scores_of_models_is_refused_with_the_reason(tmp_path, name):
    content, reason = REFUSED[name]
    (path := tmp_path / ("x.json" if content[0] in "[{" else "x.csv")).write_text(content)
    with pytest.raises(InputError, match=reason):
        imports.settle([{"path": str(path)}], {})


def test_predictions_of_a_named_model_are_compared_with_labels_and_not_with_texts(tmp_path):
    (path := tmp_path / "x.csv").write_text(REFUSED["texts predicted beside texts of a key"][0])
    files = [{"path": str(path), "model": "m"}]
    with pytest.raises(InputError, match="no scores: compare 'prediction' with 'answer' first"):
        imports.load(files, {})
    path.write_text("question,answer,prediction\na,Yes,yes\nb,No,yes\nc,No,no\nd,No, no\n")
    assert means_of(files, {})[:3] == ("m", 0.75, 1)


def test_each_score_has_the_ends_that_its_name_is_in(tmp_path):
    names = [f"{score}{end}" for score in ("acc", "f1") for end in ("", " lower", " upper")]
    rows = [f"m{n},0.{n}0,0.{n - 1}0,0.{n + 1}0,0.{n}5,0.{n}3,0.{n}7" for n in (3, 5, 6, 8)]
    (path := tmp_path / "x.csv").write_text("\n".join([",".join(["model", *names]), *rows]))
    contents = imports.load([{"path": str(path)}], {"metric": "f1", "n_items": 600})
    assert contents[0][1].scores[0].standard_error == pytest.approx(0.02 / 1.96, rel=1e-3)


def test_raw_and_trial_files_among_results_are_left_out_and_named(tmp_path):
    for name in ("a", "b", "c", "raw/a", "smoke-b"):
        (path := tmp_path / f"{name}.csv").parent.mkdir(exist_ok=True)
        path.write_text(f"model,accuracy\n{name},0.7\n")
    paths = open.expand(tmp_path)
    contents = imports.load(benchmark.files_of(paths), {"n_items": 100})
    assert [Path(file).name for file, _ in contents] == ["a.csv", "b.csv", "c.csv"]
    assert re.search("raw/a.csv.*smoke-b", contents[0][1].notes[-1])
    # Named files, of which most are such, are all read.
    assert len(imports.load(benchmark.files_of(paths[2:]), {"n_items": 100})) == 3


# What is answered beyond the proposals, then leader, share or rating, number of models.
PINNED = {
    "wild_multilingual_mmlu": ({}, "o3-high", 0.8884, 10),
    "wild_confabulations": ({"n_items": 201}, "GPT-5 (medium reasoning)", 0.8966, 66),
    "wild_mle_bench": (
        {"each_task": None, "task": "All (%)", "n_items": 75},
        "Disarray",
        0.778,
        26,
    ),
    "wild_asr_multilingual": ({}, "elevenlabs/scribe_v2", 0.9733, 30),
    "wild_bullshit": ({}, "anthropic/claude-sonnet-4.6@reasoning=high", 0.9485, 134),
    "table_lmarena_text": ({}, "Gemini-2.5-Pro", 1470.0, 265),
    "table_aider_polyglot": ({}, "gpt-5 (high)", 0.88, 69),
    "table_vectara": ({"n_items": 7700}, "antgroup/finix_s1_32b", 0.982, 96),
}


@pytest.mark.parametrize("name", PINNED)
def test_a_pinned_file_is_read_as_its_page_shows_it(name):
    config = base.default_config()
    mirror = FOLDER.parents[3] / config["sources"]["mirror"]
    if not (mirror / "manifest.csv").is_file():
        pytest.skip(f"{mirror} has no copies of pinned files")
    with (mirror / "manifest.csv").open(encoding="utf-8") as listing:
        paths = {row["name"]: row["path"] for row in csv.DictReader(listing)}
    further, leader, share, models = PINNED[name]
    files = [{"path": str(mirror / paths[name])}]
    answers = {**imports.settle(files, {}).questions.answers, **further}
    given = {key: value for key, value in answers.items() if value is not None}
    assert means_of(files, given)[:3] == (leader, pytest.approx(share, abs=0.0006), models)


def means_of(files, given):
    """Read files; return the leader, its score, the number of models, and n of scores."""
    entry = imports.conclude(imports.load(files, given), given)
    tables = imports.join_tables("x", entry.contents, entry.declared)
    if tables.scores.empty:
        means = tables.responses.groupby("model", observed=True)["response"].mean()
        return means.idxmax(), means.max(), len(means), None
    means = tables.scores.groupby("model")["score"].mean()
    sizes = set(tables.scores["n_items"].dropna())
    return means.idxmax(), means.max(), len(means), sizes


def test_a_log_of_cases_with_numbered_rows_is_not_turned_into_models():
    header = ["row", "case", "criterion", "judge_said", "expert_met"]
    rows = [[str(n), f"case {n % 3}", f"criterion {n}", "MET", str(n % 2)] for n in range(9)]
    assert roles.turned(sheets.Sheet(header, rows, list(range(2, 11)))) is None


def test_the_number_of_items_tells_no_error_of_an_area_under_a_curve(tmp_path):
    rows = [f"m{i},roc_auc,{0.95 - i / 50}" for i in range(5)]
    (path := tmp_path / "x.csv").write_text("\n".join(["model,metric_name,score", *rows]))
    given = {"n_items": 1000}
    entry = imports.conclude(imports.load([{"path": str(path)}], given), given)
    tables = imports.join_tables("x", entry.contents, entry.declared)
    from saturation.leaderboard.top import Settings
    from saturation.own import card

    judged = card.assemble("x", tables.scores, tables.responses, entry.declared, Settings())
    assert (judged.verdict, judged.reason) == ("undetermined", "metric_not_accuracy_like")


def test_files_without_results_are_left_out_and_mentioned(tmp_path):
    for name, share in {"lynx": 0.5, "puma": 0.25, "wolf": 0.0}.items():
        parts = {f"part {n}": {"pass_rate": share, "hard": 1 - share} for n in range(2) if share}
        content = {"model": name, "pass_rate": share, "parts": parts, "results": []}
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
    files = [{"path": str(path)} for path in sorted(tmp_path.glob("*.json"))]
    given = {"metric": "pass_rate", "task": "part 0", "n_items": 8}
    entry = imports.conclude(imports.load(files, given), given)
    assert {score.model for _, content in entry.contents for score in content.scores} == {
        "lynx",
        "puma",
    }
    assert any("wolf.json" in note for _, content in entry.contents for note in content.notes)
    assert list(imports.split_tasks("x", files, given)) == ["x-part-0", "x-part-1"]
    with pytest.raises(InputError, match=r"wolf\.json: .* holds no table"):
        imports.load(files[2:], given)


def test_files_without_a_table_of_models_do_not_stop_a_folder(tmp_path):
    for name, share in {"lynx": 0.5, "puma": 0.25}.items():
        rows = [{"model": name, "test_accuracy": share, "split": part} for part in ("a", "b")]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows))
    pair = {"model_a": "lynx", "model_b": "puma", "p_value": 0.03}
    (tmp_path / "pairs.json").write_text(json.dumps([pair, pair]))
    log = "question,answer,accuracy\nwhere,here,0.5\nwhen,now,0.7\n"
    (tmp_path / "answers.csv").write_text(log)
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    with pytest.raises(Unsettled) as questions:
        imports.load(files, {})
    assert questions.value.answers == {"duplicates": "separate"}
    columns = {"model": "model", "score": "test_accuracy"}
    contents = imports.load(files, {"columns": columns, "duplicates": "best"})
    assert [Path(file).stem for file, _ in contents] == ["lynx", "puma"]
    assert re.search("left out.*answers.csv.*pairs.json", contents[0][1].notes[-1])


def test_most_files_and_what_documents_say_of_themselves_go_first(tmp_path):
    for name, share in {"lynx": 0.5, "puma": 0.25, "wolf": 0.75}.items():
        curve = {"val_acc": [0.1, 0.2, 0.3], "train_acc": [0.2, 0.3, 0.4]}
        report = {part: {"precision": share, "recall": 0.5} for part in ("hut", "den", "nest")}
        content = {"model": name, "mean_score": share, "seconds": 40, "history": curve}
        (tmp_path / f"{name}.json").write_text(json.dumps(content | {"report": report}))
    log = "question,answer,accuracy\nwhere,here,0.5\nwhen,now,0.7\n"
    (tmp_path / "answers.csv").write_text(log)
    tests = {"lynx": {"rho": 0.1, "p": 0.2, "r": 0.3}, "puma": {"rho": 0.3, "p": 0.1, "r": 0.2}}
    (tmp_path / "tests.json").write_text(json.dumps(tests))
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    settled = imports.settle(files, {"n_items": 8})
    assert settled.questions.answers == {}
    contents = imports.load(files, settled.questions.answered)
    assert [content.scores[0].score for _, content in contents] == [0.5, 0.25, 0.75]
    assert re.search("left out.*answers.csv.*tests.json", contents[0][1].notes[-1])


METRICS = {
    "a score.json": '{{"accuracy": {0}}}',
    "a matrix beside.json": '{{"part": {{"accuracy": {0}, "f1": 0.5}}, "grid": [[5, 1], [2, 4]]}}',
    "epochs beside.json": '{{"end": {{"accuracy": {0}, "f1": 0.5}}, "epochs": [{{"val_acc": 0.3}}, '
    '{{"val_acc": 0.4}}]}}',
    "a row.csv": "accuracy,f1\n{0},0.5\n",
    "a metric a row.csv": "metric,value\naccuracy,{0}\nf1,0.5\n",
    "a metric a row.md": "# Model\n\n|Metric|Value|\n|---|---|\n|Accuracy|{0}|\n|F1|0.5|\n",
}


@pytest.mark.parametrize("name", METRICS)
def test_each_file_of_a_models_metrics_is_that_of_a_model(tmp_path, name):
    kind = Path(name)
    for model, share in {"lynx": 0.7, "puma": 0.9, "ibis": 0.8}.items():
        (folder := tmp_path / model).mkdir()
        (folder / f"metrics{kind.suffix}").write_text(METRICS[name].format(share))
        (folder / "confusion.csv").write_text(",cat,dog\ncat,5,1\ndog,2,4\n")
    files = [{"path": str(path)} for path in sorted(tmp_path.glob("*/*"))]
    answers = imports.settle(files, {"n_items": 40}).questions.answers
    assert answers["model"] == "file"
    assert means_of(files, {**answers, "n_items": 40})[:3] == ("puma", 0.9, 3)


def test_models_of_different_tasks_are_ranked_with_a_caution(tmp_path):
    for model, task in {"lynx": "wood", "puma": "wood", "ibis": "sand"}.items():
        content = {"model": model, "task": task, "accuracy": 0.5}
        (tmp_path / f"{model}.json").write_text(json.dumps(content))
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    entry = imports.conclude(imports.load(files, {"n_items": 9}), {"n_items": 9})
    assert "no rivals, but ranked: 'sand', 'wood'" in entry.contents[0][1].notes[0]


def test_a_table_of_all_models_goes_before_files_of_their_answers(tmp_path):
    rows = ["model,avg_quality_score,rank", "lynx,71.2,2", "puma,83.5,1", "ibis,64.1,3"]
    (tmp_path / "summary.csv").write_text("\n".join(rows))
    for model in ("lynx", "puma", "ibis", "wolf"):
        lines = [f"{n},ask {n},0.{n},0.{9 - n}" for n in range(1, 8)]
        text = "\n".join(["question_id,question,clear_score,useful_score", *lines])
        (tmp_path / f"{model}.csv").write_text(text)
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    assert imports.settle(files, {"n_items": 40}).questions.answers == {}
    (content,) = imports.load(files, {"n_items": 40})
    assert len(content[1].scores) == 3
    assert re.search("left out.*ibis.csv.*wolf.csv", content[1].notes[-1])


def test_what_a_turned_table_does_not_read_is_said():
    content = imports.load(
        [{"path": str(FOLDER / "corpus/132_spreads_in_parentheses.csv")}], {"task": "average"}
    )[0][1]
    assert any(note.endswith("not read: 'Average_Rank', 'Time-Net'") for note in content.notes)


def test_runs_without_answers_say_no_noise_of_runs():
    known = {"n_items": 400, "duplicates": "separate", "higher_is_better": True}
    file = {"path": str(FOLDER / "corpus/127_runs_side_by_side.csv")}
    entry = imports.conclude(imports.load([file], known), known)
    tables = imports.join_tables("x", entry.contents, entry.declared)
    from saturation.leaderboard.top import Settings
    from saturation.own import card

    judged = card.assemble("x", tables.scores, tables.responses, entry.declared, Settings())
    runs = card.repeated(tables.scores, tables.responses, judged, Settings())
    assert runs.abstains == "it takes the answers of each run"


def test_a_table_in_a_cell_is_none_of_the_file_and_categories_are_no_models():
    path = FOLDER / "corpus/170_answers_with_a_table_in_a_cell.csv"
    with pytest.raises(InputError, match="seem to be one model's"):
        imports.settle([{"path": str(path)}], {})
    given = {"columns": {"model": "lang", "item": "id", "response": "refused_correct"}}
    assert means_of([{"path": str(path)}], given)[:3] == ("en", 0.75, 1)


def test_files_of_the_same_models_are_data_sets_unless_they_are_numbered(tmp_path):
    for name, better in {"letters": 0.1, "essays": 0.0}.items():
        rows = [f"lynx,{0.5 + better}", f"puma,{0.75 - better}"]
        for folder, stem in (("sets", name), ("runs", f"run{len(name)}")):
            (path := tmp_path / folder / f"{stem}.csv").parent.mkdir(exist_ok=True)
            path.write_text("\n".join(["model,accuracy", *rows]))
    files = [{"path": str(path)} for path in sorted(tmp_path.glob("sets/*.csv"))]
    assert imports.settle(files, {"n_items": 40}).questions.answers == {"each_task": True}
    cards = imports.split_tasks("x", files, {"n_items": 40})
    assert list(cards) == ["x-essays", "x-letters"]
    assert means_of(cards["x-letters"]["files"], {"n_items": 40})[:3] == ("puma", 0.65, 2)
    files = [{"path": str(path)} for path in sorted(tmp_path.glob("runs/*.csv"))]
    assert "each_task" not in imports.settle(files, {"n_items": 40}).questions.answers


@pytest.mark.parametrize(
    ("name", "place"), [("rows", 6), ("verdicts", 6), ("epochs", None), ("seeds", None)]
)
def test_scores_are_whole_counts_of_a_number_of_items_alone(name, place):
    header = ["model", "accuracy", "f1", "auc", "recall", "precision", name]
    counts = {"lynx": 23, "puma": 29, "ibis": 17}
    rows = [[m, str(k / 37), "0.61", "0.64", "0.58", "0.6", "37"] for m, k in counts.items()]
    board = roles.layout(sheets.Sheet(header, rows, [2, 3, 4]))
    assert board.n_of(1) == place
    assert board.n_of(2) is None


def test_a_number_of_items_that_is_a_benchmarks_usual_one_is_called_a_guess(tmp_path):
    (path := tmp_path / "x.csv").write_text("model,hellaswag\na,43.1\nb,43.5\n")
    assert imports.settle([{"path": str(path)}], {}).questions.answers == {"n_items": 10042}
    for n, times in ((10042, 1), (200, 0)):
        [(_, content)] = imports.load([{"path": str(path)}], {"n_items": n})
        assert sum("a guess" in note for note in content.notes) == times


def test_rows_that_are_numbered_once_are_not_counted_as_items(tmp_path):
    lines = [f"{n},m{n},0.{n}{n}37" for n in range(1, 7)]
    (path := tmp_path / "x.csv").write_text("\n".join(["id,model,quality", *lines]))
    assert imports.settle([{"path": str(path)}], {}).questions.answers["n_items"] is None


def test_columns_that_name_the_models_together_are_not_called_unread(tmp_path):
    rows = "bge,svm,0.91,0.9,3.2\nbge,forest,0.89,0.88,4.1\nlaser,svm,0.8,0.79,2.2\n"
    (path := tmp_path / "x.csv").write_text(
        f"embedding,classifier,accuracy,f1,training_time\n{rows}"
    )
    questions = imports.settle([{"path": str(path)}], {}).questions
    with pytest.raises(InputError, match="not read: 'training_time'; choose"):
        questions.require_answers()


def test_a_column_of_models_that_is_called_a_config_names_them_in_several_files(tmp_path):
    for model in ("lynx", "puma"):
        rows = "".join(f"t{i},{i % 2 * 4 + 3.5},{model}\n" for i in range(6))
        (tmp_path / f"{model}_results.csv").write_text(f"task_id,score,model_config\n{rows}")
    files = [{"path": str(path)} for path in sorted(tmp_path.iterdir())]
    answers = imports.settle(files, {}).questions.answers
    assert answers["columns"]["model"] == "model_config"


@pytest.mark.parametrize(("outcomes", "share"), [([1, 1, 1], 1.0), ([0.0, 1.0, 1.0], 2 / 3)])
def test_outcomes_by_number_are_answers_though_all_are_right(tmp_path, outcomes, share):
    content = {"model": "m", "graded": dict(zip("123", outcomes))}
    (path := tmp_path / "x.json").write_text(json.dumps(content))
    [(_, imported)] = imports.load([{"path": str(path)}], {})
    assert imported.responses["response"].mean() == pytest.approx(share)


def test_a_percent_sign_in_the_text_is_not_that_of_grades(tmp_path):
    table = "| Model | Judge |\n|---|---|\n| a | 8.11 |\n| b | 7.42 |\n| c | 6.93 |\n"
    (path := tmp_path / "x.md").write_text(f"# Results\n\nWin rates (%) are elsewhere.\n\n{table}")
    answers = imports.settle([{"path": str(path)}], {}).questions.answers
    assert answers["score_range"] == [0, 10]
