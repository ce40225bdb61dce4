"""The two errors of the gap at the top of each leaderboard: which items, and which answers.

Another test would ask other items (data noise); the same model asked again answers otherwise
(prediction noise). Where a source counts several answers to an item, both are measured; where it
has one, only their sum is.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from saturation.files.tables import Row
from saturation.leaderboard import runs
from saturation.statistics import components
from studies.boards.names import BOARDS, OLDER, ORIGINS, SAMPLED
from studies.boards.ranked import Ranked, Settings
from studies.quantity import Quantity

# Models that a leaderboard needs to count in a headline.
FEWEST_MODELS = 10
# What an error contains: items alone, or items and one answer to each.
ITEMS, ONE_RUN = "items", "one_run"
_COLUMNS = [
    *("board", "title", "origin", "newest", "recent", "n_models", "n_items", "answers", "gap"),
    *("one_run", "items", "run_share", "times", "one_run_separated", "items_separated"),
]


def noise(boards: Sequence[Ranked], settings: Settings) -> pd.DataFrame:
    """One row a board: the gap of first and k-th, and its standard error of each kind.

    ``one_run`` is the error with one answer to each item (total noise), ``items`` its part that
    infinitely many answers leave (data noise), ``run_share`` the share of the rest in the variance.
    ``times`` turns an error into the half width of an
    interval that covers all pairs of the k models with the best scores at once (Bonferroni,
    Student's t), as the two were chosen by their scores.
    """
    rows = [_row(board, settings) for board in boards if board.answers.shape[1] >= settings.k]
    return pd.DataFrame(rows).reindex(columns=_COLUMNS)


def quantities(table: pd.DataFrame) -> Iterator[Quantity]:
    """Count leaderboards of recent models that separate first and k-th, by kind of error.

    Limits of a share are its least and most without one origin, whose boards share their models.
    """
    recent = table[table["recent"]]
    others = recent[recent["origin"] != SAMPLED]
    for name, rows in (("", recent), ("__other_sources", others)):
        yield Quantity(f"n_recent_boards{name}", len(rows))
        for kind in (ONE_RUN, ITEMS):
            count = rows[f"{kind}_separated"].sum()
            yield Quantity(f"n_recent_boards_separated_{kind}{name}", count)
    for kind in (ONE_RUN, ITEMS):
        separated = recent[f"{kind}_separated"].astype(bool)
        without = [
            separated[recent["origin"] != origin].mean() for origin in recent["origin"].unique()
        ]
        yield Quantity(
            f"recent_boards_separated_share_{kind}",
            separated.mean(),
            min(without),
            max(without),
            "limits: without one source",
        )
    shares = recent["run_share"].dropna()
    yield Quantity("n_recent_boards_with_runs", len(shares))
    yield Quantity(
        "run_share_median",
        shares.median(),
        shares.min(),
        shares.max(),
        "limits: least and most of a leaderboard",
    )


def _row(board: Ranked, settings: Settings) -> Row:
    k = settings.k
    pair = board.answers.iloc[:, [0, k - 1]].dropna().to_numpy()
    n, models = len(pair), board.answers.shape[1]
    counts = board.counts[[0, k - 1]]
    gap = pair[:, 0].mean() - pair[:, 1].mean()
    times = runs.times(n, k, settings.level)
    row = {
        "board": board.board,
        "title": BOARDS[board.board].title,
        "origin": ORIGINS[board.board],
        "newest": board.dates.dropna().max() if board.dates.notna().any() else None,
        "recent": board.board not in OLDER and models >= FEWEST_MODELS,
        "n_models": models,
        "n_items": n,
        "answers": max(counts.min(), 1),
        "gap": gap,
        "times": times,
    }
    # Of graded answers and of one answer to an item, what varies lies in the answers as they are.
    single = pair * (1 - pair) if board.shares else np.zeros_like(pair)
    error = np.sqrt((np.var(pair[:, 0] - pair[:, 1], ddof=1) + single.sum(1).mean()) / n)
    row |= {"one_run": error, "one_run_separated": gap > times * error, "items_separated": None}
    if not board.shares or counts.min() < 2:
        return row | {"items_separated": gap > times * error}
    parts = components.decompose(components.estimate_from_shares(pair, counts))
    without_runs = parts.error(np.inf).value
    return row | {
        "items": without_runs,
        "run_share": parts.answers / (max(parts.items, 0.0) + parts.answers),
        "items_separated": gap > times * without_runs,
    }
