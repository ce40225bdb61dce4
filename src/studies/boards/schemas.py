"""Schemas of the tables that pages and the status read."""

from saturation.files.schema import flag, number, proportion, table, text, whole, words_column
from saturation.index import DECISIONS
from saturation.leaderboard.verdict import REASONS, VERDICTS
from studies.boards.names import BOARDS

_BOARD = words_column(list(BOARDS))

OVERVIEW = table(
    {
        "board": _BOARD,
        "title": text(),
        "kind": text(),
        "n_models": whole(1),
        "n_items": whole(1),
        "first": text(),
        "kth": text(),
        "s_1": proportion(),
        "s_k": proportion(),
        "gap": number(),
        "gap_lower": number(),
        "gap_upper": number(),
        "n_tied": whole(1),
        "kth_tied": flag(),
        "detectable": number(0),
        "items_needed": number(0, optional=True),
        "s_index": proportion(),
        "first_and_kth": words_column(DECISIONS),
        "verdict": words_column(VERDICTS),
        "reason": words_column(list(REASONS)),
    }
)
MODELS = table(
    {
        "board": _BOARD,
        "place": whole(1),
        "model": text(),
        "score": proportion(),
        "lower": proportion(),
        "upper": proportion(),
        "n_items": whole(1),
        "best_rank": whole(1),
        "worst_rank": whole(1),
        "tied_with_leader": flag(),
        "released": text(optional=True),
    }
)
REMARKS = table({"board": _BOARD, "remark": text()}, may_be_empty=True)
# Tables that the dashboard reads, by their names.
BY_INPUT_NAME = {"overview": OVERVIEW, "models": MODELS, "remarks": REMARKS}
