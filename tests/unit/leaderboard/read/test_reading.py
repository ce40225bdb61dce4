"""Recognising files from their content; what is refused is in the own study's table."""

import json
import tracemalloc

import pytest

from saturation.leaderboard.read import open, registry
from saturation.leaderboard.read.rows import Choice, Origin


def test_a_list_is_read_across_chunks(write, monkeypatch, read, violation, make_instance):
    monkeypatch.setattr(open, "CHUNK", 7)
    path = write([make_instance(f"id{i}", 1.0) for i in range(5)])
    assert len(read(path, model="m").responses) == 5
    monkeypatch.setattr(open, "LONGEST_RECORD", 400)
    long = make_instance("x" * 900, 1.0)
    assert "element 1: longer than" in violation(write([long]), model="m")


def test_blank_lines_are_skipped(write, read, make_sample):
    line = json.dumps(make_sample(0, "none", 1.0)) + "\n"
    assert len(read(write("\n".join([line, line])), model="m").responses) == 1


def test_samples_are_read_in_bounded_memory(tmp_path, make_sample):
    """A gigabyte of samples takes no more than a line of them does."""
    line = json.dumps(make_sample(0, "none", 1.0) | {"doc": "x" * 20_000}) + "\n"
    (tmp_path / "samples.jsonl").write_text(line * 1000)
    tracemalloc.start()
    with open.text(tmp_path / "samples.jsonl") as text:
        assert sum(1 for _ in open.lines(text, "f")) == 1000
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()


@pytest.mark.parametrize(
    ("name", "is_error"),
    [("TwitterSemEval2015", False), ("accuracySem", True), ("score_sem", True), ("sem", True)],
)
def test_tasks_named_after_semantics_are_no_standard_errors(name, is_error):
    from saturation.leaderboard.read import columns

    assert columns.names_error(columns.words(name)) == is_error


def test_a_readme_is_read_where_a_folder_has_nothing_else(tmp_path):
    (readme := tmp_path / "README.md").write_text("about")
    assert open.expand(tmp_path) == [readme]
    (scores := tmp_path / "scores.csv").write_text("model,score\n")
    assert open.expand(tmp_path) == [scores]


def test_printed_text_is_read_where_a_folder_has_no_other_files(tmp_path):
    (printed := tmp_path / "lynx.txt").write_text("Metrics:\n- Average WER: 19.50%\n- Hours: 3\n")
    assert open.expand(tmp_path) == [printed]
    score = registry.load(Origin(printed, model="lynx"), Choice(n_items=500)).scores[0]
    assert (score.model, score.score, score.metric) == ("lynx", 19.5, "Average WER")
    (scores := tmp_path / "scores.csv").write_text("model,score\n")
    assert open.expand(tmp_path) == [scores]
