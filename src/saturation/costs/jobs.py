"""What the workflow's jobs cost: per job, per rule, along the longest chain of jobs.

Measured by Snakemake's ``benchmark`` directive; the edges between jobs come from
``snakemake --detailed-summary``.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from saturation.errors import InputError

_MEASURED = {
    "rule_name": "rule",
    "wildcards": "wildcards",
    "threads": "threads",
    "s": "wall_s",
    "cpu_time": "cpu_s",
    "max_rss": "max_rss_mb",
}
# Every rule's parameter "code" begins with its script.
_SCRIPT = re.compile(r"'code': '(\S+) ")


class Totals(NamedTuple):
    """Seconds of a whole run."""

    wall: float
    cpu: float
    start: float
    critical: float


def jobs(records: Mapping[str, pd.DataFrame], summary: pd.DataFrame) -> pd.DataFrame:
    """One row a job of the summary.

    Returns
    -------
    pandas.DataFrame
        Columns ``job``, ``rule``, ``wildcards``, ``threads``, ``wall_s``, ``cpu_s``,
        ``max_rss_mb``, ``script`` and ``needs``, the set of jobs whose outputs it reads. Processor
        time and memory are Snakemake's, which looks twice a second: the last half second is
        missing, and the memory of a job that it never saw running.
    """
    made_by = dict(zip(summary["output_file"], summary["job"]))
    firsts = summary.drop_duplicates("job").set_index("job")["input-file(s)"]
    missing = [job for job in firsts.index if not {*_MEASURED} <= {*records.get(job, ())}]
    if missing:
        raise InputError(
            [f"{job}: no extended benchmark; run it with profiles/default" for job in missing]
        )
    rows = []
    for job, listed in firsts.items():
        inputs = listed.split(",")
        measured = records[str(job)].iloc[-1]
        rows.append(
            {
                "job": job,
                **{ours: measured[theirs] for theirs, ours in _MEASURED.items()},
                "script": _SCRIPT.findall(measured["params"])[0],
                "needs": {made_by[path] for path in inputs if path in made_by},
            }
        )
    table = pd.DataFrame(rows)
    # Nought is what Snakemake writes where it came too late.
    table["max_rss_mb"] = table["max_rss_mb"].where(table["max_rss_mb"] > 0)
    return table


def critical_path(table: pd.DataFrame) -> list[str]:
    """Names of the jobs on the chain that takes longest, first to last."""
    needs = dict(zip(table["job"], table["needs"]))
    seconds = dict(zip(table["job"], table["wall_s"]))
    ends: dict[str, float] = {}
    before: dict[str, str | None] = {}

    def end(job: str) -> float:
        if job not in ends:
            latest = max(sorted(needs[job]), key=end, default=None)
            before[job] = latest
            ends[job] = seconds[job] + (ends[latest] if latest is not None else 0)
        return ends[job]

    job: str | None = max(needs, key=end)
    path = []
    while job is not None:
        path.append(job)
        job = before[job]
    return path[::-1]


def totals(table: pd.DataFrame, path: list[str]) -> Totals:
    """Sums over all jobs, and over those on the critical path."""
    on_path = table["job"].isin(path)
    return Totals(
        wall=table["wall_s"].sum(),
        cpu=table["cpu_s"].sum(),
        start=table["start_s"].sum(),
        critical=table.loc[on_path, "wall_s"].sum(),
    )


def by_rule(table: pd.DataFrame) -> pd.DataFrame:
    """Number of jobs, summed seconds and largest memory of every rule, costliest first."""
    return (
        table.groupby("rule", as_index=False)
        .agg(
            jobs=("job", "size"),
            wall_s=("wall_s", "sum"),
            cpu_s=("cpu_s", "sum"),
            start_s=("start_s", "sum"),
            max_rss_mb=("max_rss_mb", "max"),
        )
        .sort_values("wall_s", ascending=False, ignore_index=True)
    )
