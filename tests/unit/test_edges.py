"""Files, streams and numbers at the edge of the machine end in a sentence, never in a traceback."""

import bz2
import functools
import gzip
import io
import json
import lzma
import os
import random
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pyarrow as pa
import pytest

from saturation import cli
from saturation.errors import InputError, reading
from saturation.leaderboard.read import open
from saturation.renewal import page

SCORES = "".join(f"m{i},{score},500\n" for i, score in enumerate([0.85, 0.78, 0.7, 0.6, 0.5]))
TABLE = f"model,score,n_items\n{SCORES}"
DAMAGES = 60


def frame():
    return pd.read_csv(io.StringIO(TABLE))


def zipped(name, content):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return stream.getvalue()


def saved(write):
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
(LOG, *_) = sorted(FIXTURES.glob("inspect_ai/0.3.285/*.eval"))
(HARNESS,) = FIXTURES.glob("lm_eval/*/synthetic__alpha/results_*.json")
# A file of every suffix that is read, and of kinds that are named as unread.
CONTENTS = {
    "csv": TABLE.encode(),
    "tsv": TABLE.replace(",", "\t").encode(),
    "csv.gz": gzip.compress(TABLE.encode()),
    "csv.zst": pa.Codec("zstd").compress(TABLE.encode(), asbytes=True),
    "csv.zip": zipped("x.csv", TABLE),
    "json": frame().to_json(orient="records").encode(),
    "harness.json": HARNESS.read_bytes(),
    "jsonl": frame().to_json(orient="records", lines=True).encode(),
    "md": (
        "| model | score | n_items |\n|---|---|---|\n"
        + "".join(f"| {line.replace(',', ' | ')} |\n" for line in SCORES.splitlines())
    ).encode(),
    "html": frame().to_html(index=False).encode(),
    "tex": frame().style.hide().to_latex().encode(),
    "yaml": "".join(
        f"- {{model: {m}, score: {s}, n_items: {n}}}\n" for m, s, n in frame().values
    ).encode(),
    "parquet": saved(frame().to_parquet),
    "xlsx": saved(functools.partial(frame().to_excel, index=False)),
    "eval": LOG.read_bytes(),
    "csv.bz2": bz2.compress(TABLE.encode()),
    "csv.xz": lzma.compress(TABLE.encode()),
    "feather": saved(frame().to_feather),
    "ods": zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
}
UNREAD = {"csv.bz2", "csv.xz", "feather", "ods"}
WORDS = ("--family", "accuracy", "--score-range", "0", "1", "--higher-is-better", "--yes", "--json")


@pytest.mark.parametrize("suffix", CONTENTS)
def test_a_damaged_file_of_any_format_ends_in_a_sentence(suffix, command, tmp_path):
    content, rng = CONTENTS[suffix], random.Random(f"damage {suffix}")
    path = tmp_path / f"y.{suffix}"
    path.write_bytes(content)
    assert command("card", path, "--no-pages", *WORDS)[0] == (suffix in UNREAD)
    for number in range(DAMAGES):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 4)):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        path.write_bytes(damaged[: rng.randrange(len(damaged))] if number % 5 == 0 else damaged)
        code, text, errors = command("card", path, "--no-pages", *WORDS)
        assert (code, bool(text or errors)) in ((0, True), (1, True))


def test_every_suffix_that_is_read_is_damaged():
    suffixes = re.findall(r"\w+", open._TABLES.rpartition("$")[0].partition(r"\.(")[2])
    read = {name for name in suffixes if re.match(open._TABLES, f"x.{name}")}
    assert read <= {suffix.rpartition(".")[2] for suffix in CONTENTS}


@pytest.fixture
def command(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return run


def test_a_file_without_the_right_to_read_is_said(tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    (tmp_path / "x.csv").chmod(0)
    words = [sys.executable, "-m", "saturation.cli", "card", "x.csv", "--family", "accuracy"]
    if os.geteuid() == 0:  # root reads every file, unless it gives that capability up
        words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *words]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("Error: x.csv")
    assert "Permission denied" in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize("error", [RecursionError(), MemoryError(), EOFError(), SyntaxError("x")])
def test_what_a_parser_raises_becomes_a_sentence(error):
    with pytest.raises(InputError, match=r"^x\.csv: "), reading("x.csv"):
        raise error


def test_a_mistake_of_the_program_is_not_taken_for_a_damaged_file():
    with pytest.raises(NameError), reading("x.csv"):
        raise NameError("no such name")


def test_half_a_character_in_a_name_is_said(command, tmp_path):
    rows = [{"model": f"\ud800m{i}", "score": 0.5 + i / 10, "n_items": 9} for i in range(5)]
    (tmp_path / "x.json").write_text(json.dumps(rows))
    code, _, errors = command("card", "x.json", "--family", "accuracy", "--higher-is-better")
    assert code == 1
    assert "half a character" in errors


@pytest.mark.parametrize("words", [
    ("index", "--s-1", "0.9", "--s-k", "0.8", "--n", "9" * 400),
    ("card", "x.csv", "--family", "accuracy", "--n-items", "9" * 400),
    ("card", "x.csv", "--family", "accuracy", "--pass-k", "9" * 400),
    ("card", "x.csv", "--family", "accuracy", "--label-noise", "1e400"),
])  # fmt: skip
def test_numbers_of_400_digits_are_refused(words, command, tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    try:
        code, _, errors = command(*words)
    except SystemExit as error:
        code, errors = error.code, ""
    assert code in (1, 2)
    assert len(errors) < 1000


def test_json_nested_without_end_is_said(command, tmp_path):
    (tmp_path / "x.csv").write_text(TABLE)
    words = ("card", "x.csv", "--family", "accuracy", "--output", "c")
    assert command(*words)[0] == 0
    (tmp_path / "c/card.json").write_text("[" * 200_000)
    for again in (words, ("compare", "c", "c")):
        code, _, errors = command(*again)
        assert code == 1
        assert "nested too deeply" in errors


def test_standard_input_that_is_closed_or_endless_is_said(command, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    code, _, errors = command("card", "-", "--family", "accuracy")
    assert (code, "standard input is closed" in errors) == (1, True)
    monkeypatch.setattr("saturation.commands.benchmark.MOST_PIPED", 2**21)
    endless = SimpleNamespace(read=lambda size: b"y" * size)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=endless))
    code, _, errors = command("card", "-", "--family", "accuracy")
    assert (code, "standard input holds more than" in errors) == (1, True)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_encoding_without_the_letters_gets_them_escaped(encoding, tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text(TABLE.replace("m0", "mod\u00e8le-\u03b1"), encoding="utf-8")
    words = ["card", str(tmp_path / "x.csv"), "--family", "accuracy", "--no-pages"]
    texts = []
    for more in ([], ["--json"]):
        stream = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(stream, encoding=encoding))
        assert cli.main([*words, *more]) == 0
        texts.append(stream.getvalue().decode(encoding))
    assert "\\u03b1" in texts[0]
    (card,) = json.loads(texts[1])["cards"]
    assert card["frontier"]["models"][0]["model"] == "mod\u00e8le-\u03b1"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_a_full_disk_is_said():
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "saturation.cli", "formats"],
            stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr == "Error: standard output: No space left on device\n"


def test_a_terminal_gets_its_width_and_a_coloured_verdict(tmp_path, monkeypatch):
    (tmp_path / "x.csv").write_text(TABLE)
    words = ["card", str(tmp_path / "x.csv"), "--family", "accuracy", "--no-pages"]
    texts = []
    for terminal, no_colour in ((True, ""), (True, "1"), (False, "")):
        stream = io.StringIO()
        stream.isatty = lambda terminal=terminal: terminal
        monkeypatch.setattr(sys, "stdout", stream)
        monkeypatch.setenv("NO_COLOR", no_colour)
        monkeypatch.setenv("COLUMNS", "60")
        assert cli.main(words) == 0
        texts.append(stream.getvalue())
    assert "x: \x1b[1;32mSEPARATES" in texts[0]
    assert "\x1b" not in texts[1] + texts[2]
    wrapped = [line for line in texts[2].splitlines() if line[:3] not in ("top", "   ")]
    assert max(map(len, wrapped)) <= 60


def test_a_command_without_its_file_says_so_in_two_lines(capsys):
    with pytest.raises(SystemExit, match="2"):
        cli.main(["card"])
    errors = capsys.readouterr().err
    assert errors.count("\n") == 2
    assert "FILE" in errors


@pytest.mark.parametrize("name", ["???", "...", "-.*(", " "])
def test_a_name_without_letters_is_no_benchmark(command, name):
    code, text, errors = command("status", "--", name)
    assert (code, text) == (1, "")
    assert "no benchmark" in errors


@pytest.mark.parametrize("letter", ["\u3164", "\ufe0f", "\u200b", "\u034f", "\uffa0", "\u2800"])
def test_an_invisible_letter_makes_no_other_model(command, tmp_path, letter):
    (tmp_path / "x.csv").write_text(TABLE + f"m0{letter},0.4,500\n", encoding="utf-8")
    code, _, errors = command("card", "x.csv", "--family", "accuracy")
    assert code == 1
    assert "differ only in" in errors


def test_a_model_with_two_labs_is_refused(tmp_path):
    (tmp_path / "labs.csv").write_text("model,lab\na,one\nb,one\na,two\n")
    with pytest.raises(InputError, match=r"row 4: 'a' stands twice"):
        page._load_makers(tmp_path / "labs.csv", ["a", "b"])


def test_configurations_without_an_item_in_common_are_said(command, tmp_path):
    rows = "a,q,1,x\na,r,1,y\n"
    (tmp_path / "x.csv").write_text(f"model,item,response,configuration\n{rows}")
    code, _, errors = command("card", "x.csv", "--family", "accuracy", "--yes", "--no-pages")
    assert code == 1
    assert "model 'a': its configurations share no item" in errors


def test_a_task_that_is_half_a_character_ends_in_a_sentence(command, tmp_path):
    scores = {"test": [{"main_score": 0.25}]}
    content = {"mteb_version": "1.14", "task_name": "\ud800", "scores": scores}
    (tmp_path / "x.json").write_text(json.dumps(content))
    words = ("--model", "m", "--family", "bounded_mean", "--score-range", "0", "1")
    words = (*words, "--n-items", "9", "--each-task", "--yes", "--output", "c")
    code, text, errors = command("card", "x.json", *words)
    assert (code, text) == (1, "")
    assert "half a character" in errors
