"""How long the run would take on more cores than one machine has: simulated, from measured jobs.

Reads results/costs.csv (make costs) for every job's seconds and results/costs/ for its inputs'
jobs, and lists the jobs as soon as they are ready, longest remaining chain first, on N nodes of two
cores. queue: seconds that a cluster lets a job wait, and those until its end is noticed. A study
is one job there (profiles/slurm), so that waiting counts once a study. The full multiverse is as
many chunks as there are cores.
Usage: python speed/makespan.py. Writes speed/results/makespan.json and .md.
"""

import heapq
import json
import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.costs import jobs as measured
from saturation.files.tables import read_table

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "speed/results/makespan.json"
NODES = (1, 2, 4, 10, 100)
CORES = 2
QUEUES = (0.0, 10.0, 60.0)

Needs = Mapping[str, set[str]]


def makespan(seconds: Mapping[str, float], needs: Needs, places: int, queue: float = 0.0) -> float:
    """When the last job ends, if ready jobs take the next free of so many places.

    Parameters
    ----------
    seconds
        Of each job.
    needs
        The jobs that each waits for.
    places
        Jobs that run at a time.
    queue
        Seconds that each waits before it starts, in which it takes no place.
    """
    rank = _remaining(seconds, needs)
    left = {job: set(before) for job, before in needs.items()}
    waiting = [(queue, -rank[job], job) for job, before in left.items() if not before]
    heapq.heapify(waiting)
    ready: list[tuple[float, str]] = []
    running: list[tuple[float, str]] = []
    now = 0.0
    while waiting or ready or running:
        while waiting and waiting[0][0] <= now:
            heapq.heappush(ready, heapq.heappop(waiting)[1:])
        while ready and len(running) < places:
            job = heapq.heappop(ready)[1]
            heapq.heappush(running, (now + seconds[job], job))
        if not running or (waiting and waiting[0][0] < running[0][0]):
            now = waiting[0][0]
            continue
        now, ended = heapq.heappop(running)
        for job in [job for job, before in left.items() if ended in before]:
            left[job].remove(ended)
            if not left[job]:
                heapq.heappush(waiting, (now + queue, -rank[job], job))
    return now


def _remaining(seconds: Mapping[str, float], needs: Needs) -> dict[str, float]:
    """Seconds from the start of each job to the end of the longest chain that waits for it."""
    rank: dict[str, float] = {}

    def of(job: str) -> float:
        if job not in rank:
            after = [other for other, before in needs.items() if job in before]
            rank[job] = seconds[job] + max(map(of, after), default=0.0)
        return rank[job]

    for job in seconds:
        of(job)
    return rank


def grouped(
    seconds: Mapping[str, float], needs: Needs, study: Mapping[str, str]
) -> tuple[dict[str, float], dict[str, set[str]]]:
    """The same with one job a study: as long as its own jobs take on one node."""
    names = set(study.values())
    members = {name: {job for job in seconds if study[job] == name} for name in names}
    inside = {
        name: makespan(
            {job: seconds[job] for job in those}, {job: needs[job] & those for job in those}, CORES
        )
        for name, those in members.items()
    }
    between = {
        name: {study[before] for job in those for before in needs[job]} - {name}
        for name, those in members.items()
    }
    return inside, between


def main() -> None:
    """Simulate and write."""
    collect = runpy.run_path(str(ROOT / "workflow/scripts/docs/costs.py"))
    summary = collect["summarised"](ROOT)
    records = {
        job: read_table(ROOT / f"results/costs/{job}.tsv", sep="\t")
        for job in summary["job"].unique()
    }
    table = measured.jobs(records, summary)
    seconds = dict(zip(table["job"], table["cpu_s"].astype(float)))
    needs = dict(zip(table["job"], table["needs"]))
    study = {job: job.split("/")[0] for job in seconds}
    whole = grouped(seconds, needs, study)
    rows: list[dict[str, Any]] = []
    for queue in QUEUES:
        for nodes in NODES:
            places = nodes * CORES
            rows.append(
                {
                    "waiting_s": queue,
                    "nodes": nodes,
                    "each_job_s": round(makespan(seconds, needs, places, queue), 1),
                    "one_job_a_study_s": round(makespan(*whole, nodes, queue), 1),
                }
            )
    OUTPUT.write_text(json.dumps(rows, indent=1) + "\n")
    text = pd.DataFrame(rows).to_markdown(index=False)
    total = f"{len(seconds)} jobs, {sum(seconds.values()):.0f} s of processor time"
    OUTPUT.with_suffix(".md").write_text(f"# The default run on more nodes: {total}\n\n{text}\n")
    print(text)


if __name__ == "__main__":
    main()
