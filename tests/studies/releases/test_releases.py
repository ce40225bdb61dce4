"""What release notes print: the embedded tables and the answers on their differences."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation.files.tables import load_table
from saturation.statistics import intervals
from studies import style
from studies.boards.names import BOARDS
from studies.releases import figures
from studies.releases.names import DOCUMENTS
from studies.releases.sources import agreement_of_boards
from studies.releases.study import study

RESOURCES = Path(__file__).parents[3] / "resources"
SETTINGS = {"level": 0.95, "margin": 0.02, "ceiling": 0.9}


@pytest.fixture(scope="module")
def tables():
    folder = RESOURCES / "releases"
    return study(
        load_table(folder / "claims.csv"),
        pd.read_csv(RESOURCES / "status/status.csv"),
        load_table(folder / "benchmarks.csv"),
        load_table(folder / "agreement.csv"),
        SETTINGS,
    )


def test_every_document_has_its_new_model(tables):
    claims = tables["claims"]
    for name, document in DOCUMENTS.items():
        part = claims[claims["document"] == name]
        assert set(part["model"]) == set(document.models.values())
        assert not set(part["model"]) & set(part["rival"]) or name == "llama_4"


def test_a_printed_difference_by_hand(tables):
    # Kimi K2 and GPT-4.1 on MMLU: 89.5 and 90.4 of 14,042, correlation 0.279 at its lower end.
    row = (
        tables["claims"]
        .query("document == 'kimi_k2' and benchmark == 'MMLU' and rival == 'GPT-4.1'")
        .iloc[0]
    )
    mean = (0.8995 * 14_042 + 1) / 14_044
    lower = 0.483318 - 1.708141 * np.sqrt(0.101826**2 * 27 / 26 + 0.058956**2)
    error = np.sqrt(2 * mean * (1 - mean) * (1 - lower) / 14_042)
    assert row["error_like_these"] == pytest.approx(error, rel=2e-3)
    assert row["error_on_these"] < row["error_like_these"]
    assert row["answer_like_these"] != "better"


def test_holm_is_over_all_tested_differences_of_a_document(tables):
    part = tables["claims"].query("document == 'mimo'").dropna(subset=["p_like_these"])
    expected = intervals.holm(part["p_like_these"])
    assert part["p_adjusted_like_these"].to_numpy() == pytest.approx(expected, rel=1e-8)


def test_items_add_error_so_that_less_is_significant(tables):
    counts = tables["counts"].groupby("question")[["better", "worse"]].sum().sum(axis=1)
    assert counts["items like these"] < counts["these items"]
    total = tables["counts"].drop(columns=["document", "question"]).to_numpy().sum()
    assert total == 2 * len(tables["claims"])


def test_the_figure_fits_a_column(tables):
    with style.style():
        figure = figures.claims(tables["counts"])
    assert figure.get_size_inches()[0] == 5.5
    assert min(text.get_size() for text in figure.findobj(lambda a: hasattr(a, "get_size"))) >= 6.5


def test_covariances_of_shares_are_those_of_single_answers():
    rng = np.random.default_rng(0)
    latent = rng.beta(1, 1, (4000, 1)) * np.ones((1, 3))
    shares = rng.binomial(20, latent) / 20
    names = [f"m{n}" for n in range(3)]
    board = "gpqa_diamond"
    assert BOARDS[board].kind == "share of repetitions"
    table = pd.DataFrame(shares, columns=names).assign(
        item=[str(n) for n in range(4000)], task="all"
    )
    evaluations = pd.DataFrame(
        {"board": board, "evaluation": names, "model": names, "run": 1, "items": 4000,
         "answers": 20, "date": "2025-01-01"}
    )  # fmt: skip
    found = agreement_of_boards({board: table}, evaluations, 0.8).iloc[0]
    # Of a uniform share the variance is 1/12, of a single answer 1/4.
    assert found["correlation"] == pytest.approx(1 / 3, abs=0.02)
    assert found["run_part"] == pytest.approx(2 / 3, abs=0.02)
