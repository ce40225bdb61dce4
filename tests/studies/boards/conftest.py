"""Boards for the tests: two embedded ones, and drawn ones."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special

from saturation.files import formats
from saturation.files.tables import load_table
from studies.boards import ranked
from studies.boards.study import study

RESOURCES = Path(__file__).parents[3] / "resources" / "boards"
SOME = ("livebench", "gpqa_diamond", "swebench_epoch", "frontiermath_public", "gmat")


@pytest.fixture(scope="session")
def evaluations():
    """The embedded table of evaluations."""
    return load_table(RESOURCES / "evaluations.csv")


@pytest.fixture(scope="session")
def boards(evaluations):
    """Embedded boards of every kind, as their models are compared."""
    responses = {name: formats.read(RESOURCES / "responses" / f"{name}.parquet") for name in SOME}
    return ranked.all_ranked(responses, evaluations, least_coverage=0.8)


@pytest.fixture(scope="session")
def tables(boards, default_index):
    """The study's tables on these boards."""
    return study(boards, default_index)


@pytest.fixture
def drawn():
    """Draws answers, items by models: right or wrong, of abilities and items that vary."""

    def draw(rng, n_items, abilities, ease=1.5):
        chance = special.expit(np.asarray(abilities) + rng.normal(0, ease, (n_items, 1)))
        return (rng.random(chance.shape) < chance).astype(float)

    return draw


@pytest.fixture
def made():
    """Makes responses and evaluations of a board from answers by evaluation."""

    def make(board, answers, tasks="task", dates=None, models=None, runs=None, answers_each=1):
        names = list(answers)
        table = pd.DataFrame(answers)
        table.insert(0, "item", [f"item {row}" for row in range(len(table))])
        table.insert(1, "task", tasks)
        listed = pd.DataFrame(
            {
                "board": board,
                "evaluation": names,
                "model": models or names,
                "run": runs or 1,
                "items": table[names].notna().sum().to_numpy(),
                "answers": answers_each,
                "date": dates or [None] * len(names),
            }
        )
        return table, listed

    return make
