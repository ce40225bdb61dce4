"""Files of tools that are read since they are common: real ones where the tool could be run."""

import json

import pandas as pd
import pytest

from saturation.leaderboard.read import registry
from saturation.leaderboard.read.rows import Choice, Origin

RIGHT = {"alpha": 5 / 6, "beta": 0.5}
LIGHTEVAL = {
    "config_general": {"model_name": "org/m"},
    "results": {"lighteval|t|0": {"em": 0.5, "em_stderr": 0.1}, "all": {"em": 0.5},
                "lighteval|u|0": {"acc": 0.4}},
    "versions": {}, "config_tasks": {"lighteval|t": {"effective_num_docs": 25}},
}  # fmt: skip
BOARDS = {"leaderboards": [
    {"name": "Lite", "results": [
        {"name": "A", "resolved": 40.0, "date": "2025-01-02", "folder": "x"},
        {"name": "B", "resolved": 50.0, "date": "2025-01-03", "folder": "y",
         "per_instance_details": {"p": {"resolved": True}, "q": {"resolved": False}}}]},
    {"name": "Full", "results": [
        {"name": "A", "resolved": 1.0, "date": "2025-01-02", "folder": folder}
        for folder in "xy"]}]}  # fmt: skip
MTEB = {"mteb_version": "1.14", "dataset_revision": "x", "task_name": "T",
          "scores": {"test": [{"main_score": 0.4, "hf_subset": "de"},
                              {"main_score": 0.6, "hf_subset": "en"}]}}  # fmt: skip


@pytest.fixture
def fixtures(request):
    return request.config.rootpath / "tests/fixtures"


def tasks(path, **choice):
    return registry.tasks(Origin(path), Choice(**choice))


class TestInspect:
    @pytest.mark.parametrize("pattern", ["0.3.50/*.eval", "0.3.285/*.eval", "0.3.285/*.json"])
    def test_logs_that_inspect_wrote(self, fixtures, read, pattern):
        paths = sorted((fixtures / "inspect_ai").glob(pattern))
        assert paths
        for path in paths:
            found = read(path)
            (model,) = {row.model for row in found.responses}
            assert found.format == ("inspect_json" if path.suffix == ".json" else "inspect_eval")
            assert [row.item for row in found.responses] == [f"q{i}" for i in range(1, 7)]
            mean = sum(row.response for row in found.responses) / 6
            assert mean == pytest.approx(RIGHT[model.removeprefix("mockllm/")])
            assert (found.minimum, found.maximum, found.higher_is_better) == (0, 1, True)
            assert found.responses[0].date.startswith("2026-11-22")
            assert found.notes == []

    @pytest.fixture
    def log(self):
        sample = {"id": "q", "epoch": 1, "scores": {"s": {"value": "P"}}}
        score = {"name": "s", "scored_samples": 9, "metrics": {
            "accuracy": {"value": 0.75}, "stderr": {"value": 0.05}}}  # fmt: skip
        return {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"},
                "results": {"scores": [score], "completed_samples": 10},
                "samples": [sample]}  # fmt: skip

    def test_a_log_without_samples_gives_its_metric(self, write, read, log):
        del log["samples"]
        (score,) = read(write(log)).scores
        assert (score.model, score.score, score.standard_error) == ("m", 0.75, 0.05)
        assert (score.n_items, score.metric, score.date) == (9, "accuracy", None)
        assert (score.minimum, score.maximum, score.higher_is_better) == (0, 1, True)

    def test_epochs_are_runs_and_samples_without_a_score_are_counted(self, write, read, log):
        again = log["samples"][0] | {"epoch": 2, "scores": {"s": {"value": True}}}
        log["samples"] += [again, {"id": "r", "epoch": 1, "scores": {}}]
        log["status"] = "error"
        found = read(write(log))
        assert [(r.run, r.response) for r in found.responses] == [("epoch 1", 0.5), ("epoch 2", 1)]
        assert found.notes == [
            "the log's status is 'error': it may lack samples",
            "1 samples without a score were left out",
        ]

    def test_one_of_several_values_and_the_last_of_a_sample_listed_twice(self, write, read, log):
        log["samples"].append(log["samples"][0] | {"scores": {"s": {"value": {"x": 3, "y": 0.5}}}})
        (row,) = read(write(log), Choice(filter="x")).responses
        assert row.response == 3
        assert read(write(log), Choice(filter="x")).maximum is None


class TestLmEval:
    def test_files_that_the_harness_wrote(self, fixtures, read):
        for name, share in RIGHT.items():
            folder = fixtures / "lm_eval/0.4.13" / f"synthetic__{name}"
            (score,) = read(next(folder.glob("results_*.json"))).scores
            assert (score.model, score.n_items) == (f"synthetic/{name}", 6)
            assert score.score == pytest.approx(share)
            found = read(next(folder.glob("samples_*.jsonl")), Choice(metric="acc"))
            assert sum(row.response for row in found.responses) == pytest.approx(6 * share)
            assert {row.model for row in found.responses} == {f"synthetic/{name}"}

    def test_the_tasks_are_those_outside_groups_with_the_metric(self, write, grouped):
        grouped["results"]["other"] = {"f1,none": 0.5}
        assert tasks(write(grouped)) == ["mmlu", "other"]
        assert tasks(write(grouped), metric="acc") == ["mmlu"]


class TestLighteval:
    def test_results(self, write, read, violation):
        path = write(LIGHTEVAL, "results_2024-11-25T10-11-12.345.json")
        assert tasks(path) == ["lighteval|t|0", "lighteval|u|0"]
        assert tasks(path, metric="em") == ["lighteval|t|0"]
        (score,) = read(path, Choice(task="lighteval|t|0")).scores
        assert (score.model, score.score, score.standard_error) == ("org/m", 0.5, 0.1)
        assert (score.n_items, score.date, score.maximum) == (25, "2024-11-25", 1)
        assert read(path, Choice(task="lighteval|u|0")).scores[0].n_items is None
        assert "2 tasks" in violation(path)
        nameless = LIGHTEVAL | {"config_general": {"model_config": {}}}
        assert "names no model" in violation(write(nameless), Choice(task="lighteval|u|0"))
        other = LIGHTEVAL | {"config_general": {"model_config": {"model_name": "n"}}}
        assert read(write(other), Choice(task="lighteval|u|0")).scores[0].model == "n"

    @pytest.mark.parametrize("repeated", [True, False])
    def test_details(self, tmp_path, read, violation, repeated):
        values = [{"em": 1.0, "f1": 0.5}, {"em": 0.0, "f1": 0.25}, {"em": 1.0, "f1": 0.5}]
        docs = [{"id": name, "query": "?"} for name in ("x", "y", "x" if repeated else "z")]
        table = {"doc": docs, "metric": values, "model_response": [{"a": 1}] * 3}
        path = tmp_path / "details/org/m/2024-11-25T10/details_t_2024-11-25T10-11-12.parquet"
        path.parent.mkdir(parents=True)
        pd.DataFrame(table).to_parquet(path)
        assert "2 metrics ('em', 'f1')" in violation(path)
        found = read(path, Choice(metric="em"))
        assert [row.response for row in found.responses] == [1, 0, 1]
        first, second, third = (row.item for row in found.responses)
        assert third == (f"{first} (2)" if repeated else "z")
        assert "(" not in first + second
        assert {(row.model, row.date) for row in found.responses} == {("org/m", "2024-11-25")}
        moved = path.rename(tmp_path / "x.parquet")
        assert "key 'model'" in violation(moved, Choice(metric="em"))


class TestHelmStats:
    def test_the_mean_of_a_metric_with_the_run_s_number_of_instances(self, write, read, violation):
        def stat(name, mean, **more):
            return {"name": {"name": name, "split": "test"} | more, "count": 1, "sum": mean,
                    "mean": mean}  # fmt: skip

        stats = [stat("exact_match", 0.5), stat("num_instances", 40.0),
                 stat("exact_match", 0.1, perturbation={"name": "typos"})]  # fmt: skip
        path = write(stats, "t:model=org_m/stats.json")
        (score,) = read(path).scores
        assert (score.model, score.score, score.n_items) == ("org_m", 0.5, 40)
        assert (score.metric, score.maximum) == ("exact_match", 1)
        path = write([*stats, stat("f1", 0.6)], "t:model=org_m/more.json")
        assert "2 metrics" in violation(path)


class TestSweBench:
    def test_leaderboards(self, write, read):
        path = write(BOARDS)
        assert tasks(path) == ["Lite", "Full"]
        found = read(path, Choice(task="Lite"))
        (score,) = found.scores
        assert (score.model, score.score, score.maximum) == ("A", 40.0, 100)
        assert [(r.model, r.item, r.response, r.date) for r in found.responses] == [
            ("B", "p", True, "2025-01-03"), ("B", "q", False, "2025-01-03"),
        ]  # fmt: skip
        of_one_name = read(path, Choice(task="Full")).scores
        assert [score.model for score in of_one_name] == ["A [x]", "A [y]"]

    def test_a_report_counts_what_was_not_resolved(self, write, read):
        report = {"total_instances": 3, "resolved_ids": ["p"], "unresolved_ids": ["q"],
                  "incomplete_ids": ["r"]}  # fmt: skip
        found = read(write(report, "org__m.run1.json"))
        assert [(r.model, r.item, r.response) for r in found.responses] == [
            ("org/m", "p", 1), ("org/m", "q", 0), ("org/m", "r", 0),
        ]  # fmt: skip
        assert (found.minimum, found.maximum, found.higher_is_better) == (0, 1, True)

    def test_instances_are_in_clusters_by_their_repository(self, write, read):
        ids = ["django__django-1", "scikit-learn__scikit-learn-2", "p"]
        clusters = ["django__django", "scikit-learn__scikit-learn", ""]
        report = {"total_instances": 3, "resolved_ids": ids[:1], "unresolved_ids": ids[1:]}
        details = {instance: {"resolved": True} for instance in ids}
        system = {"name": "B", "resolved": 100.0, "per_instance_details": details}
        boards = {"leaderboards": [{"name": "Lite", "results": [system]}]}
        for content in (report, boards):
            found = read(write(content, "m/results/m.run1.json"), Choice(task="Lite"))
            assert {r.item: r.cluster for r in found.responses} == dict(zip(ids, clusters))


class TestMteb:
    def test_the_mean_of_the_subsets_and_the_model_of_the_folders(self, write, read, violation):
        path = write(MTEB, "org__m/revision/T.json")
        found = read(path)
        (score,) = found.scores
        assert (score.model, score.score, score.metric) == ("org/m", 0.5, "main_score")
        assert found.notes == ["mean of the 2 subsets' main scores"]
        (path.parent / "model_meta.json").write_text(json.dumps({"name": "org/n"}))
        assert read(path, Choice(task="T")).scores[0].model == "org/n"
        assert "no task 'U'" in violation(path, Choice(task="U"))


class TestSummaries:
    def test_opencompass_is_read_as_any_table(self, write, read):
        text = ("dataset,version,metric,mode,m1,m2\n,,-,-,-,-\nd,1a,accuracy,gen,50.5,-\n"
                "e,1b,score,gen,20,30\n")  # fmt: skip
        path = write(text, "x.csv")
        assert tasks(path) == ["d", "e"]
        (score,) = read(path, Choice(task="d")).scores
        assert (score.model, score.score, score.maximum) == ("m1", 50.5, 100)
        assert len(read(path, Choice(task="e")).scores) == 2

    def test_alpaca_eval(self, write, read):
        text = (",length_controlled_winrate,lc_standard_error,win_rate,standard_error,n_total\n"
                "m,50,1.5,51,1.25,805\nn,,,40,1,805\n")  # fmt: skip
        path = write(text, "x.csv")
        (score,) = read(path, Choice(metric="length_controlled_winrate")).scores
        assert (score.model, score.score, score.standard_error, score.n_items) == (
            "m", 50, 1.5, 805,
        )  # fmt: skip
        assert len(read(path, Choice(metric="win_rate")).scores) == 2


def test_the_tasks_of_plain_tables(write):
    assert tasks(write("model,score,task\na,1,t\na,1,u\nb,1,t\n", "x.csv")) == ["t", "u"]
    assert tasks(write("model,score\na,1\n", "x.csv")) == []
    assert tasks(write("model,kind,t,date\na,x,0.5,\nb,y,0.6,\n", "x.csv")) == ["t"]
    assert tasks(write("model,item,response\na,q,1\n", "x.csv")) == []
    rows = "System,Dataset,Accuracy\na,t,0.1\na,u,0.2\nb,t,0.3\nb,u,0.4\n"
    assert tasks(write(rows, "x.csv")) == ["t", "u"]


def test_systems_without_instances_have_the_number_of_the_others(write, read):
    boards = json.loads(json.dumps(BOARDS))
    found = read(write(boards), Choice(task="Lite"))
    assert [score.n_items for score in found.scores] == [2]
    assert found.notes == ["1 systems without instances are taken to have those of the others: 2"]
    boards["leaderboards"][0]["results"].append(
        {"name": "C", "resolved": 50.0, "date": "2025-01-03", "folder": "z",
         "per_instance_details": {"p": {"resolved": True}}}
    )  # fmt: skip
    found = read(write(boards), Choice(task="Lite"))
    assert [score.n_items for score in found.scores] == [None]
    assert found.notes == []
