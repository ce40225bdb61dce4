"""The newest version of a source, and which change of status is said: dated histories replayed."""

import hashlib
import importlib.util
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.leaderboard.names import EXHAUSTED, NEAR, ROOM
from saturation.status.names import STALE, SUPERSEDED, UNRATED
from studies.files import sources
from studies.status.study import SAID

ROOT = Path(__file__).resolve().parents[3]
OLD, NEW = "a" * 40, "b" * 40


@pytest.fixture(scope="module")
def refresh():
    spec = importlib.util.spec_from_file_location("refresh", ROOT / "docs/tools/refresh.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def mirror(tmp_path):
    """A mirror whose repository has one file at two commits, and the source pinned to the first."""
    for commit, content in ((OLD, b"a\n1\n"), (NEW, b"a\n1\n2\n")):
        (tmp_path / f"o/r/{commit}").mkdir(parents=True)
        (tmp_path / f"o/r/{commit}/x.csv").write_bytes(content)
    digest = hashlib.sha256(b"a\n1\n").hexdigest()
    url = f"{sources.GITHUB}o/r/{OLD}/x.csv"
    return tmp_path, sources.Source("x", f"o/r/{OLD}/x.csv", digest, 4, "MIT", url, "a table")


def test_a_newer_version_is_pinned_by_its_commit_and_hash(mirror, tmp_path):
    folder, source = mirror
    (folder / "o/r/HEAD").write_text(f"{NEW}\n")
    new = sources.newest(source, folder, tmp_path / "new")
    assert (new.path, new.bytes) == (f"o/r/{NEW}/x.csv", 6)
    assert new.url == f"{sources.GITHUB}o/r/{NEW}/x.csv"
    assert new.sha256 == hashlib.sha256(b"a\n1\n2\n").hexdigest()
    sources.fetch(new, folder, tmp_path / "again")
    # A commit that left the file as it is makes no new version.
    (folder / f"o/r/{NEW}/x.csv").write_bytes(b"a\n1\n")
    assert sources.newest(source, folder, tmp_path / "new") is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"licence": "CC BY-NC 4.0: pin, do not embed"}, "licence is CC BY-NC 4.0"),
        ({"url": "https://example.org/x.csv"}, "is not on GitHub"),
        ({}, "cannot be read"),
    ],
)
def test_what_cannot_be_renewed_says_why(mirror, tmp_path, monkeypatch, refresh, change, said):
    # Nothing answers: no mirror has the head, and git finds no host.
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "url.file:///nowhere/.insteadOf")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "https://github.com/")
    source = sources.Source(**vars(mirror[1]) | change)
    with pytest.raises(InputError, match=said):
        sources.newest(source, mirror[0], tmp_path / "new")
    assert refresh.newer([source], mirror[0], tmp_path / "f")[0] == []


def row(status):
    return {"benchmark": "b", "status": status, "why": "w", "date": "d", "as_of": "day"}


@pytest.mark.parametrize(
    ("seen", "lines"),
    [
        ([NEAR, ROOM, NEAR, ROOM], [0, 0, 0]),
        ([NEAR, ROOM, ROOM], [0, 1]),
        ([NEAR, EXHAUSTED, EXHAUSTED], [1, 0]),
        ([EXHAUSTED, NEAR, NEAR], [0, 1]),
        ([ROOM, STALE], [1]),
        ([ROOM, SUPERSEDED], [1]),
        ([ROOM, NEAR, UNRATED, UNRATED], [0, 0, 1]),
    ],
)
def test_a_change_is_said_when_it_holds_or_needs_no_second_look(refresh, seen, lines):
    said, counts = pd.DataFrame(columns=list(SAID.columns)), []
    for status in seen:
        said, new = refresh.settled(said, pd.DataFrame([row(status)]))
        counts.append(len(new))
    assert counts == [1, *lines]
    changed = said["status"].item() != seen[0]
    assert (said["before"].item() == seen[0]) == changed


def test_the_history_of_two_years_replayed(refresh, judged):
    """The tables cut by date: nothing turns to and fro."""
    days = pd.date_range("2025-02-01", "2026-08-01", freq="9MS").strftime("%Y-%m-%d")
    said, told = pd.DataFrame(columns=list(SAID.columns)), []
    tables = [judged(day) for day in days]
    for table in [*tables, tables[-1]]:
        said, _ = refresh.settled(said, table.reset_index())
        told.append(said.set_index("benchmark")["status"])
    last = tables[-1]["status"]
    assert told[-1][last.index].tolist() == last.tolist()
    # Surface Evolver Bench passed 90 % within 2026.
    assert tables[0].index.intersection(["Surface Evolver Bench"]).empty
    assert tables[-1].loc["Surface Evolver Bench", "status"] == NEAR


def test_differences_of_scores_are_counted_by_benchmark(refresh):
    before = pd.DataFrame([("A", "p", "m", "d", 0.5), ("B", "p", "m", "d", 0.1)])
    before.columns = ["benchmark", "protocol", "model", "date", "score"]
    now = pd.concat([before.assign(score=[0.5, 0.2]), before.assign(model="n").head(1)])
    said = ["A: 1 scores new, 0 gone", "B: 1 scores new, 1 gone"]
    assert list(refresh.differences(before, now)) == said
