"""Which files a benchmark's list of paths and patterns stands for."""

from pathlib import Path

import pytest

from saturation.errors import InputError
from saturation.planning.paths import expand


class TestPaths:
    def test_patterns_names_with_glob_characters_and_the_workflow_folder(self, tmp_path):
        for name in ("b.json", "a.json", "odd [1].json"):
            (tmp_path / name).write_text("{}")
        found = [Path(one["path"]).name for one in expand(["*.json"], tmp_path)]
        assert found == ["a.json", "b.json", "odd [1].json"]
        entry = {"path": "odd [1].json", "model": "m"}
        (one,) = expand([entry], tmp_path)
        assert one["model"] == "m"
        assert Path(one["path"]).name == "odd [1].json"

    def test_all_that_match_nothing_are_named(self, tmp_path):
        with pytest.raises(InputError) as error:
            expand(["no.json", "*.none"], tmp_path)
        assert len(error.value.violations) == 2
