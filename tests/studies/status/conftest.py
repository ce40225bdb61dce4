"""The status from embedded tables: without chances, and without boards unless a test adds one."""

from pathlib import Path

import pandas as pd
import pytest

from saturation.files.tables import load_table
from studies.boards.names import BOARDS
from studies.forecast.names import NLP
from studies.status.study import Settings, study

ROOT = Path(__file__).resolve().parents[3]
THRESHOLDS = {
    "observed_on": "2025-11-01", "exhausted_from": 0.9, "stale_months": 12, "old_months": 24,
    "fewest_models": 8, "largest_detectable": 0.05, "level": 0.95, "k": 5,
}  # fmt: skip
FILES = {
    "facts": "status/benchmarks", "issues": "status/issues", "listed": "status/listed",
    "reports": "status/reported", "said": "status/said", "series": "forecast/series",
    "scores": "forecast/scores",
}  # fmt: skip


@pytest.fixture(scope="session")
def settings():
    return Settings(as_of="2026-08-01", **THRESHOLDS)


@pytest.fixture(scope="session")
def embedded():
    """The tables in the repository."""
    return {name: load_table(ROOT / f"resources/{path}.csv") for name, path in FILES.items()}


@pytest.fixture(scope="session")
def judged(prepared, default_index, embedded):
    """A function: the status on a day, from the scores of models released by then."""
    boards = ["board", "title", "n_models", "kth_tied", "detectable", "s_1"]
    series = embedded["series"]
    series = series[series["source"] != NLP]
    scores = embedded["scores"]
    current = embedded | {
        "series": series,
        "scores": scores[scores["series"].isin(series["series"])],
    }

    def status(as_of="2026-08-01", **tables):
        given = {
            **current,
            "chances": pd.DataFrame(columns=["series", "benchmark", "probability"]),
            "overview": pd.DataFrame(columns=boards),
            "models": pd.DataFrame(columns=["board", "model", "score", "released"]),
            "benchmarks": prepared[0],
            "top_scores": prepared[1],
            "index": default_index,
        } | tables
        for name in ("scores", "reports"):
            # Reports were read after the day of the other sources.
            last = "9999" if as_of == "2026-08-01" and name == "reports" else as_of
            given[name] = given[name][given[name]["date"].astype(str) <= last]
        made = study(given, Settings(as_of=as_of, **THRESHOLDS))
        return made["status"].set_index("benchmark")

    return status


@pytest.fixture(scope="session")
def alone(prepared, default_index, embedded):
    """A function: the tables without any benchmark but those of these series."""

    def tables(*names):
        series = embedded["series"][embedded["series"]["benchmark"].isin(names)]
        scores = embedded["scores"][embedded["scores"]["series"].isin(series["series"])]
        empty = {name: embedded[name].iloc[:0] for name in ("listed", "reports", "said")}
        empty |= {"benchmarks": prepared[0].iloc[:0], "top_scores": prepared[1].iloc[:0]}
        return {**empty, "index": default_index.iloc[:0], "series": series, "scores": scores}

    return tables


@pytest.fixture(scope="session")
def today(judged, embedded):
    """The status of all, the benchmarks of papers before 2023 among them."""
    return judged(series=embedded["series"], scores=embedded["scores"])


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
