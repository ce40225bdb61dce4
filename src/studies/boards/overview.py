"""One row a board: its top, and what its items can show; its models."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from saturation import index
from saturation.files.tables import NamedTables, Row
from saturation.leaderboard import top as leaderboard_top
from saturation.leaderboard import verdict
from saturation.leaderboard.top import Frontier
from studies.boards import schemas
from studies.boards.names import BOARDS
from studies.boards.ranked import Ranked, Settings, estimates, separate_clusters


def overview(boards: Sequence[Ranked], settings: Settings) -> NamedTables:
    """Tables `overview`, `models` and `remarks`."""
    rows, models, remarks = [], [], []
    for board in boards:
        everyone = replace(settings, compared=board.answers.shape[1])
        ranked_models = estimates(board.answers, settings.level)
        clusters = separate_clusters(board.answers)
        top = leaderboard_top.frontier(ranked_models, (board.answers, clusters), everyone)
        rows.append(_row(board, top, settings))
        models.append(_models(board, top))
        remarks += [(board.board, remark) for remark in board.remarks]
    return {
        "overview": pd.DataFrame(rows),
        "models": pd.concat(models, ignore_index=True),
        "remarks": pd.DataFrame(remarks, columns=list(schemas.REMARKS.columns)),
    }


def _row(board: Ranked, frontier: Frontier, settings: Settings) -> Row:
    """Describe the top of a board; the index by the paper's formula."""
    at, separation, tests = frontier.index, frontier.answers.resolution, frontier.ties["paired"]
    kth = tests.with_leader[at.k - 2]
    s_index = index.saturation_index(at.s_1, at.s_k, separation.n_items, settings.alpha)
    reached = verdict.judge(frontier.answers, tests.abstains)
    return {
        "board": board.board,
        "title": BOARDS[board.board].title,
        "kind": BOARDS[board.board].kind,
        "n_models": board.answers.shape[1],
        "n_items": len(board.answers),
        "first": at.first,
        "kth": at.kth,
        "s_1": at.s_1,
        "s_k": at.s_k,
        "gap": kth.difference,
        "gap_lower": kth.lower,
        "gap_upper": kth.upper,
        "n_tied": len(tests.group),
        "kth_tied": not separation.first_and_kth,
        "detectable": separation.minimum_detectable_difference,
        "items_needed": frontier.power.items_for_top_k,
        "s_index": float(s_index),
        "first_and_kth": at.first_and_kth,
        "verdict": reached.verdict,
        "reason": reached.reason,
    }


def _models(board: Ranked, frontier: Frontier) -> pd.DataFrame:
    """Return each model's range of ranks, and the models tied with the first."""
    listed = pd.DataFrame(frontier.models)
    return listed.assign(
        board=board.board,
        place=np.arange(1, len(listed) + 1),
        released=board.dates.reindex(listed["model"]).to_numpy(),
    )[list(schemas.MODELS.columns)]
