"""Recognising files from their content, and refusing damaged ones."""

import json
import zipfile

import pytest

from saturation.leaderboard.read import open


class TestDamage:
    def test_truncated_json(self, write, violation, grouped):
        whole = json.dumps(grouped, indent=2)
        for end in (len(whole) // 2, len(whole) - 3):
            assert "cut off" in violation(write(whole[:end]))

    def test_truncated_lines_and_lists(self, write, violation, make_sample, make_instance):
        text = (
            json.dumps(make_sample(0, "none", 1.0))
            + "\n"
            + json.dumps(make_sample(1, "none", 1.0))[:-9]
        )
        assert "line 2: the file is cut off" in violation(write(text), model="m")
        text = json.dumps([make_instance("a", 1.0), make_instance("b", 1.0)])[:-30]
        assert "ends inside element 2" in violation(write(text), model="m")

    def test_broken_json_names_line_and_column(self, write, violation):
        assert "line 2, column 12: not JSON" in violation(write('{\n"results": nonsense\n}'))

    def test_html_saved_as_json(self, write, violation):
        page = "<!doctype html><title>404</title>"
        assert "this is an HTML page, not data" in violation(write(page))

    def test_empty_compressed_and_wrongly_encoded_files(self, write, violation):
        assert "the file is empty" in violation(write(b" \n"))
        assert "is cut off or damaged" in violation(write(b"\x1f\x8b\x08\x00rest"))
        assert "is not UTF-8" in violation(write("model,score\né,1\n".encode("latin-1")))

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

    def test_a_required_part_that_is_missing(self, write, violation):
        broken = {"schema_version": "0.3.0", "evaluation_results": [{"evaluation_name": "a"}]}
        sentence = violation(write(broken))
        assert "a part that the format requires is missing or of another type" in sentence
        assert "'metric_config'" in sentence

    def test_a_record_beyond_all_bounds_is_refused_before_it_fills_memory(
        self, write, monkeypatch, violation, make_sample
    ):
        monkeypatch.setattr(open, "LONGEST_RECORD", 400)
        long = make_sample(1, "none", 1.0) | {"doc": "x" * 500}
        path = write([make_sample(0, "none", 1.0), long], lines=True)
        assert "line 2: longer than" in violation(path, model="m")

    def test_a_list_is_read_across_chunks(self, write, monkeypatch, read, make_instance):
        monkeypatch.setattr(open, "CHUNK", 7)
        path = write([make_instance(f"id{i}", 1.0) for i in range(5)])
        assert len(read(path, model="m").responses) == 5

    def test_a_file_that_is_not_there(self, tmp_path, violation):
        assert violation(tmp_path / "none.csv").endswith("none.csv: the file does not exist")

    def test_a_table_that_cannot_be_parsed(self, write, violation):
        assert "row 2: unbalanced quotes" in violation(write('model,score\na,"1\n', "x.csv"))

    def test_numbers_and_nesting_that_no_tool_writes(self, write, violation, grouped):
        assert "of another type" in violation(write(grouped | {"date": 1e18}))
        deep = '{"results": ' + "[" * 200_000
        assert "nested too deeply" in violation(write(deep))

    def test_a_byte_order_mark_is_no_content(self, write, read):
        assert read(write(b"\xef\xbb\xbfmodel,score\na,0.5\n")).scores[0].model == "a"


class TestLists:
    @pytest.mark.parametrize("text", ["[]", "[ ]\n"])
    def test_an_empty_list_is_of_no_format(self, write, violation, text):
        assert "not recognised (JSON list with: nothing)" in violation(write(text))

    def test_elements_that_are_no_objects(self, write, violation):
        assert "element 1: expected a JSON object, found 3" in violation(write("[3, 4]"))

    def test_an_element_beyond_all_bounds(self, write, violation, make_instance, monkeypatch):
        monkeypatch.setattr(open, "LONGEST_RECORD", 400)
        monkeypatch.setattr(open, "CHUNK", 100)
        long = make_instance("x" * 900, 1.0)
        assert "element 1: longer than" in violation(write([long]), model="m")


def test_lines_that_are_no_objects_or_no_json(write, violation, make_sample):
    first = json.dumps(make_sample(0, "none", 1.0)) + "\n"
    assert "line 2: expected a JSON object, found 3" in violation(write(first + "3\n"), model="m")
    assert "line 2: not JSON" in violation(write(first + "{nonsense}\n"), model="m")


def test_blank_lines_are_skipped(write, read, make_sample):
    line = json.dumps(make_sample(0, "none", 1.0)) + "\n"
    assert len(read(write("\n".join([line, line])), model="m").responses) == 1


@pytest.mark.heavy
def test_two_gigabytes_of_samples_are_read_in_bounded_memory(tmp_path, make_sample):
    """The peak is that of the process, so it runs in one of its own."""
    import subprocess
    import sys

    path = tmp_path / "samples.jsonl"
    filler = "x" * 20_000
    with path.open("w") as stream:
        for document in range(100_000):
            stream.write(json.dumps(make_sample(document, "none", 1.0) | {"doc": filler}) + "\n")
    assert path.stat().st_size > 2e9
    code = (
        "import sys, resource; from pathlib import Path\n"
        "from saturation.leaderboard.read import reading\n"
        "from saturation.leaderboard.read.rows import *\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "n = len(reading.read(Origin(Path(sys.argv[1]), 'm'), Choice()).responses)\n"
        "print(n, before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    responses, before, peak = map(int, done.stdout.split())
    assert responses == 100_000
    assert (peak - before) * 1024 < 200e6
