"""Recognising files from their content, and refusing damaged ones."""

import json
import tracemalloc
import zipfile

import pytest

from saturation.leaderboard.read import open
from saturation.leaderboard.read.rows import Choice


class TestDamage:
    @pytest.mark.parametrize(
        ("content", "understood", "other"),
        [
            ({"a": 1}, ["lm-evaluation-harness", "Every Eval Ever", "HELM"], "OpenCompass"),
            ([{"a": 1}], ["lm-evaluation-harness", "HELM"], "OpenCompass"),
            ([], ["lm-evaluation-harness", "HELM"], "OpenCompass"),
            ("alpha,beta\n1,2\n", ["leaderboard", "OpenCompass", "item responses"], "HELM"),
        ],
    )
    def test_an_unknown_format_lists_what_is_understood_of_its_kind(
        self, write, content, understood, other, violation
    ):
        found = violation(write(content))
        assert "the format is not recognised" in found
        assert all(title in found for title in understood)
        assert other not in found

    def test_a_workbook_is_to_be_saved_as_csv(self, tmp_path, violation):
        path = tmp_path / "board.xlsx"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("[Content_Types].xml", "<Types/>")
            archive.writestr("xl/workbook.xml", "<workbook/>")
        assert violation(path).endswith("it is a spreadsheet's workbook: save its sheet as CSV")

    def test_a_list_is_read_across_chunks(self, write, monkeypatch, read, make_instance):
        monkeypatch.setattr(open, "CHUNK", 7)
        path = write([make_instance(f"id{i}", 1.0) for i in range(5)])
        assert len(read(path, model="m").responses) == 5

    def test_a_byte_order_mark_is_no_content(self, write, read):
        assert read(write(b"\xef\xbb\xbfmodel,score\na,0.5\n")).scores[0].model == "a"


class TestLists:
    @pytest.mark.parametrize("text", ["[]", "[ ]\n"])
    def test_an_empty_list_is_of_no_format(self, write, violation, text):
        assert "not recognised (JSON list with: nothing)" in violation(write(text))

    def test_an_element_beyond_all_bounds(self, write, violation, make_instance, monkeypatch):
        monkeypatch.setattr(open, "LONGEST_RECORD", 400)
        monkeypatch.setattr(open, "CHUNK", 100)
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


# Refusals of single formats; what any file may have is in the own study's table of bad inputs.
QUESTION = {"question_id": 1, "category": "law", "answer": None, "pred": "A"}
SAMPLE = {"doc_id": 0, "doc": {}, "metrics": ["exact_match"], "exact_match": 1.0}


@pytest.mark.parametrize(
    ("content", "lines", "choice", "sentence"),
    [
        ([QUESTION], False, {}, "element 1: the question has no answer to compare with"),
        ([SAMPLE | {"doc_id": None}], True, {}, "line 1: doc_id is null; each document needs its"),
        ([SAMPLE], True, {"metric": "acc"}, "line 1: no metric 'acc'; the line has: exact_match"),
    ],
)
def test_what_single_formats_refuse(write, violation, content, lines, choice, sentence):
    assert sentence in violation(write(content, lines=lines), Choice(**choice), model="m")
