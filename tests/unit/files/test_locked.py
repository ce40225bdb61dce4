"""The first fetch locks a data set, and whatever differs from the lock is refused."""

import pandas as pd
import pytest

from saturation.errors import InputError
from saturation.files import sources

PATHS = ["a/x.csv", "y.json"]


@pytest.fixture
def web(tmp_path):
    for revision in ("main", "r1"):
        for path in PATHS:
            file = tmp_path / "web" / revision / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{path}\n")
    return (tmp_path / "web").as_uri()


def targets(folder, paths=PATHS):
    return {path: folder / "out" / path for path in paths}


def test_the_first_fetch_says_what_came_and_the_second_is_checked(web, tmp_path):
    lock = sources.fetch_unpinned(targets(tmp_path), web, {})
    assert (tmp_path / "out/a/x.csv").read_text() == "a/x.csv\n"
    assert lock["path"].tolist() == PATHS
    assert lock["revision"].tolist() == ["main", "main"]
    again = sources.fetch_unpinned(targets(tmp_path), web, sources.by_path(lock))
    pd.testing.assert_frame_equal(again, lock)


def test_later_fetches_ask_for_the_locked_revision(web, tmp_path):
    lock = sources.fetch_unpinned(targets(tmp_path), web, {}).assign(revision="r1")
    (tmp_path / "web/main/y.json").write_text("changed\n")
    assert sources.fetch_unpinned(targets(tmp_path), web, sources.by_path(lock))[
        "revision"
    ].tolist() == [
        "r1",
        "r1",
    ]


def test_another_file_is_refused_and_not_left_behind(web, tmp_path):
    lock = sources.by_path(sources.fetch_unpinned(targets(tmp_path), web, {}))
    (tmp_path / "web/main/y.json").write_text("changed\n")
    with pytest.raises(InputError, match=r"y\.json: sha256 is .*, but the lock file has"):
        sources.fetch_unpinned(targets(tmp_path), web, lock)
    assert not (tmp_path / "out/y.json").exists()


def test_a_lock_that_lacks_a_file_and_a_file_that_cannot_be_had_are_named(web, tmp_path):
    lock = sources.by_path(sources.fetch_unpinned(targets(tmp_path, PATHS[:1]), web, {}))
    with pytest.raises(InputError, match=r"the lock file lacks y\.json"):
        sources.fetch_unpinned(targets(tmp_path), web, lock)
    with pytest.raises(InputError, match=r"none\.csv cannot be read .* this needs a network"):
        sources.fetch_unpinned(targets(tmp_path, ["none.csv"]), web, {})


def test_a_lock_file_that_is_there_stays(tmp_path):
    first, second = (pd.DataFrame({"path": [name]}) for name in "ab")
    for lock in (first, second):
        sources.write(lock, tmp_path / "config/lock.csv")
    assert pd.read_csv(tmp_path / "config/lock.csv")["path"].tolist() == ["a"]


def test_the_revision_that_the_first_file_came_with_is_that_of_all(tmp_path, monkeypatch):
    asked = []

    class Reply:
        headers = {sources.REVISION: "c0ffee"}  # noqa: RUF012 (read only)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def read(self):
            return b"x\n"

    def answer(url, timeout):
        assert timeout > 0
        asked.append(url)
        return Reply()

    monkeypatch.setattr(sources.urllib.request, "urlopen", answer)
    lock = sources.fetch_unpinned(targets(tmp_path), "https://hub", {})
    assert asked == ["https://hub/main/a/x.csv", "https://hub/c0ffee/y.json"]
    assert lock["revision"].tolist() == ["c0ffee", "c0ffee"]
