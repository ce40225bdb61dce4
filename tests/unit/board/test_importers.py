"""Importers on files as the tools write them, made small by hand; and on files that are damaged."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.board.importers import reading, streams, tidy
from saturation.board.importers.rows import Choice, Origin
from saturation.errors import InputError
from saturation.planning.paths import expand

ANY = Choice()
PROPORTION = tidy.Unit(minimum=0, maximum=1, higher_is_better=True)

GROUPED = {
    "results": {
        "mmlu": {"alias": "mmlu", "acc,none": 0.61, "acc_stderr,none": 0.0039},
        "mmlu_anatomy": {"alias": " - anatomy", "acc,none": 0.57, "acc_stderr,none": 0.043},
        "mmlu_virology": {"alias": " - virology", "acc,none": 0.5, "acc_stderr,none": "N/A"},
    },
    "groups": {"mmlu": {"alias": "mmlu", "acc,none": 0.61, "acc_stderr,none": 0.0039}},
    "group_subtasks": {"mmlu": ["mmlu_anatomy", "mmlu_virology"]},
    "higher_is_better": {name: {"acc": True} for name in ("mmlu", "mmlu_anatomy")},
    "n-samples": {
        "mmlu_anatomy": {"original": 135, "effective": 135},
        "mmlu_virology": {"original": 166, "effective": 100},
    },
    "config": {"model": "hf", "model_args": "pretrained=org/small-7b,dtype=float16"},
    "date": 1733011200.5,
    "model_name": "org/small-7b",
}
# Before version 0.4 keys had no filter, and nothing said n or the direction.
FLAT = {
    "results": {"sciq": {"acc": 0.89, "acc_stderr": 0.0099}},
    "versions": {"sciq": 0},
    "config": {"model": "gpt2", "model_args": "use_accelerate=True,pretrained=org/bloom-3b"},
}
AGGREGATE = {
    "schema_version": "0.3.0",
    "evaluation_id": "bench/org_m/1766000000",
    "retrieved_timestamp": "1766000000",
    "model_info": {"id": "org/m"},
    "eval_library": {"name": "inspect_ai", "version": "0.3"},
    "evaluation_results": [
        {
            "evaluation_name": "bench.overall",
            "metric_config": {"metric_id": "ppl", "lower_is_better": True, "min_score": 0,
                              "max_score": "Infinity", "score_type": "continuous"},
            "score_details": {"score": 7.5, "uncertainty": {"standard_error": {"value": 0.25},
                                                            "num_samples": 400}},
        },
        {
            "evaluation_name": "bench.part",
            "metric_config": {"metric_id": "ppl", "lower_is_better": True},
            "score_details": {"score": 9.0},
        },
    ],
}  # fmt: skip


def sample(document, filtered, value):
    return {"doc_id": document, "doc": {"q": "?"}, "target": "a", "arguments": {}, "resps": [["x"]],
            "filtered_resps": ["x"], "filter": filtered, "metrics": ["exact_match"],
            "doc_hash": "0" * 8, "prompt_hash": "1" * 8, "target_hash": "2" * 8,
            "exact_match": value}  # fmt: skip


def instance(name, value, split="test", perturbation=None):
    stat = {"name": {"name": "exact_match", "split": split}, "count": 1, "sum": value,
            "sum_squared": value, "min": value, "max": value, "mean": value, "variance": 0.0,
            "stddev": 0.0}  # fmt: skip
    entry = {"instance_id": name, "train_trial_index": 0, "stats": [stat]}
    return entry if perturbation is None else entry | {"perturbation": {"name": perturbation}}


@pytest.fixture
def write(tmp_path):
    """Write a file of the given content; returns its path."""

    def writer(content, name="file with spaces – ü.json", lines=False):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif lines:
            path.write_text("".join(json.dumps(one) + "\n" for one in content))
        else:
            path.write_text(json.dumps(content, indent=2))
        return path

    return writer


def read(path, choice=ANY, **known):
    return reading.read(path, choice, Origin(path.name, **known))


def violation(path, choice=ANY, **known):
    with pytest.raises(InputError) as error:
        read(path, choice, **known)
    return str(error.value)


class TestLmEvalResults:
    def test_a_group_stands_for_its_subtasks(self, write):
        (score,) = read(write(GROUPED)).scores
        assert (score.task, score.score, score.standard_error) == ("mmlu", 0.61, 0.0039)
        assert score.n_items == 235  # effective, summed over the subtasks
        assert score.model == "org/small-7b"
        assert score.date == "2024-12-01"
        assert (score.minimum, score.maximum, score.higher_is_better) == (0, 1, True)

    def test_a_subtask_can_be_chosen_and_its_error_may_be_not_available(self, write):
        (score,) = read(write(GROUPED), Choice(task="mmlu_virology")).scores
        assert (score.score, score.standard_error, score.n_items) == (0.5, None, 100)

    def test_flat_keys_of_older_versions(self, write):
        (score,) = read(write(FLAT)).scores
        assert (score.model, score.score, score.standard_error) == ("org/bloom-3b", 0.89, 0.0099)
        assert (score.n_items, score.higher_is_better) == (None, True)

    def test_several_filters_need_a_choice(self, write):
        content = {**FLAT, "results": {"gsm8k": {
            "exact_match,strict-match": 0.7, "exact_match_stderr,strict-match": 0.01,
            "exact_match,flexible-extract": 0.75, "exact_match_stderr,flexible-extract": 0.01,
        }}}  # fmt: skip
        assert "2 filters ('flexible-extract', 'strict-match')" in violation(write(content))
        (score,) = read(write(content), Choice(filter="flexible-extract")).scores
        assert score.score == 0.75

    def test_several_tasks_or_metrics_need_a_choice(self, write):
        two = {**FLAT, "results": {**FLAT["results"], "piqa": {"acc": 0.8, "acc_norm": 0.81}}}
        assert "2 tasks ('piqa', 'sciq'); choose one with the key 'task'" in violation(write(two))
        found = violation(write(two), Choice(task="piqa"))
        assert "2 metrics ('acc', 'acc_norm'); choose one with the key 'metric'" in found
        assert "no task 'arc'; the file has: 'piqa', 'sciq'" in violation(
            write(two), Choice(task="arc")
        )

    def test_a_file_that_names_no_model_asks_for_it(self, write):
        path = write({**FLAT, "config": {}})
        assert "the file names no model" in violation(path)
        assert read(path, model="mine").scores[0].model == "mine"


class TestLmEvalSamples:
    def test_one_row_a_document_and_the_last_line_counts(self, write):
        lines = [sample(0, "none", 0.0), sample(1, "none", 1.0), sample(0, "none", 1.0)]
        found = read(write(lines, lines=True), model="m", task="t")
        assert [(r.item, r.response) for r in found.responses] == [("t/0", 1.0), ("t/1", 1.0)]
        assert any("1 repeated lines" in note for note in found.notes)

    def test_filters_are_scorings_of_the_same_documents(self, write):
        lines = [sample(i, f, float(f == "b")) for f in ("a", "b") for i in range(3)]
        path = write(lines, lines=True)
        assert "2 filters ('a', 'b')" in violation(path, model="m")
        found = read(path, Choice(filter="b"), model="m")
        assert [r.response for r in found.responses] == [1.0, 1.0, 1.0]

    def test_the_model_is_that_of_the_results_beside_it(self, write):
        stamp = "2026-01-21T03-44-18.458309"
        write(GROUPED, f"run/results_{stamp}.json")
        path = write([sample(0, "none", 1.0)], f"run/samples_mmlu_anatomy_{stamp}.jsonl", True)
        (response,) = read(path).responses
        assert (response.model, response.item) == ("org/small-7b", "mmlu_anatomy/0")

    def test_else_that_of_its_folder_and_else_it_is_asked_for(self, write):
        name = "samples_arc_2026-01-21T03-44-18.458309.jsonl"
        path = write([sample(0, "none", 1.0)], f"org__m-1/{name}", True)
        assert read(path).responses[0].model == "org/m-1"
        bare = write([sample(0, "none", 1.0)], "renamed.txt", True)
        assert "give it with the key 'model'" in violation(bare)

    def test_a_missing_metric_names_the_line(self, write):
        path = write([sample(0, "none", 1.0)], lines=True)
        assert "line 1: no metric 'acc'; the line has: exact_match" in violation(
            path, Choice(metric="acc"), model="m"
        )


class TestEveryEvalEver:
    def test_the_overall_result_is_taken_and_infinite_bounds_are_no_bounds(self, write):
        (score,) = read(write(AGGREGATE)).scores
        assert (score.task, score.score, score.standard_error) == ("bench.overall", 7.5, 0.25)
        assert (score.n_items, score.higher_is_better) == (400, False)
        assert (score.minimum, score.maximum) == (0, None)
        assert score.date == "2025-12-17"

    def test_parts_can_be_chosen_and_several_without_an_overall_must_be(self, write):
        assert read(write(AGGREGATE), Choice(task="bench.part")).scores[0].score == 9.0
        parts = [{**r, "evaluation_name": f"p{i}"} for i, r in
                 enumerate(AGGREGATE["evaluation_results"])]  # fmt: skip
        found = violation(write({**AGGREGATE, "evaluation_results": parts}))
        assert "2 evaluations ('p0', 'p1'); choose one with the key 'task'" in found

    def test_an_interval_or_a_deviation_gives_the_error(self, write):
        content = json.loads(json.dumps(AGGREGATE))
        details = content["evaluation_results"][0]["score_details"]
        details["uncertainty"] = {"standard_deviation": 4.0, "num_samples": 400}
        assert read(write(content)).scores[0].standard_error == pytest.approx(0.2)
        details["uncertainty"] = {"confidence_interval": {
            "lower": 7.0, "upper": 8.0, "confidence_level": 0.95}}  # fmt: skip
        assert read(write(content)).scores[0].standard_error == pytest.approx(0.5 / 1.95996, 1e-4)

    def test_samples(self, write):
        lines = [
            {"schema_version": "0.3.0", "evaluation_id": "e", "model_id": "org/m",
             "evaluation_name": "bench", "sample_id": f"s{i}", "interaction_type": "single_turn",
             "input": {"raw": "?"}, "answer_attribution": [],
             "evaluation": {"score": float(i % 2), "is_correct": bool(i % 2)}}
            for i in (0, 1, 1)
        ]  # fmt: skip
        found = read(write(lines, lines=True))
        assert [(r.model, r.item, r.response) for r in found.responses] == [
            ("org/m", "s0", 0.0),
            ("org/m", "s1", 1.0),
        ]
        assert (found.minimum, found.maximum, found.higher_is_better) == (0, 1, True)
        lines[2]["schema_version"] = "0.2.1"
        assert "schema version 0.2.1 in a file that begins with 0.3" in violation(
            write(lines, lines=True)
        )

    def test_a_version_that_is_not_understood(self, write):
        found = violation(write({**AGGREGATE, "schema_version": "1.0.0"}))
        assert "schema version '1.0.0'" in found
        assert "understood: 0.2, 0.3" in found

    def test_mixed_versions_in_one_benchmark(self, write):
        files = [
            (name, read(write({**AGGREGATE, "schema_version": version}, name)))
            for name, version in (("a.json", "0.2.1"), ("b.json", "0.3.0"))
        ]
        with pytest.raises(InputError, match=r"b\.json: schema version 0\.3; .* mix .* 0\.2, 0\.3"):
            tidy.scores("x", files, tidy.Unit(bounded=False))


class TestHelm:
    def test_instances_with_perturbations_and_a_run_specification(self, write):
        folder = "mmlu:subject=philosophy,model=openai_gpt2"
        entries = [instance("id1", 1.0), instance("id1", 0.0, perturbation="typos"),
                   instance("id2", 0.0)]  # fmt: skip
        path = write(entries, f"{folder}/per_instance_stats.json")
        found = read(path)
        assert [(r.model, r.item, r.configuration, r.response) for r in found.responses] == [
            ("openai_gpt2", "id1", "", 1.0),
            ("openai_gpt2", "id1", "typos", 0.0),
            ("openai_gpt2", "id2", "", 0.0),
        ]
        write({"name": "x", "adapter_spec": {"model": "openai/gpt2"}}, f"{folder}/run_spec.json")
        assert read(path).responses[0].model == "openai/gpt2"

    def test_splits_need_a_choice_and_empty_statistics_are_left_out(self, write):
        empty = instance("id3", 0.0)
        del empty["stats"][0]["mean"]
        path = write([instance("id1", 1.0), instance("id2", 1.0, split="valid"), empty])
        assert "2 splits ('test', 'valid')" in violation(path, model="m")
        found = read(path, Choice(filter="test"), model="m")
        assert [r.item for r in found.responses] == ["id1"]
        assert found.notes == ["1 instances without a value were left out"]

    def test_without_any_name_the_model_is_asked_for(self, write):
        assert "give it with the key 'model'" in violation(write([instance("id1", 1.0)]))


class TestPlainTables:
    def test_leaderboard_with_deviations_and_intervals(self, write):
        path = write("model,score,standard_deviation,n_items,lower,upper\n"
                     "a,0.9,0.3,900,,\nb,0.8,,,0.78,0.82\nNA,0.7,,10,,\n", "x.csv")  # fmt: skip
        a, b, c = read(path).scores
        assert a.standard_error == pytest.approx(0.01)
        assert b.standard_error == pytest.approx(0.02 / 1.95996, 1e-4)
        assert (c.model, c.standard_error, c.n_items) == ("NA", None, 10)

    def test_parquet_is_recognised_whatever_its_name(self, write, tmp_path):
        pd.DataFrame({"model": ["a"], "score": [0.5]}).to_parquet(tmp_path / "table")
        assert read(tmp_path / "table").scores[0].score == 0.5

    @pytest.mark.parametrize(
        "text",
        [
            "model,q1,q2\na,1,0\nb,1,1\n",
            "item,a,b\nq1,1,1\nq2,0,1\n",
            "model,item,response\na,q1,1\na,q2,0\nb,q1,1\nb,q2,1\n",
        ],
    )
    def test_response_matrices_in_every_layout(self, write, text):
        found = tidy.responses("x", [("f", read(write(text, "x.csv")))], PROPORTION)
        assert found.groupby("model")["response"].mean().to_dict() == {"a": 0.5, "b": 1.0}

    def test_an_empty_cell_of_a_matrix_is_an_item_that_was_not_answered(self, write):
        found = read(write("model,q1,q2\na,1,\nb,1,1\n", "x.csv"))
        assert len(found.responses) == 3
        assert found.notes == ["1 empty cells: items that a model did not answer"]

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("model,item,response\na,q1,1\n,q2,0\n", "row 3, column 'model': the value is missing"),
            ("model,item,response\na,,1\na,q2,0\n", "row 2, column 'item': the value is missing"),
            ("model,q1,q2\na,1,0\n,1,1\n", "row 3, column 'model': the value is missing"),
            ("model,item,correct\na,q1,1\n", "'response' is missing"),
        ],
    )
    def test_a_missing_name_or_column_of_responses_is_named(self, write, text, said):
        with pytest.raises(InputError, match=said):
            read(write(text, "x.csv"))

    def test_attempts_become_pass_at_k(self, write):
        path = write("model,item,attempts,correct\na,q1,5,1\na,q2,5,0\n", "x.csv")
        assert [r.response for r in read(path, Choice(pass_k=2)).responses] == pytest.approx(
            [0.4, 0.0]
        )
        assert "give the k of pass@k" in violation(path)
        assert "row 2: 1 of 5 attempts; allowed: at least 6" in violation(path, Choice(pass_k=6))

    def test_an_unknown_column_is_named(self, write):
        assert "column 'stderr' is not known; allowed: model, score" in violation(
            write("model,score,stderr\na,1,0\n", "x.csv")
        )


class TestDamage:
    def test_truncated_json(self, write):
        whole = json.dumps(GROUPED, indent=2)
        for end in (len(whole) // 2, len(whole) - 3):
            assert "cut off" in violation(write(whole[:end]))

    def test_truncated_lines_and_lists(self, write):
        text = json.dumps(sample(0, "none", 1.0)) + "\n" + json.dumps(sample(1, "none", 1.0))[:-9]
        assert "line 2: the file is cut off" in violation(write(text), model="m")
        text = json.dumps([instance("a", 1.0), instance("b", 1.0)])[:-30]
        assert "ends inside element 2" in violation(write(text), model="m")

    def test_broken_json_names_line_and_column(self, write):
        assert "line 2, column 12: not JSON" in violation(write('{\n"results": nonsense\n}'))

    def test_html_saved_as_json(self, write):
        page = "<!doctype html><title>404</title>"
        assert "this is an HTML page, not data" in violation(write(page))

    def test_empty_compressed_and_wrongly_encoded_files(self, write):
        assert "the file is empty" in violation(write(b" \n"))
        assert "compressed or binary" in violation(write(b"\x1f\x8b\x08\x00rest"))
        assert "is not UTF-8" in violation(write("model,score\né,1\n".encode("latin-1")))

    @pytest.mark.parametrize("content", [{"a": 1}, [{"a": 1}], [], "alpha,beta\n1,2\n"])
    def test_an_unknown_format_lists_what_is_understood(self, write, content):
        found = violation(write(content))
        assert "the format is not recognised" in found
        for tool in ("lm-evaluation-harness", "Every Eval Ever", "HELM", "leaderboard"):
            assert tool in found

    def test_a_required_part_that_is_missing(self, write):
        broken = {**AGGREGATE, "model_info": {}}
        assert "a part that the format requires is missing" in violation(write(broken))

    def test_a_record_beyond_all_bounds_is_refused_before_it_fills_memory(self, write, monkeypatch):
        monkeypatch.setattr(streams, "LONGEST_RECORD", 400)
        long = sample(1, "none", 1.0) | {"doc": "x" * 500}
        path = write([sample(0, "none", 1.0), long], lines=True)
        assert "line 2: longer than" in violation(path, model="m")

    def test_a_list_is_read_across_chunks(self, write, monkeypatch):
        monkeypatch.setattr(streams, "CHUNK", 7)
        path = write([instance(f"id{i}", 1.0) for i in range(5)])
        assert len(read(path, model="m").responses) == 5


class TestTidy:
    def table(self, write, text, unit=PROPORTION):
        return tidy.scores("x", [("f.csv", read(write(text, "x.csv")))], unit)

    def sentences(self, write, text, unit=PROPORTION):
        with pytest.raises(InputError) as error:
            self.table(write, text, unit)
        return error.value.violations

    def test_percent_becomes_proportion_with_its_error_and_lower_is_turned_round(self, write):
        percent = tidy.Unit(minimum=0, maximum=100, higher_is_better=False)
        row = self.table(write, "model,score,standard_error\na,25,2\n", percent).iloc[0]
        assert (row["score"], row["standard_error"]) == (0.75, 0.02)

    def test_ratings_keep_their_unit(self, write):
        unit = tidy.Unit(higher_is_better=True, bounded=False)
        assert self.table(write, "model,score\na,1312\n", unit)["score"].item() == 1312

    def test_every_violation_is_said_at_once(self, write):
        found = self.sentences(write, "model,score,n_items,standard_error,date\n"
            "a,,10,,\nb,71.5,10,,\nc,0.5,0,,\nd,0.5,10,-1,\ne,0.5,2.5,,\nf,0.5,10,,1.2.25\n"
            "g,inf,10,,\n,0.5,10,,\n")  # fmt: skip
        assert any("row 9, model '': the model's name is missing" in one for one in found)
        assert "f.csv, row 2, model 'a': score nan; expected a finite number" in found
        assert any("row 3, model 'b': score 71.5 is outside" in one for one in found)
        assert any("n_items 0" in one for one in found)
        assert any("standard error -1" in one for one in found)
        assert any("n_items 2.5" in one for one in found)
        assert any("date '1.2.25'; expected an ISO date" in one for one in found)
        assert any("score inf" in one for one in found)

    def test_direction_and_range_must_be_known(self, write):
        text = "model,score,n_items\na,0.5,10\n"
        assert any("'score_range'" in one for one in self.sentences(write, text, tidy.Unit()))
        unit = tidy.Unit(minimum=0, maximum=1)
        assert any("'higher_is_better'" in one for one in self.sentences(write, text, unit))

    def test_duplicate_models(self, write):
        (found,) = self.sentences(write, "model,score,n_items\na,0.5,10\na,0.6,10\n")
        assert "model 'a' has more than one score" in found
        runs = self.table(write, "model,score,n_items,run\na,0.5,10,1\na,0.6,10,2\n")
        assert len(runs) == 2

    def test_scores_without_n_and_without_error(self, write):
        bare = self.table(write, "model,score\na,0.5\n")
        none = pd.DataFrame(columns=tidy.RESPONSE_COLUMNS)
        with pytest.raises(InputError, match=r"model 'a' has neither n nor a standard error"):
            tidy.require_errors(bare, none)
        runs = self.table(write, "model,score,run\na,0.5,1\na,0.6,2\n")
        tidy.require_errors(runs, none)
        given = tidy.Unit(minimum=0, maximum=1, higher_is_better=True, n_items=50)
        assert self.table(write, "model,score\na,0.5\n", given)["n_items"].item() == 50

    def test_responses_out_of_range_missing_or_twice(self, write):
        text = "model,item,response\na,q1,2\na,q2,\n"
        with pytest.raises(InputError) as error:
            tidy.responses("x", [("f", read(write(text, "x.csv")))], PROPORTION)
        assert "row 2, model 'a', item 'q1': response 2" in error.value.violations[0]
        assert len(error.value.violations) == 2
        twice = read(write("model,item,response\na,q,1\na,q,0\n", "y.csv"))
        with pytest.raises(InputError, match="answers item 'q' twice"):
            tidy.responses("x", [("f", twice)], PROPORTION)


class TestPaths:
    def test_patterns_names_with_glob_characters_and_the_workflow_folder(self, tmp_path):
        for name in ("b.json", "a.json", "odd [1].json"):
            (tmp_path / name).write_text("{}")
        found = [Path(one["path"]).name for one in expand(["*.json"], tmp_path)]
        assert found == ["a.json", "b.json", "odd [1].json"]
        entry = {"path": "odd [1].json", "model": "m"}
        (one,) = expand([entry], tmp_path)
        assert one["model"] == "m"
        assert Path(one["path"]).name == "odd [1].json"

    def test_all_that_match_nothing_are_named(self, tmp_path):
        with pytest.raises(InputError) as error:
            expand(["no.json", "*.none"], tmp_path)
        assert len(error.value.violations) == 2


@pytest.mark.heavy
def test_two_gigabytes_of_samples_are_read_in_bounded_memory(tmp_path):
    """The peak is that of the process, so it runs in one of its own."""
    import subprocess
    import sys

    path = tmp_path / "samples.jsonl"
    filler = "x" * 20_000
    with path.open("w") as stream:
        for document in range(100_000):
            stream.write(json.dumps(sample(document, "none", 1.0) | {"doc": filler}) + "\n")
    assert path.stat().st_size > 2e9
    code = (
        "import sys, resource; from pathlib import Path\n"
        "from saturation.board.importers import reading\n"
        "from saturation.board.importers.rows import *\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "n = len(reading.read(Path(sys.argv[1]), Choice(), Origin('f', 'm')).responses)\n"
        "print(n, before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    responses, before, peak = map(int, done.stdout.split())
    assert responses == 100_000
    assert (peak - before) * 1024 < 200e6
    assert np.isfinite(peak)
