"""Every Eval Ever: aggregates and samples of two schema versions."""

import json

import pytest

from saturation.errors import InputError
from saturation.leaderboard.read import tidy
from saturation.leaderboard.read.rows import Choice

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


@pytest.fixture
def content():
    """A copy of the aggregate, to be changed."""
    return json.loads(json.dumps(AGGREGATE))


class TestEveryEvalEver:
    def test_the_overall_result_is_taken_and_infinite_bounds_are_no_bounds(self, write, read):
        (score,) = read(write(AGGREGATE)).scores
        assert (score.task, score.score, score.standard_error) == ("bench.overall", 7.5, 0.25)
        assert (score.n_items, score.higher_is_better) == (400, False)
        assert (score.minimum, score.maximum) == (0, None)
        assert score.date == "2025-12-17"

    def test_parts_can_be_chosen_and_several_without_an_overall_must_be(
        self, write, read, violation
    ):
        assert read(write(AGGREGATE), Choice(task="bench.part")).scores[0].score == 9.0
        parts = [{**r, "evaluation_name": f"p{i}"} for i, r in
                 enumerate(AGGREGATE["evaluation_results"])]  # fmt: skip
        found = violation(write({**AGGREGATE, "evaluation_results": parts}))
        assert "2 evaluations ('p0', 'p1'); choose one with the key 'task'" in found

    @pytest.mark.parametrize(
        ("stated", "error"),
        [
            ({"standard_deviation": 4.0, "num_samples": 400}, 0.2),
            ({"confidence_interval": {"lower": 7, "upper": 8, "confidence_level": 0.95}}, 0.255107),
            ({"confidence_interval": {"lower": 7, "upper": 8}}, None),
            ({"standard_error": 0.5}, 0.5),
        ],
    )
    def test_an_interval_or_a_deviation_gives_the_error(self, write, read, content, stated, error):
        content["evaluation_results"][0]["score_details"]["uncertainty"] = stated
        assert read(write(content)).scores[0].standard_error == pytest.approx(error, abs=1e-6)

    def test_samples(self, write, read, violation):
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
        lines[2]["schema_version"] = "9.1"
        assert "line 3: schema version '9.1'" in violation(write(lines, lines=True))

    def test_mixed_versions_in_one_benchmark(self, write, read):
        files = [
            (name, read(write({**AGGREGATE, "schema_version": version}, name)))
            for name, version in (("a.json", "0.2.1"), ("b.json", "0.3.0"))
        ]
        with pytest.raises(InputError, match=r"b\.json: schema version 0\.3; .* mix .* 0\.2, 0\.3"):
            tidy.scores("x", files, tidy.Unit(bounded=False))

    @pytest.mark.parametrize(
        ("stamps", "date"),
        [
            (("2026-02-03T10:00:00Z", "0", "0"), "2026-02-03T10:00:00Z"),
            ((None, "1766000000", "0"), "2025-12-17"),
            ((None, "", "1766000000"), "2025-12-17"),
            ((None, None, None), None),
        ],
    )
    def test_the_date_is_that_of_the_evaluation_else_of_its_retrieval(
        self, write, read, content, stamps, date
    ):
        content["evaluation_results"][0]["evaluation_timestamp"] = stamps[0]
        content |= {"evaluation_timestamp": stamps[1], "retrieved_timestamp": stamps[2]}
        assert read(write(content)).scores[0].date == date

    def test_a_direction_that_is_not_said_and_the_metric_s_other_names(self, write, read, content):
        config = content["evaluation_results"][0]["metric_config"]
        del config["lower_is_better"], config["metric_id"]
        assert read(write(content)).scores[0].higher_is_better is None
        assert read(write(content)).scores[0].metric == "bench.overall"
        config["metric_name"] = "Perplexity"
        assert read(write(content)).scores[0].metric == "Perplexity"

    def test_samples_of_one_of_several_evaluations(self, write, read, violation):
        lines = [
            {"schema_version": "instance_level_eval_0.2.1", "model_id": "org/m",
             "evaluation_name": name, "sample_id": "s", "evaluation": {"score": score}}
            for name, score in (("a", 0.25), ("b", 0.75))
        ]  # fmt: skip
        path = write(lines, lines=True)
        assert "2 evaluations ('a', 'b')" in violation(path)
        imported = read(path, Choice(task="b"))
        assert [r.response for r in imported.responses] == [0.75]
        assert (imported.minimum, imported.maximum, imported.higher_is_better) == (None, None, None)
        assert (imported.version, imported.notes) == ("0.2", [])
        again = read(write([lines[0]] * 3, lines=True))
        assert again.notes == ["2 repeated lines: the last one was taken"]
