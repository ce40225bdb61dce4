"""Schemas of the boards' tables."""

from saturation.board.verdict import REASONS, VERDICTS
from saturation.boards.names import EMBEDDED
from saturation.files import columns

_BOARD = columns.one_of(list(EMBEDDED))
_RANK = columns.whole(1)
_FREE = columns.number(optional=True)
_ERROR = columns.number(0, optional=True)
_SHARE = columns.proportion(optional=True)
_COUNT = columns.number(0, optional=True)

EVALUATIONS = columns.table(
    {
        "board": columns.one_of(list(EMBEDDED)),
        "evaluation": columns.text(),
        "model": columns.text(),
        "run": columns.whole(1),
        "items": columns.whole(1),
        "date": columns.text(optional=True),
    }
)
# One row a board or task, by what is taken for the sample.
ALPHA = columns.table(
    {
        "board": _BOARD,
        "task": columns.text(),
        "sample": columns.one_of(["items", "groups"]),
        "k": columns.whole(2),
        "n_models": columns.whole(),
        "n_items": columns.whole(),
        "n_groups": _COUNT,
        "s_1": _SHARE,
        "s_k": _SHARE,
        "s_mean": _SHARE,
        "gap": _FREE,
        "correlation": columns.number(-1, 1, optional=True),
        **dict.fromkeys(("alpha", "lower", "upper"), _FREE),
        "error": _ERROR,
        "degrees": _ERROR,
        "log_ratio": _FREE,
        "log_ratio_error": _ERROR,
        **dict.fromkeys(("alpha_pair", "pair_lower", "pair_upper"), _FREE),
        "pair_error": _ERROR,
        **dict.fromkeys(("alpha_split", "alpha_pair_split", "alpha_published"), _FREE),
        "bounded_part": _FREE,
        "run_noise": _ERROR,
        "reason": columns.text(optional=True),
    }
)
PAIRS = columns.table(
    {
        "board": _BOARD,
        "rank_a": _RANK,
        "rank_b": _RANK,
        "model_a": columns.text(),
        "model_b": columns.text(),
        "score_a": columns.proportion(),
        "score_b": columns.proportion(),
        "correlation": columns.number(-1, 1, optional=True),
        **dict.fromkeys(("alpha", "lower", "upper"), _FREE),
    }
)
POOLED = columns.table(
    {
        "what": columns.text(),
        "over": columns.text(),
        "units": columns.whole(),
        "groups": columns.whole(),
        **dict.fromkeys(("value", "lower", "upper"), _FREE),
        **dict.fromkeys(("error", "degrees", "between_groups", "between_units"), _ERROR),
        **dict.fromkeys(("predicted_lower", "predicted_upper"), _FREE),
        "predicted_degrees": _ERROR,
    }
)
PUBLISHED = columns.table(
    {
        "reading": columns.text(),
        "alpha": columns.number(),
        "n_benchmarks": columns.whole(1),
        "n_saturated": columns.number(0),
        "saturated_lower": _COUNT,
        "saturated_upper": _COUNT,
        "n_similar": columns.number(0),
        "similar_lower": _COUNT,
        "similar_upper": _COUNT,
    }
)
_TOP = {
    "first": columns.text(),
    "kth": columns.text(),
    "s_1": columns.proportion(),
    "s_k": columns.proportion(),
    "gap": columns.number(),
    "gap_lower": columns.number(),
    "gap_upper": columns.number(),
    "n_tied": columns.whole(1),
    "kth_tied": columns.flag(),
    "detectable": columns.number(0),
    "items_needed": _COUNT,
    "s_index": columns.proportion(),
    "s_index_measured": _SHARE,
    "p_saturated": columns.proportion(),
    "p_saturated_lowest": columns.proportion(),
    "p_saturated_highest": columns.proportion(),
}
OVERVIEW = columns.table(
    {
        "board": _BOARD,
        "title": columns.text(),
        "kind": columns.text(),
        "n_models": columns.whole(1),
        "n_items": columns.whole(1),
        "n_left_out": columns.whole(),
        **_TOP,
        "verdict": columns.one_of(VERDICTS),
        "reason": columns.one_of(list(REASONS)),
        "measured_alpha": _FREE,
        "all_right": columns.whole(),
        "all_wrong": columns.whole(),
        "negative": _COUNT,
        "backwards": _COUNT,
        "deciding": columns.whole(),
        "smallest_chosen": _COUNT,
        "smallest_random": _COUNT,
    }
)
MODELS = columns.table(
    {
        "board": _BOARD,
        "place": _RANK,
        "model": columns.text(),
        "score": columns.proportion(),
        "lower": columns.proportion(),
        "upper": columns.proportion(),
        "n_items": columns.whole(1),
        "best_rank": _RANK,
        "worst_rank": _RANK,
        "tied_with_leader": columns.flag(),
        "released": columns.text(optional=True),
    }
)
COURSE = columns.table(
    {
        "board": _BOARD,
        "until": columns.text(),
        "n_models": columns.whole(1),
        **_TOP,
        **dict.fromkeys(("alpha", "alpha_lower", "alpha_upper"), _FREE),
    },
    may_be_empty=True,
)
SUBSETS = columns.table(
    {
        "board": _BOARD,
        "way": columns.one_of(["chosen", "random"]),
        "size": columns.whole(1),
        "kept": columns.proportion(),
        "lower": columns.proportion(),
        "upper": columns.proportion(),
    },
    may_be_empty=True,
)
REMARKS = columns.table({"board": _BOARD, "remark": columns.text()}, may_be_empty=True)
# Schemas by the names of a job's inputs.
BY_INPUT_NAME = {
    "alpha": ALPHA,
    "pairs": PAIRS,
    "pooled": POOLED,
    "published": PUBLISHED,
    "overview": OVERVIEW,
    "models": MODELS,
    "course": COURSE,
    "subsets": SUBSETS,
    "remarks": REMARKS,
}
