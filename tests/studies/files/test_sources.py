"""A source is used only when its sha256 is the pinned one, or that of the first fetch."""

import dataclasses
import hashlib
import io
from pathlib import Path

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files.tables import load_table
from studies.files import sources

ROOT = Path(__file__).resolve().parents[3]

CONTENT = b"a,b\n1,2\n"


@pytest.fixture
def source(tmp_path):
    """A source that lies both in a mirror and behind a URL."""
    web = tmp_path / "web.csv"
    web.write_bytes(CONTENT)
    copy = tmp_path / "mirror" / "folder" / "x.csv"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    return sources.Source("x", "folder/x.csv", digest, len(CONTENT), "MIT", web.as_uri(), "a table")


def left_behind(target):
    return sorted(path.name for path in target.parent.iterdir())


def test_the_mirror_s_copy_is_taken(tmp_path, source):
    target = tmp_path / "out" / "x.csv"
    offline = dataclasses.replace(source, url=(tmp_path / "none.csv").as_uri())
    sources.fetch(offline, tmp_path / "mirror", target)
    assert target.read_bytes() == CONTENT
    assert left_behind(target) == ["x.csv"]


@pytest.mark.parametrize("mirror", [None, "elsewhere"])
def test_without_a_copy_it_is_downloaded(tmp_path, source, mirror):
    target = tmp_path / "out" / "x.csv"
    sources.fetch(source, tmp_path / mirror if mirror else None, target)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("place", ["mirror", "web"])
def test_another_sha256_is_refused_and_the_earlier_file_kept(tmp_path, source, place):
    target = tmp_path / "out" / "x.csv"
    target.parent.mkdir()
    target.write_bytes(b"earlier")
    changed = b"a,b\n1,3\n"
    for path in (tmp_path / "mirror" / "folder" / "x.csv", tmp_path / "web.csv"):
        path.write_bytes(changed)
    with pytest.raises(InputError) as caught:
        sources.fetch(source, tmp_path / "mirror" if place == "mirror" else None, target)
    for part in ("x.csv", "source 'x'", hashlib.sha256(changed).hexdigest(), source.sha256):
        assert part in str(caught.value)
    assert target.read_bytes() == b"earlier"
    assert left_behind(target) == ["x.csv"]


@pytest.mark.parametrize(
    ("mirror", "said"), [(None, "no mirror is configured"), ("mirror", "no copy in the mirror")]
)
def test_a_source_to_be_had_nowhere_says_what_to_set(tmp_path, source, mirror, said):
    lost = dataclasses.replace(source, path="none.csv", url=(tmp_path / "none.csv").as_uri())
    target = tmp_path / "out" / "x.csv"
    with pytest.raises(InputError, match=said) as caught:
        sources.fetch(lost, tmp_path / mirror if mirror else None, target)
    for part in ("source 'x'", lost.url, "set sources.mirror in the config"):
        assert part in str(caught.value)
    assert left_behind(target) == []


def test_every_source_of_the_registry_is_pinned_and_licensed():
    table = load_table(ROOT / "resources" / "sources.csv")
    registry = sources.registry(table)
    assert len(registry) == len(table)
    for name, source in registry.items():
        assert source.name == name
        assert len(bytes.fromhex(source.sha256)) == 32
        assert source.url.startswith("https://")
        assert source.licence


def test_a_source_is_asked_for_by_its_name_and_its_own_suffix(source):
    assert sources.named({"x": source}, "x", "sources.csv") is source
    with pytest.raises(InputError, match=r"sources\.csv: no source 'y'; known: x"):
        sources.named({"x": source}, "y", "sources.csv")
    sources.require_suffix(source, "csv")
    with pytest.raises(InputError, match=r"source 'x' is a file of the kind \.csv, not \.zip"):
        sources.require_suffix(source, "zip")


def test_every_file_has_its_hash_and_those_of_a_folder_too(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/b.csv").write_text("b")
    (tmp_path / "a.csv").write_text("a")
    found = sources.hashes([tmp_path / "folder", tmp_path / "a.csv", tmp_path / "a.csv"])
    assert list(found) == sorted(found)
    assert found == {
        (tmp_path / name).as_posix(): hashlib.sha256(text.encode()).hexdigest()
        for name, text in (("a.csv", "a"), ("folder/b.csv", "b"))
    }


PATHS = ["a/x.csv", "y.json"]


@pytest.fixture
def web(tmp_path):
    for revision in ("main", "r1"):
        for path in PATHS:
            file = tmp_path / "web" / revision / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{path}\n")
    return (tmp_path / "web").as_uri()


def by_path(lock):
    return lock.set_index("path").to_dict("index")


def targets(folder, paths=PATHS):
    return {path: folder / "out" / path for path in paths}


def test_the_first_fetch_says_what_came_and_the_second_is_checked(web, tmp_path):
    lock = sources.fetch_unpinned(targets(tmp_path), web, {})
    assert (tmp_path / "out/a/x.csv").read_text() == "a/x.csv\n"
    assert lock["path"].tolist() == PATHS
    assert lock["revision"].tolist() == ["main", "main"]
    again = sources.fetch_unpinned(targets(tmp_path), web, by_path(lock))
    pd.testing.assert_frame_equal(again, lock)
    # The locked revision is asked for; another file is refused and not left behind.
    (tmp_path / "web/main/y.json").write_text("changed\n")
    locked = lock.assign(revision="r1")
    again = sources.fetch_unpinned(targets(tmp_path), web, by_path(locked))
    assert again["revision"].tolist() == ["r1", "r1"]
    with pytest.raises(InputError, match=r"y\.json: sha256 is .*, but the lock file has"):
        sources.fetch_unpinned(targets(tmp_path), web, by_path(lock))
    assert not (tmp_path / "out/y.json").exists()


def test_a_lock_that_lacks_a_file_and_a_file_that_cannot_be_had_are_named(web, tmp_path):
    lock = by_path(sources.fetch_unpinned(targets(tmp_path, PATHS[:1]), web, {}))
    with pytest.raises(InputError, match=r"the lock file lacks y\.json"):
        sources.fetch_unpinned(targets(tmp_path), web, lock)
    with pytest.raises(InputError, match=r"none\.csv cannot be read .* this needs a network"):
        sources.fetch_unpinned(targets(tmp_path, ["none.csv"]), web, {})


def test_the_revision_that_the_first_file_came_with_is_that_of_all(tmp_path, monkeypatch):
    asked = []

    class Reply(io.BytesIO):
        headers = {sources.REVISION: "c0ffee"}  # noqa: RUF012 (read only)

    def answer(url, timeout):
        assert timeout > 0
        asked.append(url)
        return Reply(b"x\n")

    monkeypatch.setattr(sources.urllib.request, "urlopen", answer)
    lock = sources.fetch_unpinned(targets(tmp_path), "https://hub", {})
    assert asked == ["https://hub/main/a/x.csv", "https://hub/c0ffee/y.json"]
    assert lock["revision"].tolist() == ["c0ffee", "c0ffee"]
