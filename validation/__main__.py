"""Try on data whose truth is known what the library states: ``python -m validation [SUBJECT ...]``.

Writes results/validation/table.csv, in which checks of subjects that are not named keep their row
of validation/table.csv. Ends with an error if a check does not hold that holds in that table.
"""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from pathlib import Path

import pandas as pd
import yaml

from saturation.files.tables import load_table, records, write_csv
from validation.check import FAILS, Check, run

ROOT = Path(__file__).resolve().parents[1]
KNOWN = ROOT / "validation" / "table.csv"
FOUND = ROOT / "results" / "validation" / "table.csv"
# Subjects whose checks read the same data sets: a job each, the longest first.
WHOLE = (
    "subset", "plateau", "robustness", "decision", "gate", "advice", "suite", "releases", "fresh",
)  # fmt: skip
# Of the others each check is a job, or those that name the data sets that they share.
SUBJECTS = (
    *WHOLE, "adaptive", "regression", "renewal", "verdict", "board", "boards", "discriminability",
    "index", "votes", "forecast", "statistics", "components", "raters",
    "review", "edges",
)  # fmt: skip


def checks(subject: str) -> tuple[Check, ...]:
    """The checks of one module."""
    return tuple(import_module(f"validation.{subject}").CHECKS)


def jobs(subjects: list[str]) -> list[tuple[str, str]]:
    """List the jobs of some subjects: a subject, and the name of a check or of shared data sets."""
    return list(
        dict.fromkeys(
            (subject, "" if subject in WHOLE else check.shares or check.name)
            for subject in SUBJECTS
            if subject in subjects
            for check in checks(subject)
        )
    )


def simulated(job: tuple[str, str], seed: int) -> pd.DataFrame:
    """Simulate the checks of a job, a row each."""
    subject, part = job
    return pd.DataFrame(
        [run(check, seed) for check in checks(subject) if part in ("", check.shares or check.name)]
    )


def merged(found: pd.DataFrame, known: pd.DataFrame, subjects: list[str]) -> pd.DataFrame:
    """The found rows, and the known ones of checks of other subjects, sorted by name."""
    kept = {check.name for name in SUBJECTS if name not in subjects for check in checks(name)}
    rows = pd.concat([found, known[known["check"].isin(kept)]])
    return rows.sort_values("check", ignore_index=True)


def refused(found: pd.DataFrame, known: pd.DataFrame) -> list[str]:
    """A sentence for each check that does not hold and is not known not to hold."""
    failing = set(known.loc[known["verdict"] == FAILS, "check"])
    return [
        f"check '{row['check']}' does not hold: {row['estimator']} states {row['stated']:.3g} "
        f"({row['statement']}; {row['scenario']}), found {row['found']:.3f} "
        f"({row['found_low']:.3f} to {row['found_high']:.3f}) in {row['data_sets']} data sets"
        for row in records(found[found["verdict"] == FAILS])
        if row["check"] not in failing
    ]


def main(subjects: list[str]) -> list[str]:
    """Simulate the checks of these subjects, a process a core; what does not hold, as sentences."""
    seed = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))["seed"]
    known = load_table(KNOWN)
    with ProcessPoolExecutor() as pool:
        found = pd.concat(list(pool.map(partial(simulated, seed=seed), jobs(subjects))))
    write_csv(merged(found, known, subjects), FOUND)
    return refused(found, known)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="validation", description=__doc__)
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help=", ".join(SUBJECTS))
    chosen = parser.parse_args().subjects or list(SUBJECTS)
    if unknown := set(chosen).difference(SUBJECTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(SUBJECTS)}")
    sys.exit("\n".join(main(chosen)) or None)
