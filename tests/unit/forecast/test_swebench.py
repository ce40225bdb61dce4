"""SWE-bench's boards as cases for the question whether the indices predict."""

import json

import numpy as np
import pytest

from saturation.discriminability.bdi import bdi
from saturation.errors import InputError
from saturation.forecast import sources
from saturation.index import saturation_index

NAMES = ("Test", "Lite", "Verified", "Multimodal")


@pytest.fixture
def file(tmp_path):
    """Boards of twelve systems by April 2024 and one more, far better, in November."""

    def write(names=NAMES):
        early = [
            {"date": f"2024-0{1 + place % 4}-10", "resolved": 20.0 + place} for place in range(12)
        ]
        results = [{"date": "2024-11-02", "resolved": 60.0}, *early]
        boards = [{"name": name, "results": results} for name in [*names, "bash-only"]]
        path = tmp_path / "leaderboards.json"
        path.write_text(json.dumps({"leaderboards": boards}), encoding="utf-8")
        return path

    return write


def made(path):
    return sources.cases(sources.results(path), k=5, alpha=0.5, bins=20)


def test_a_month_knows_all_systems_so_far_and_no_later_one(file):
    cases = made(file())
    own = cases[(cases["benchmark"] == "SWE-bench Lite") & (cases["ahead"] == 6)]
    # The tenth system came in April; six months later the first rise is seen in May.
    assert list(own["month"]) == ["2024-04", "2024-05"]
    april, may = own.to_dict("records")
    scores = (20 + np.arange(12)) / 100
    assert april["best"] == pytest.approx(0.31)
    assert april["gap"] == pytest.approx(0.09 / 9)
    assert april["s_index"] == pytest.approx(float(saturation_index(0.31, 0.27, 300, 0.5)))
    assert april["bdi"] == pytest.approx(float(bdi(np.histogram(scores, 20, (0, 1))[0])))
    assert (april["rise"], may["rise"]) == (pytest.approx(0), pytest.approx(0.29))


def test_each_board_has_its_own_number_of_tasks(file):
    cases = made(file())
    at_once = cases[cases["month"] == "2024-05"].set_index("benchmark")["s_index"]
    # The same gap is the larger against its error, the more tasks there are.
    order = ["SWE-bench Lite", "SWE-bench Verified", "SWE-bench Multimodal", "SWE-bench Test"]
    assert at_once[order].is_monotonic_decreasing
    assert at_once.nunique() == 4


def test_a_missing_board_is_named(file):
    with pytest.raises(InputError, match="there is no board 'Lite'"):
        sources.results(file(("Test", "Verified", "Multimodal")))
