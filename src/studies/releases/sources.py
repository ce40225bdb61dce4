"""Make the embedded tables: printed scores, and how far answers of leading models agree."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from saturation.compare.tables import load_published
from saturation.files.tables import NamedTables
from saturation.leaderboard.runs import elsewhere
from studies.boards.names import BANKS, BOARDS, SHARES
from studies.boards.ranked import ranked
from studies.releases.names import DOCUMENTS

# Leaders of a board whose pairs are measured, and items that they all answered.
LEADERS, FEWEST_ITEMS = 5, 30


def claims_of_documents(files: Sequence[Path]) -> pd.DataFrame:
    """Read the scores of every table in which a release note compares its model."""
    paths = {path.name: path for path in files}
    tables = []
    for name, document in DOCUMENTS.items():
        table = load_published(paths[document.sources])
        tables.append(table[table["table"].isin(document.models)].assign(document=name))
    columns = ["document", "table", "benchmark", "metric", "model", "score", "mark"]
    return pd.concat(tables, ignore_index=True)[columns]


def agreement_of_boards(
    responses: NamedTables, evaluations: pd.DataFrame, least_coverage: float
) -> pd.DataFrame:
    """Measure the correlation of single answers of leading models, and the part of the runs.

    Of shares over runs, the covariance is that of single answers, whose variance is p (1 - p).
    """
    rows = []
    for name, table in responses.items():
        board = ranked(name, table, evaluations[evaluations["board"] == name], least_coverage)
        answers = board.answers.iloc[:, :LEADERS].dropna().to_numpy()
        if name in BANKS or len(answers) < FEWEST_ITEMS:
            continue
        score = answers.mean(axis=0)
        single = score * (1 - score)
        covariance = np.cov(answers, rowvar=False, ddof=0)
        correlations = covariance / np.sqrt(np.outer(single, single))
        pairs = correlations[np.triu_indices(len(single), 1)]
        repeated = BOARDS[name].kind == SHARES
        counts = board.counts[: answers.shape[1]]
        within = (
            (answers * (1 - answers)).mean(axis=0) / single * counts / np.maximum(counts - 1, 1)
        )
        rows.append(
            {
                "board": name,
                "kind": elsewhere(BOARDS[name].title).kind,
                "n_items": len(answers),
                "n_models": answers.shape[1],
                "correlation": pairs.mean(),
                "spread": pairs.std(ddof=1),
                "run_part": within[counts > 1].mean() if repeated and (counts > 1).any() else None,
            }
        )
    return pd.DataFrame(rows)
