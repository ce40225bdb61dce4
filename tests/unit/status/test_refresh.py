"""The newest version of a source, and which change of status is said: dated histories replayed."""

import hashlib
import importlib.util
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import sources
from saturation.forecast.names import ECI
from saturation.status.study import DATED, EXHAUSTED, SEPARATING, STALE, UNDECIDED

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


def row(status, share=0.5, error=None):
    return {"benchmark": "b", "status": status, "best_share": share, "best_error": error,
            "why": "w", "date": "d", "as_of": "day"}  # fmt: skip


@pytest.mark.parametrize(
    ("seen", "lines"),
    [
        ([row(SEPARATING), row(UNDECIDED), row(SEPARATING), row(UNDECIDED)], [0, 0, 0]),
        ([row(SEPARATING), row(UNDECIDED), row(UNDECIDED)], [0, 1]),
        ([row(SEPARATING), row(EXHAUSTED, 0.92, 0.01), row(EXHAUSTED, 0.92, 0.01)], [1, 0]),
        ([row(SEPARATING), row(EXHAUSTED, 0.919, 0.01), row(EXHAUSTED, 0.919, 0.01)], [0, 1]),
        ([row(EXHAUSTED, 0.95, 0.01), row(SEPARATING, 0.88, 0.01)], [1]),
        ([row(UNDECIDED), row(EXHAUSTED, 0.99), row(EXHAUSTED, 0.99)], [0, 1]),
        ([row(UNDECIDED), row(STALE)], [1]),
        ([row(UNDECIDED), row(SEPARATING), row(EXHAUSTED), row(EXHAUSTED)], [0, 0, 1]),
    ],
)
def test_a_change_is_said_when_it_holds_or_is_beyond_its_error(refresh, seen, lines):
    said, counts = pd.DataFrame(columns=list(refresh.SAID_SCHEMA.columns)), []
    for one in seen:
        said, new = refresh.settled(said, pd.DataFrame([one]), 0.9, 1.96)
        counts.append(len(new))
    assert counts == [1, *lines]


def replayed(refresh, tables):
    """What is said of each benchmark after each of several refreshes."""
    said, told = pd.DataFrame(columns=list(refresh.SAID_SCHEMA.columns)), []
    for status in tables:
        said, _ = refresh.settled(said, status.reset_index(), 0.9, 1.96)
        told.append(said.set_index("benchmark")["status"])
    return pd.concat(told, axis=1, keys=range(len(told))).dropna(how="all")


def turns(table):
    """How often a status comes back that had been left at the refresh before."""
    return sum(
        one == three != two and pd.notna(two)
        for _, own in table.iterrows()
        for (one, two), (_, three) in pairwise(pairwise(own))
    )


def test_the_history_of_two_years_replayed(refresh, judged, history):
    """Epoch AI's table cut by date: nothing turns to and fro, and every exhaustion is said."""
    days = pd.date_range("2024-08-01", "2026-08-01", freq="6MS").strftime("%Y-%m-%d")
    series = history["series"][history["series"]["source"] == ECI]
    tables = [judged(day, series=series) for day in days]
    tables = [table[table["scores_from"] == DATED] for table in tables]
    said = replayed(refresh, [*tables, tables[-1]])
    assert turns(said) == 0
    exhausted = tables[-1].index[tables[-1]["status"] == EXHAUSTED]
    assert len(exhausted) > 8
    assert (said.loc[exhausted].iloc[:, -1] == EXHAUSTED).all()
    first = (said == EXHAUSTED).idxmax(axis=1)
    # GPQA Diamond passed 90 % of its range within 2026, ARC-AGI-1 before ARC-AGI-2.
    assert days[first["GPQA Diamond"]] >= "2026"
    assert first["ARC-AGI-1"] < first["ARC-AGI-2"]


def test_the_history_of_livebench_replayed(refresh, judged, history, prepared):
    """A lead is lost, and no scores come for a year: two changes, each said once."""
    series = history["series"][history["series"]["source"] == "history_epoch_livebench"]
    days = pd.date_range("2025-02-01", "2027-02-01", freq="3MS").strftime("%Y-%m-%d")
    listed = prepared[1].iloc[:0]
    tables = [judged(day, series=series, top_scores=listed).loc[["LiveBench"]] for day in days]
    best = [table["best_score"].item() for table in tables]
    assert best == sorted(best)
    assert best[0] < best[-1] == 0.8235
    said = replayed(refresh, tables).loc["LiveBench"]
    first, then, last = SEPARATING, UNDECIDED, STALE
    assert [table["status"].item() for table in tables] == [first] * 4 + [then] * 4 + [last]
    # A change is said when it has held for two refreshes; the end of scores at once.
    assert said.tolist() == [first] * 5 + [then] * 3 + [last]


def test_differences_of_scores_are_counted_by_benchmark(refresh):
    before = pd.DataFrame([("A", "p", "m", "d", 0.5), ("B", "p", "m", "d", 0.1)])
    before.columns = ["benchmark", "protocol", "model", "date", "score"]
    now = pd.concat([before.assign(score=[0.5, 0.2]), before.assign(model="n").head(1)])
    said = ["A: 1 scores new, 0 gone", "B: 1 scores new, 1 gone"]
    assert list(refresh.differences(before, now)) == said
