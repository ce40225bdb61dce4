"""Files that come with the package, from a clone and from a wheel."""

import pytest

from saturation.files import tables


def test_in_a_clone_they_are_the_repository_s(request):
    root = request.config.rootpath
    assert tables.shipped("config/config.yaml") == root / "config/config.yaml"


def test_those_of_a_wheel_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "INSTALLED", tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").touch()
    assert tables.shipped("config/config.yaml") == tmp_path / "config/config.yaml"
    assert tables.shipped("resources/plateau/benchmarks.csv").is_file()


def test_what_does_not_come_with_it_is_named():
    with pytest.raises(FileNotFoundError, match="none/such: the package comes without this file"):
        tables.shipped("none/such")
