"""The simulated length of a run on many cores, on graphs whose answer is known by hand."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SPECIFICATION = importlib.util.spec_from_file_location("makespan", ROOT / "speed/makespan.py")
makespan = importlib.util.module_from_spec(SPECIFICATION)
SPECIFICATION.loader.exec_module(makespan)

SECONDS = {"a": 2.0, "b": 3.0, "c": 4.0, "d": 1.0}
DIAMOND = {"a": set(), "b": {"a"}, "c": {"a"}, "d": {"b", "c"}}


@pytest.mark.parametrize(("places", "length"), [(1, 10), (2, 7), (100, 7)])
def test_a_diamond_takes_its_sum_on_one_core_and_its_longest_chain_on_many(places, length):
    assert makespan.makespan(SECONDS, DIAMOND, places) == length


def test_waiting_counts_once_for_each_job_of_the_chain():
    assert makespan.makespan(SECONDS, DIAMOND, 9, queue=10) == 7 + 3 * 10


def test_who_waits_takes_no_place():
    many, alone = dict.fromkeys("abcdef", 1.0), {job: set() for job in "abcdef"}
    assert makespan.makespan(many, alone, 1, queue=10) == 16


def test_jobs_of_a_study_are_one_job_as_long_as_on_a_node():
    study = {"a": "x", "b": "x", "c": "x", "d": "y"}
    # Two cores: b and c run beside each other.
    assert makespan.grouped(SECONDS, DIAMOND, study) == ({"x": 6, "y": 1}, {"x": set(), "y": {"x"}})


def test_the_longest_chain_goes_first():
    seconds = {"short": 1.0, "long": 1.0, "after": 5.0}
    needs = {"short": set(), "long": set(), "after": {"long"}}
    assert makespan.makespan(seconds, needs, 1) == 7
    assert makespan.makespan(seconds, needs, 2) == 6
