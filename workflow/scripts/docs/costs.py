"""Collect what every job of the default run, or of the given targets, cost (make costs).

Reads results/costs/ and Snakemake's summary; writes results/costs.csv, the same by rule
as results/costs.md, and results/figures/costs.{png,pdf,svg}. Start-up is measured here:
a new interpreter imports what Snakemake's preamble and the job's script import.
"""

import ast
import functools
import io
import resource
import subprocess
import sys
from pathlib import Path

import pandas as pd

from saturation.costs import figures, jobs
from saturation.files.tables import read_table, write_csv, write_figure, write_text
from saturation.pages import style

# What Snakemake puts in front of a script.
PREAMBLE = "from snakemake.logging import logger; from snakemake.iocontainers import Snakemake"
LOGS, COSTS = "results/logs/", "results/costs/"


def main(folder: Path, *targets: str) -> jobs.Totals:
    """Collect the run in the folder; returns its sums."""
    summary = summarised(folder, *targets)
    records = {
        job: read_table(path, sep="\t")
        for job in summary["job"].unique()
        if (path := folder / COSTS / f"{job}.tsv").exists()
    }
    table = jobs.jobs(records, summary)
    table["start_s"] = [start_seconds(folder / script) for script in table["script"]]
    chain = jobs.critical_path(table)
    sums = jobs.totals(table, chain)
    rules = jobs.by_rule(table)
    table["critical"] = table["job"].isin(chain)
    table = table.drop(columns=["script", "needs"]).sort_values("job")
    write_csv(table, folder / "results/costs.csv")
    write_text(page(rules, sums, chain), folder / "results/costs.md")
    with style.style():
        drawn = figures.costs(rules, sums, set(table.loc[table["critical"], "rule"]))
        outputs = [folder / f"results/figures/costs.{kind}" for kind in ("png", "pdf", "svg")]
        write_figure(drawn, outputs)
    return sums


def summarised(folder: Path, *targets: str) -> pd.DataFrame:
    """Outputs of the targets' jobs with the job that makes each and the inputs that it needs."""
    command = [sys.executable, "-m", "snakemake", "--detailed-summary", "--nolock", *targets]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    summary = pd.read_csv(io.StringIO(done.stdout), sep="\t", dtype=str)
    logs = summary["log-file(s)"].str.removeprefix(LOGS).str.removesuffix(".log")
    return summary.assign(job=logs)


@functools.cache
def start_seconds(script: Path) -> float:
    """Processor seconds of a new interpreter that imports what the script imports."""
    tree = ast.parse(script.read_text(encoding="utf-8"))
    imports = [
        ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "\n".join([PREAMBLE, *imports])], check=True)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime


def page(rules: pd.DataFrame, sums: jobs.Totals, chain: list[str]) -> str:
    """The sums, the critical path and the table by rule as Markdown."""
    return (
        "# What the default run costs\n\n"
        f"{rules['jobs'].sum()} jobs take {sums.wall:.0f} s of wall time and {sums.cpu:.0f} s of "
        f"processor time in all; start-up is {sums.start:.0f} s of the latter, "
        f"{sums.start / sums.cpu:.0%}. The critical path takes {sums.critical:.0f} s:\n"
        f"{' → '.join(chain)}.\n\n{rules.round(1).to_markdown(index=False)}\n"
    )


if __name__ == "__main__":
    main(Path.cwd(), *sys.argv[1:])
