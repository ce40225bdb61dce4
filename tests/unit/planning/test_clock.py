"""Files from the future are dated anew; nothing else is touched."""

import os

from saturation.planning import clock

NOW = 1_000_000.0


def dated(path, seconds):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("kept")
    os.utime(path, (seconds, seconds))
    return path


def test_only_what_is_from_the_future_is_dated_anew(tmp_path):
    late = dated(tmp_path / "results/plateau/index.csv", NOW + clock.TOLERATED + 1)
    edge = dated(tmp_path / "results/edge.csv", NOW + clock.TOLERATED)
    old = dated(tmp_path / "results/old.csv", NOW - 5)
    elsewhere = dated(tmp_path / "elsewhere.csv", NOW + 86_400)
    folders = [tmp_path / "results", tmp_path / "none"]
    for path in (tmp_path / "results", late.parent):
        os.utime(path, (NOW, NOW))
    assert clock.bring_back(folders, NOW) == [late]
    assert [path.stat().st_mtime - NOW for path in (late, edge, old, elsewhere)] == [
        0, clock.TOLERATED, -5, 86_400,
    ]  # fmt: skip
    assert late.read_text() == "kept"
    assert clock.bring_back(folders, NOW) == []


def test_a_link_is_dated_itself_not_what_it_points_to(tmp_path):
    target = dated(tmp_path / "elsewhere.csv", NOW + 86_400)
    link = tmp_path / "results" / "link.csv"
    link.parent.mkdir()
    link.symlink_to(target)
    os.utime(link, (NOW + 86_400,) * 2, follow_symlinks=False)
    os.utime(link.parent, (NOW, NOW))
    assert clock.bring_back([tmp_path / "results"], NOW) == [link]
    assert target.stat().st_mtime == NOW + 86_400
    assert link.lstat().st_mtime == NOW


def test_what_may_not_be_dated_is_left(tmp_path, monkeypatch):
    late = dated(tmp_path / "results/late.csv", NOW + 86_400)

    def forbidden(*_arguments, **_options):
        raise PermissionError

    monkeypatch.setattr(os, "utime", forbidden)
    assert clock.bring_back([tmp_path / "results"], NOW) == []
    assert late.stat().st_mtime == NOW + 86_400
