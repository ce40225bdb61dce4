"""Files of a benchmark: paths and patterns."""

import pytest

from saturation.errors import InputError
from saturation.planning import config


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Where one runs, and the workflow's folder, with files in both."""
    here, workflow = tmp_path / "here", tmp_path / "workflow"
    for folder in (here, workflow):
        (folder / "deep").mkdir(parents=True)
    for file in (here / "b.json", here / "a.json", here / "deep/c.json", here / "x[1].json",
                 here / "x1.json", workflow / "a.json", workflow / "only.json"):  # fmt: skip
        file.touch()
    monkeypatch.chdir(here)
    return here, workflow


def listed(entries, workflow):
    return [file["path"] for file in config.expand(entries, workflow)]


def test_patterns_expand_in_order_and_to_files_only(folders):
    _, workflow = folders
    assert listed(["[ab].json"], workflow) == ["a.json", "b.json"]
    assert listed(["*"], workflow) == ["a.json", "b.json", "x1.json", "x[1].json"]
    assert "deep/c.json" in listed(["**/*.json"], workflow)
    # A file of exactly this name comes before the pattern, the workflow's folder second.
    assert listed(["x[1].json"], workflow) == ["x[1].json"]
    assert listed(["only.json", "a.json"], workflow) == [str(workflow / "only.json"), "a.json"]
    # What the entry says stays with each file.
    entry = {"path": "[ab].json", "model": "m"}
    each = [{"path": f"{name}.json", "model": "m"} for name in "ab"]
    assert config.expand([entry], workflow) == each
    assert entry["path"] == "[ab].json"


def test_every_pattern_without_a_file_is_named_with_where_it_was_looked_for(folders):
    here, workflow = folders
    with pytest.raises(InputError) as caught:
        config.expand(["none.json", "a.json", "deep"], workflow)
    assert caught.value.violations == [
        f"config: own.benchmarks: no file matches '{name}'; looked in {here} and in {workflow}"
        for name in ("none.json", "deep")
    ]


def test_a_file_that_is_made_later_needs_a_name(tmp_path):
    with pytest.raises(InputError, match="no file matches 'later"):
        config.expand(["later.csv"], tmp_path)
    later = {"path": "later.csv", "model": "m"}
    assert config.expand([later], tmp_path, made_later=True) == [later]
    with pytest.raises(InputError, match=r"'later\*.csv'.*cannot be found by a pattern: name each"):
        config.expand(["later*.csv"], tmp_path, made_later=True)
