"""Records of jobs: which change is seen, which is none, and what a reviewer is told."""

import errno
import json
import os
import shutil
import socket
import time
from pathlib import Path

import pytest

from saturation import provenance
from saturation.errors import InputError
from saturation.planning import check, code
from saturation.provenance import Hashes, Record
from studies.planning import check as studies_check
from studies.planning import run

SCRIPT = "import saturation.errors\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A finished job of a small project, whose folder is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(code, "NOTES", tmp_path / "notes")
    for name, text in {
        "table.csv": "a\n1\n", "workflow/scripts/s/w.py": SCRIPT, "results/s/out.csv": "b\n2\n",
        "results/s/folder/one": "1",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    script = Path("workflow/scripts/s/w.py")
    record = Record(
        "s/w.py", f"{script} {code.fingerprint(tmp_path / script, check.SOURCE)}",
        code.packages(tmp_path / script, check.SOURCE), provenance.contents(["table.csv"]),
        provenance.contents(["results/s/out.csv", "results/s/folder"]),
    )  # fmt: skip
    provenance.write(record, Path("results/logs/s/w.log"))
    return tmp_path


def tokens():
    return run.doubts([Path("results/logs")], ["given.csv"], Path("noted/hashes.json"))


def test_a_change_makes_a_doubt_that_goes_with_it(project):
    assert tokens() == {"s/w.py": ""}
    seen = set()
    for path, text in {
        "table.csv": "a\n2\n", "results/s/out.csv": "b\n3\n", "results/s/folder/one": "2",
        "results/s/folder/two": "1",
    }.items():  # fmt: skip
        before = Path(path).read_text() if Path(path).exists() else None
        state = Path(path if before else "table.csv").stat()
        Path(path).write_text(text)
        os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))
        seen |= (found := set(tokens().values()))
        assert "" not in found
        Path(path).write_text(before) if before else Path(path).unlink()
        assert tokens() == {"s/w.py": ""}
    assert len(seen) == 4
    Path("results/s/folder/.snakemake_timestamp").touch()
    assert tokens() == {"s/w.py": ""}
    # An intermediate may be removed; a damaged record is as none.
    Path("results/s/out.csv").unlink()
    Path("results/logs/s/other.json").write_text("{")
    assert tokens() == {"s/w.py": ""}


def test_what_was_made_in_doubt_keeps_its_token(project):
    Path("table.csv").write_text("a\n2\n")
    (token,) = tokens().values()
    path = Path("results/logs/s/w.json")
    record = Record(**json.loads(path.read_text()))
    made = Record(**vars(record) | {"inputs": provenance.contents(["table.csv"]), "doubt": "",
                                    "made": token})  # fmt: skip
    provenance.write(made, path)
    assert tokens() == {"s/w.py": token}


@pytest.mark.parametrize(
    ("host", "process", "marked"),
    [("", os.getppid, False), ("", os.getpid, True), ("far", os.getppid, True)],
)
@pytest.mark.parametrize("alone", [True, False])
def test_a_run_at_work_is_not_disturbed(project, host, process, marked, alone):
    """Of results of which Snakemake knows nothing the date is put back; of nothing else."""
    Path(".snakemake").mkdir()
    noted = {"host": host or socket.gethostname(), "process": process(), "group": 1}
    Path(run.NOTE).write_text(json.dumps(noted))
    Path("table.csv").write_text("a\n2\n")
    Path("results/unrecorded").touch()
    Path("results/link").symlink_to("../table.csv")
    assert (run.tokens([], alone)["s/w.py"] != "") == marked
    assert (Path("results/s/out.csv").stat().st_mtime == 1) == marked
    assert (Path("results/unrecorded").stat().st_mtime == 1) == (marked and alone)
    assert Path("table.csv").stat().st_mtime > 1


def test_a_file_that_may_not_be_dated_ends_no_plan(project, monkeypatch):
    Path("given.csv").write_text("a\n1\n")
    tokens()
    Path("given.csv").write_text("a\n2\n")

    def refuse(*_, **__):
        raise OSError(errno.EROFS, "read-only file system")

    monkeypatch.setattr(os, "utime", refuse)
    assert tokens() == run.tokens([], alone=True) == {"s/w.py": ""}


@pytest.mark.parametrize("known", ["metadata/s", "metadata.db"])
def test_what_snakemake_knows_and_a_run_in_a_folder_of_its_own_are_left_alone(project, known):
    Path(".snakemake", known).parent.mkdir(parents=True)
    Path(".snakemake", known).touch()
    for folder in ("prefix", "own"):
        shutil.copytree("results", f"{folder}/results")
        path = Path(folder, "results/logs/s/w.json")
        content = json.loads(path.read_text()) | {"job": folder, "inputs": {"table.csv": "0"}}
        path.write_text(json.dumps(content))
    Path("own/.snakemake").mkdir()
    found = run.tokens([], alone=False)
    assert found.keys() == {"s/w.py", "prefix"}
    assert found["prefix"] != found["s/w.py"] == ""
    assert json.loads(Path("own/results/logs/s/w.json").read_text())["doubt"] == ""
    assert Path("results/s/out.csv").stat().st_mtime > 1


def test_a_file_without_a_record_gets_todays_date_where_its_content_changed(project):
    given = Path("given.csv")
    dates = []
    for text in ("a\n1\n", "a\n1\n", "a\n2\n"):
        given.write_text(text)
        os.utime(given, (1, 1))
        tokens()
        dates.append(given.stat().st_mtime)
    assert dates[:2] == [1, 1]
    assert time.time() - dates[2] < 60
    # Of one in a record, the token says so.
    Path("table.csv").write_text("a\n2\n")
    os.utime("table.csv", (1, 1))
    run.doubts([Path("results/logs")], ["table.csv"], Path("noted/hashes.json"))
    assert Path("table.csv").stat().st_mtime == 1


def test_a_file_as_it_was_is_not_read_again(project, monkeypatch):
    (project / "noted").mkdir()
    with monkeypatch.context() as later:
        later.setattr(provenance, "SETTLED", 0)
        tokens()
        later.setattr(provenance, "sha256", pytest.fail)
        assert tokens() == {"s/w.py": ""}
    # One that has just changed may change again within the clock's grain.
    fresh = Hashes(project, Path("noted/fresh.json"))
    Path("new").write_text("")
    assert fresh.of("new") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    fresh.keep()
    assert Hashes(project, Path("noted/fresh.json")).renewed("new") is False
    with monkeypatch.context() as later:
        later.setattr(provenance, "sha256", lambda _: "read again")
        assert Hashes(project, Path("noted/fresh.json")).of("new") == "read again"
    Path("new").write_text("x")
    assert Hashes(project, Path("noted/fresh.json")).renewed("new") is True
    assert fresh.of("nowhere") is None


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("table.csv", "a\n2\n", "table.csv: changed since s/w.py read it"),
        ("table.csv", None, "table.csv: removed since s/w.py read it"),
        ("results/s/out.csv", "b\n", "results/s/out.csv: changed since s/w.py wrote it"),
        ("results/s/other.csv", "c\n", "other.csv: no job has recorded"),
        ("workflow/scripts/s/w.py", "x = 1\n", "w.py: it, or a module that it imports, changed"),
        (
            "workflow/scripts/s/w.py",
            "import scipy\n",
            "w.py: it, or a module that it imports, changed",
        ),
        ("workflow/scripts/s/w.py", None, "w.py: not there"),
    ],
)
def test_a_reviewer_is_told_of_each_difference(project, path, text, said):
    assert "s/w.py: 2 results of 1 inputs, code " in check.check(Path("results"))
    Path(path).write_text(text) if text else Path(path).unlink()
    code._behaviour.cache_clear()
    code._imported.cache_clear()
    with pytest.raises(InputError, match=said):
        check.check(Path("results"))


def test_what_led_to_a_result_is_as_it_was_recorded(project):
    later = Record("s/v.py", "", "", provenance.contents(["results/s/out.csv"]), {"last.csv": ""})
    provenance.write(later, Path("results/logs/s/v.log"))
    studies_check.check_files([Path("last.csv")])
    Path("results/s/out.csv").unlink()
    studies_check.check_files([Path("last.csv")])
    Path("table.csv").write_text("a\n2\n")
    with pytest.raises(InputError, match=r"^table.csv: changed since s/w.py read it$"):
        studies_check.check_files([Path("last.csv")])
    studies_check.check_files([Path("other.csv")])


def test_compiled_code_has_a_folder_of_its_text(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    texts = [tmp_path / "a.py", tmp_path / "b.py"]
    for text in texts:
        text.write_text("x = -1\n")
    first = provenance.cache_of_code(*texts)
    assert provenance.cache_of_code(*texts) == first
    texts[1].write_text("x = -2\n")
    os.utime(first, (time.time() - 2 * provenance.A_DAY,) * 2)
    second = provenance.cache_of_code(*texts)
    assert list(first.parent.iterdir()) == [second] != [first]
    # Where nothing can be written.
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(texts[0]))
    assert provenance.cache_of_code(*texts) is None
