"""Collected costs: edges from the summary, the longest chain, sums."""

import pandas as pd
import pytest

from saturation.costs import jobs
from saturation.errors import InputError


def record(seconds, rule="a", script="x"):
    return pd.DataFrame(
        {"rule_name": [rule], "wildcards": ["{}"], "threads": [1], "s": [seconds],
         "cpu_time": [seconds / 2], "max_rss": [100.0 + seconds],
         "params": [f"{{'k': 5, 'code': 'workflow/scripts/x/{script}.py 00ff'}}"]}
    )  # fmt: skip


SUMMARY = pd.DataFrame(
    [
        ("in.csv", "inputs", "resources/raw.csv"),
        ("other.csv", "inputs", "resources/raw.csv"),
        ("left.csv", "left", "in.csv"),
        ("right.csv", "right", "other.csv,in.csv"),
        ("end.csv", "end", "left.csv,right.csv"),
        ("alone.csv", "alone", "resources/other.csv"),
    ],
    columns=["output_file", "job", "input-file(s)"],
)
RECORDS = {
    "inputs": record(2), "left": record(5, "b"), "right": record(1, "b", "right"), "end": record(1),
    "alone": record(7),
}  # fmt: skip


def test_a_job_needs_those_that_make_its_inputs():
    table = jobs.jobs(RECORDS, SUMMARY).set_index("job")
    assert table["needs"].to_dict() == {
        "inputs": set(), "left": {"inputs"}, "right": {"inputs"}, "end": {"left", "right"},
        "alone": set(),
    }  # fmt: skip
    assert table.loc["right", "script"] == "workflow/scripts/x/right.py"
    assert table.loc["left", ["rule", "wall_s", "cpu_s"]].tolist() == ["b", 5, 2.5]


def test_the_memory_of_a_job_that_was_never_seen_running_is_unknown():
    unseen = RECORDS | {"left": record(5, "b").assign(max_rss=0.0)}
    table = jobs.jobs(unseen, SUMMARY).set_index("job")
    assert table["max_rss_mb"].isna().tolist() == (table.index == "left").tolist()


def test_the_critical_path_is_the_chain_that_takes_longest():
    table = jobs.jobs(RECORDS, SUMMARY)
    path = jobs.critical_path(table)
    assert path == ["inputs", "left", "end"]
    sums = jobs.totals(table.assign(start_s=1.0), path)
    assert sums == (16, 8, 5, 8)


def test_rules_are_summed_and_sorted_by_wall_time():
    rules = jobs.by_rule(jobs.jobs(RECORDS, SUMMARY).assign(start_s=0.5))
    assert rules["rule"].tolist() == ["a", "b"]
    assert rules["jobs"].tolist() == [3, 2]
    assert rules["wall_s"].tolist() == [10, 6]
    assert rules["max_rss_mb"].tolist() == [107, 105]


@pytest.mark.parametrize("broken", [{}, {"left": pd.DataFrame({"s": [1.0]})}])
def test_a_job_that_was_not_measured_is_named(broken):
    records = {name: table for name, table in RECORDS.items() if name != "left"}
    with pytest.raises(InputError, match="left: no extended benchmark"):
        jobs.jobs({**records, **broken}, SUMMARY)
