"""A pinned source is used only when its sha256 fits, wherever it comes from."""

import dataclasses
import hashlib
from pathlib import Path

import pytest

from saturation.errors import InputError
from saturation.files import sources
from saturation.files.tables import read_table

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
    message = str(caught.value)
    assert "x.csv" in message
    assert "source 'x'" in message
    assert hashlib.sha256(changed).hexdigest() in message
    assert source.sha256 in message
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


def test_check_passes_the_pinned_file_only(tmp_path, source):
    path = tmp_path / "web.csv"
    sources.check(path, source)
    path.write_bytes(CONTENT + b"\n")
    with pytest.raises(InputError, match=r"web\.csv: sha256 is"):
        sources.check(path, source)


def test_every_source_of_the_registry_is_pinned_and_licensed():
    table = read_table(ROOT / "resources" / "sources.csv")
    registry = sources.registry(table)
    assert len(registry) == len(table)
    for name, source in registry.items():
        assert source.name == name
        assert len(bytes.fromhex(source.sha256)) == 32
        assert source.url.startswith("https://")
        assert source.licence


def test_an_unknown_source_is_named_with_the_known_ones(source):
    assert sources.named({"x": source}, "x", "sources.csv") is source
    with pytest.raises(InputError, match=r"sources\.csv: no source 'y'; known: x"):
        sources.named({"x": source}, "y", "sources.csv")


def test_a_source_is_asked_for_by_its_own_suffix(source):
    sources.require_suffix(source, "csv")
    with pytest.raises(InputError, match=r"source 'x' is a file of the kind \.csv, not \.zip"):
        sources.require_suffix(source, "zip")
