"""lm-evaluation-harness: results in both key styles, samples with filters and repeated lines."""

import pytest

from saturation.leaderboard.read import registry
from saturation.leaderboard.read.rows import Choice, Origin

# Before version 0.4 keys had no filter, and nothing said n or the direction.
FLAT = {
    "results": {"sciq": {"acc": 0.89, "acc_stderr": 0.0099}},
    "versions": {"sciq": 0},
    "config": {"model": "gpt2", "model_args": "use_accelerate=True,pretrained=org/bloom-3b"},
}


class TestLmEvalResults:
    def test_a_group_stands_for_its_subtasks(self, write, read, grouped):
        (score,) = read(write(grouped)).scores
        assert (score.task, score.score, score.standard_error) == ("mmlu", 0.61, 0.0039)
        assert score.n_items == 235  # effective, summed over the subtasks
        assert score.model == "org/small-7b"
        assert score.date == "2024-12-01"
        assert (score.minimum, score.maximum, score.higher_is_better) == (0, 1, True)

    def test_a_group_without_scores_is_no_task_and_hides_none(self, write, read, grouped):
        grouped["results"]["mmlu"] = {" ": " ", "alias": "mmlu"}
        path = write(grouped)
        assert registry.tasks(Origin(path), Choice()) == ["mmlu_anatomy", "mmlu_virology"]

    def test_a_subtask_can_be_chosen_and_its_error_may_be_not_available(self, write, read, grouped):
        (score,) = read(write(grouped), Choice(task="mmlu_virology")).scores
        assert (score.score, score.standard_error, score.n_items) == (0.5, None, 100)

    def test_flat_keys_of_older_versions(self, write, read):
        (score,) = read(write(FLAT)).scores
        assert (score.model, score.score, score.standard_error) == ("org/bloom-3b", 0.89, 0.0099)
        assert (score.n_items, score.higher_is_better) == (None, True)

    def test_several_filters_need_a_choice(self, write, read, violation):
        content = {**FLAT, "results": {"gsm8k": {
            "exact_match,strict-match": 0.7, "exact_match_stderr,strict-match": 0.01,
            "exact_match,flexible-extract": 0.75, "exact_match_stderr,flexible-extract": 0.01,
        }}}  # fmt: skip
        assert "2 filters ('flexible-extract', 'strict-match')" in violation(write(content))
        (score,) = read(write(content), Choice(filter="flexible-extract")).scores
        assert score.score == 0.75

    def test_several_tasks_or_metrics_need_a_choice(self, write, violation):
        two = {**FLAT, "results": {**FLAT["results"], "piqa": {"acc": 0.8, "acc_norm": 0.81}}}
        assert "2 tasks ('piqa', 'sciq'); choose one with the key 'task'" in violation(write(two))
        found = violation(write(two), Choice(task="piqa"))
        assert "2 metrics ('acc', 'acc_norm'); choose one with the key 'metric'" in found
        assert "no task 'arc'; the file has: 'piqa', 'sciq'" in violation(
            write(two), Choice(task="arc")
        )

    def test_n_of_subtasks_is_known_only_if_it_is_known_of_all(self, write, read, grouped):
        del grouped["n-samples"]["mmlu_virology"]
        assert read(write(grouped)).scores[0].n_items is None
        grouped["results"]["mmlu_virology"]["sample_len"] = 7
        assert read(write(grouped)).scores[0].n_items == 142
        grouped["n-samples"] = {"mmlu": {"original": 99}}
        assert read(write(grouped)).scores[0].n_items == 99

    def test_a_date_that_is_no_number_is_none(self, write, read, grouped):
        assert read(write(grouped | {"date": "today"})).scores[0].date is None
        assert read(write(grouped), date="2025-01-01").scores[0].date == "2025-01-01"

    def test_the_file_s_direction_comes_before_the_metric_s(self, write, read, grouped):
        grouped["higher_is_better"]["mmlu"]["acc"] = False
        assert read(write(grouped)).scores[0].higher_is_better is False

    @pytest.mark.parametrize(
        "arguments",
        ["dtype=float16, pretrained=org/m", {"pretrained": "org/m"}, {"model": "org/m"}],
    )
    def test_the_model_from_its_arguments(self, write, read, grouped, arguments):
        del grouped["model_name"]
        grouped["config"]["model_args"] = arguments
        assert read(write(grouped)).scores[0].model == "org/m"


class TestLmEvalSamples:
    def test_one_row_a_document_and_the_last_line_counts(self, write, read, make_sample):
        lines = [
            make_sample(0, "none", 0.0),
            make_sample(1, "none", 1.0),
            make_sample(0, "none", 1.0),
        ]
        found = read(write(lines, lines=True), model="m", task="t")
        assert [(r.item, r.response) for r in found.responses] == [("t/0", 1.0), ("t/1", 1.0)]
        assert found.notes[0] == "filter 'none', metric 'exact_match'"
        assert found.notes[1].startswith("1 repeated lines")
        assert (found.minimum, found.maximum, found.higher_is_better) == (0, 1, True)

    def test_filters_are_scorings_of_the_same_documents(self, write, read, violation, make_sample):
        lines = [make_sample(i, f, float(f == "b")) for f in ("a", "b") for i in range(3)]
        path = write(lines, lines=True)
        assert "2 filters ('a', 'b')" in violation(path, model="m")
        found = read(path, Choice(filter="b"), model="m")
        assert [r.response for r in found.responses] == [1.0, 1.0, 1.0]

    def test_the_model_is_that_of_the_results_beside_it(self, write, read, make_sample, grouped):
        stamp = "2026-01-21T03-44-18.458309"
        write(grouped, f"run/results_{stamp}.json")
        path = write([make_sample(0, "none", 1.0)], f"run/samples_mmlu_anatomy_{stamp}.jsonl", True)
        (response,) = read(path).responses
        assert (response.model, response.item) == ("org/small-7b", "mmlu_anatomy/0")

    def test_else_that_of_its_folder_and_else_it_is_asked_for(
        self, write, read, violation, make_sample
    ):
        name = "samples_arc_2026-01-21T03-44-18.458309.jsonl"
        path = write([make_sample(0, "none", 1.0)], f"org__m-1/{name}", True)
        assert read(path).responses[0].model == "org/m-1"
        bare = write([make_sample(0, "none", 1.0)], "renamed.txt", True)
        assert "give it with the key 'model'" in violation(bare)

    def test_metrics_that_a_line_does_not_list_are_its_other_numbers(self, write, read):
        line = {"doc_id": 3, "doc": {}, "target": "a", "idx": 5, "acc": 1.0, "filter": "none"}
        (response,) = read(write([line], lines=True), model="m").responses
        assert (response.item, response.response) == ("3", 1.0)

    def test_a_task_in_the_line_comes_before_all_other_names(self, write, read, make_sample):
        line = make_sample(0, "none", 1.0) | {"task_name": "inner"}
        assert read(write([line], lines=True), model="m", task="t").responses[0].item == "inner/0"
        plain = write([make_sample(0, "none", 1.0)], lines=True)
        assert read(plain, model="m").responses[0].item == "0"
