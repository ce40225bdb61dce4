"""The status from embedded tables: without forecasts, and without boards unless a test adds one."""

from pathlib import Path

import pandas as pd
import pytest

from saturation.files.tables import as_written, read_table
from saturation.forecast.names import NLP
from saturation.forecast.series import dated, described
from saturation.status.study import Inputs, Settings, study
from studies.boards.names import BOARDS

ROOT = Path(__file__).resolve().parents[3]
THRESHOLDS = {
    "observed_on": "2025-11-01", "exhausted_from": 0.9, "stale_months": 12, "old_months": 24,
    "fewest_models": 8, "largest_detectable": 0.05, "level": 0.95, "k": 5,
}  # fmt: skip


@pytest.fixture(scope="session")
def settings():
    return Settings(as_of="2026-08-01", **THRESHOLDS)


@pytest.fixture(scope="session")
def history():
    """The embedded series, and their dated scores."""
    series, scores = (
        read_table(ROOT / f"resources/forecast/{name}.csv") for name in ("series", "scores")
    )
    return {"series": series, "scores": dated(scores, "scores.csv")}


@pytest.fixture(scope="session")
def judged(prepared, default_index, history):
    """A function: the status on a day, from what was scored by then, other tables in place."""
    facts, issues = (
        read_table(ROOT / f"resources/status/{n}.csv") for n in ("benchmarks", "issues")
    )
    boards = ["board", "title", "n_models", "kth_tied", "detectable", "s_1"]

    recent = history["series"]["source"] != NLP
    current = {"series": history["series"][recent], "scores": history["scores"]}

    def status(as_of="2026-08-01", **tables):
        own = {name: tables.pop(name, table) for name, table in current.items()}
        known = own["scores"]
        known = known[known["series"].isin(own["series"]["series"]) & (known["date"] <= as_of)]
        given = {
            "facts": facts,
            "issues": issues,
            "series": as_written(described(own["series"], known, as_of)),
            "scores": known,
            "reach": pd.DataFrame(columns=["series", "origin", "threshold"]),
            "overview": pd.DataFrame(columns=boards),
            "models": pd.DataFrame(columns=["board", "model", "score", "released"]),
            "benchmarks": prepared[0],
            "top_scores": prepared[1],
            "index": default_index,
        }
        made = study(Inputs(**given | tables), Settings(as_of=as_of, **THRESHOLDS))
        return made.status.set_index("benchmark")

    return status


@pytest.fixture(scope="session")
def today(judged, history):
    """The status of all, the benchmarks of papers before 2023 among them."""
    return judged(**history)


@pytest.fixture
def board():
    """A function that makes a board of GPQA Diamond whose best model has this score."""
    assert "gpqa_diamond" in BOARDS

    def made(best=0.95, released="2025-10-01", **given):
        row = {"board": "gpqa_diamond", "title": "GPQA Diamond", "n_models": 20, "kth_tied": True}
        row |= {"detectable": 0.04, "s_1": best} | given
        models = {"board": row["board"], "model": "m", "score": best, "released": released}
        return {"overview": pd.DataFrame([row]), "models": pd.DataFrame([models])}

    return made
