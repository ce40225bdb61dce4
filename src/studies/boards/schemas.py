"""Schemas of the tables that pages and the status read."""

from saturation.files import schema
from saturation.index import DECISIONS
from saturation.leaderboard.verdict import REASONS, VERDICTS
from studies.boards.names import BOARDS

_BOARD = schema.words_column(list(BOARDS))

OVERVIEW = schema.table(
    {
        "board": _BOARD,
        "title": schema.text(),
        "kind": schema.text(),
        "n_models": schema.whole(1),
        "n_items": schema.whole(1),
        "first": schema.text(),
        "kth": schema.text(),
        "s_1": schema.proportion(),
        "s_k": schema.proportion(),
        "gap": schema.number(),
        "gap_lower": schema.number(),
        "gap_upper": schema.number(),
        "n_tied": schema.whole(1),
        "kth_tied": schema.flag(),
        "detectable": schema.number(0),
        "items_needed": schema.number(0, optional=True),
        "s_index": schema.proportion(),
        "first_and_kth": schema.words_column(DECISIONS),
        "verdict": schema.words_column(VERDICTS),
        "reason": schema.words_column(list(REASONS)),
    }
)
MODELS = schema.table(
    {
        "board": _BOARD,
        "place": schema.whole(1),
        "model": schema.text(),
        "score": schema.proportion(),
        "lower": schema.proportion(),
        "upper": schema.proportion(),
        "n_items": schema.whole(1),
        "best_rank": schema.whole(1),
        "worst_rank": schema.whole(1),
        "tied_with_leader": schema.flag(),
        "released": schema.text(optional=True),
    }
)
REMARKS = schema.table({"board": _BOARD, "remark": schema.text()}, may_be_empty=True)
# Tables that the dashboard reads, by their names.
BY_INPUT_NAME = {"overview": OVERVIEW, "models": MODELS, "remarks": REMARKS}
