"""Whether results are what they were made from: by what is recorded, and without a trace."""

import json
import os
from pathlib import Path

import pytest

from saturation import provenance
from saturation.errors import InputError
from saturation.planning import check, code
from saturation.provenance import Hashes, Record


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A run of one job, and another folder in which the check stands."""
    root = tmp_path / "project"
    script = root / "workflow/scripts/own/one.py"
    for name, text in {"workflow/scripts/own/one.py": "import numpy\n", "in.csv": "a\n",
                       "results/own/out.csv": "b\n"}.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with code.writing_nothing():
        record = Record(
            job="own/one.py 0",
            code=f"workflow/scripts/own/one.py {code.fingerprint(script, check.SOURCE)}",
            packages=code.packages(script, check.SOURCE),
            inputs={"in.csv": Hashes(root).of("in.csv")},
            outputs={"results/own/out.csv": Hashes(root).of("results/own/out.csv")},
        )
    log = root / "results/logs/own/one.log"
    provenance.write(record, log)
    return root


def change_record(project, **changes):
    path = project / "results/logs/own/one.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_it_leaves_no_trace_where_it_stands(project, tmp_path):
    assert "1 jobs: all that they read and wrote" in check.check(project / "results")
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert not (project / ".snakemake").exists()


def test_packages_that_were_added_change_nothing_that_was_made(project):
    record = json.loads((project / "results/logs/own/one.json").read_text())
    assert record["packages"].startswith("numpy ")
    change_record(project, packages="")
    check.check(project / "results")
    change_record(project, packages="numpy 0.1")
    with pytest.raises(InputError, match=r"packages changed .* then numpy 0.1; now numpy"):
        check.check(project / "results")


def test_where_results_were_removed_the_remedy_is_said(project):
    (project / "results/own/out.csv").unlink()
    with pytest.raises(InputError) as error:
        check.check(project / "results")
    (sentence,) = error.value.violations
    assert "removed since" in sentence
    assert str(project / "results/logs/own/one.json") in sentence
    (project / "results/logs/own/one.json").unlink()
    check.check(project / "results")


@pytest.mark.parametrize("changes", [{"inputs": 3}, {"outputs": [1]}, {"job": 4}, {"code": None}])
def test_a_damaged_record_is_passed_over(project, changes):
    change_record(project, **changes)
    with pytest.raises(InputError, match="no job has recorded"):
        check.check(project / "results")


def test_damaged_hashes_are_computed_again(tmp_path):
    (tmp_path / "x").write_text("x")
    before = Hashes(tmp_path).of("x")
    noted = tmp_path / "hashes.json"
    for text in ("[]", "3", '{"x": 3}', '{"x": [1, 2]}', "{", "[" * 100_000):
        noted.write_text(text)
        hashes = Hashes(tmp_path, noted)
        assert hashes.of("x") == before
    # A file where the folder of notes would be: nothing can be written, and nothing is said.
    hashes = Hashes(tmp_path, Path(os.fspath(tmp_path / "x")) / "hashes.json")
    hashes.of("x")
    hashes.keep()
