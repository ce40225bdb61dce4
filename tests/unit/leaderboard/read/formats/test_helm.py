"""HELM: instances with perturbations and splits, and where the model's name is found."""

from saturation.leaderboard.read.rows import Choice


class TestHelm:
    def test_instances_with_perturbations_and_a_run_specification(self, write, read, make_instance):
        folder = "mmlu:subject=philosophy,model=openai_gpt2"
        entries = [make_instance("id1", 1.0), make_instance("id1", 0.0, perturbation="typos"),
                   make_instance("id2", 0.0)]  # fmt: skip
        path = write(entries, f"{folder}/per_instance_stats.json")
        found = read(path)
        assert [(r.model, r.item, r.configuration, r.response) for r in found.responses] == [
            ("openai_gpt2", "id1", "", 1.0),
            ("openai_gpt2", "id1", "typos", 0.0),
            ("openai_gpt2", "id2", "", 0.0),
        ]
        write({"name": "x", "adapter_spec": {"model": "openai/gpt2"}}, f"{folder}/run_spec.json")
        assert read(path).responses[0].model == "openai/gpt2"

    def test_splits_need_a_choice_and_empty_statistics_are_left_out(
        self, write, read, violation, make_instance
    ):
        empty = make_instance("id3", 0.0)
        del empty["stats"][0]["mean"]
        path = write([make_instance("id1", 1.0), make_instance("id2", 1.0, split="valid"), empty])
        assert "2 splits ('test', 'valid')" in violation(path, model="m")
        found = read(path, Choice(filter="test"), model="m")
        assert [r.item for r in found.responses] == ["id1"]
        assert found.notes == ["1 instances without a value were left out"]

    def test_metrics_need_a_choice_and_the_others_are_passed_over(
        self, write, read, violation, make_instance
    ):
        entry = make_instance("id1", 1.0)
        other = make_instance("id1", 0.25)["stats"][0]
        other["name"] = {"name": "f1", "split": "test"}
        entry["stats"].append(other)
        path = write([entry])
        assert "2 metrics ('exact_match', 'f1')" in violation(path, model="m")
        imported = read(path, Choice(metric="f1"), model="m")
        assert [r.response for r in imported.responses] == [0.25]
        assert imported.maximum is None
        known = read(path, Choice(metric="exact_match"), model="m")
        assert (known.minimum, known.maximum, known.higher_is_better) == (0, 1, True)

    def test_train_trials_are_runs_and_the_config_names_the_configuration(
        self, write, read, make_instance
    ):
        second = make_instance("id1", 0.0) | {"train_trial_index": 1}
        path = write([make_instance("id1", 1.0), second])
        runs = read(path, model="m", configuration="plain").responses
        assert [(r.run, r.configuration, r.response, r.row) for r in runs] == [
            ("0", "plain", 1.0, 1),
            ("1", "plain", 0.0, 2),
        ]

    def test_a_deployment_or_the_folder_names_the_model(self, write, read, make_instance):
        path = write([make_instance("id1", 1.0)], "run:model=a_b/per_instance_stats.json")
        write({"adapter_spec": {"model_deployment": "x/y"}}, "run:model=a_b/run_spec.json")
        assert read(path).responses[0].model == "x/y"
        write({"adapter_spec": None}, "run:model=a_b/run_spec.json")
        assert read(path).responses[0].model == "a_b"
