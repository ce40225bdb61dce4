"""Schemas of the boards' tables."""

from saturation.boards.names import EMBEDDED
from saturation.files import schema
from saturation.leaderboard.verdict import REASONS, VERDICTS

_BOARD = schema.one_of(list(EMBEDDED))
_RANK = schema.whole(1)
_FREE = schema.number(optional=True)
_ERROR = schema.number(0, optional=True)
_SHARE = schema.proportion(optional=True)
_COUNT = schema.number(0, optional=True)

EVALUATIONS = schema.table(
    {
        "board": schema.one_of(list(EMBEDDED)),
        "evaluation": schema.text(),
        "model": schema.text(),
        "run": schema.whole(1),
        "items": schema.whole(1),
        "date": schema.text(optional=True),
    }
)
# One row a board or task, by what is taken for the sample.
ALPHA = schema.table(
    {
        "board": _BOARD,
        "task": schema.text(),
        "sample": schema.one_of(["items", "groups"]),
        "k": schema.whole(2),
        "n_models": schema.whole(),
        "n_items": schema.whole(),
        "n_groups": _COUNT,
        "s_1": _SHARE,
        "s_k": _SHARE,
        "s_mean": _SHARE,
        "gap": _FREE,
        "correlation": schema.number(-1, 1, optional=True),
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
        "reason": schema.text(optional=True),
    }
)
PAIRS = schema.table(
    {
        "board": _BOARD,
        "rank_a": _RANK,
        "rank_b": _RANK,
        "model_a": schema.text(),
        "model_b": schema.text(),
        "score_a": schema.proportion(),
        "score_b": schema.proportion(),
        "correlation": schema.number(-1, 1, optional=True),
        **dict.fromkeys(("alpha", "lower", "upper"), _FREE),
    }
)
POOLED = schema.table(
    {
        "what": schema.text(),
        "over": schema.text(),
        "units": schema.whole(),
        "groups": schema.whole(),
        **dict.fromkeys(("value", "lower", "upper"), _FREE),
        **dict.fromkeys(("error", "degrees", "between_groups", "between_units"), _ERROR),
        **dict.fromkeys(("predicted_lower", "predicted_upper"), _FREE),
        "predicted_degrees": _ERROR,
    }
)
PUBLISHED = schema.table(
    {
        "reading": schema.text(),
        "alpha": schema.number(),
        "n_benchmarks": schema.whole(1),
        "n_saturated": schema.number(0),
        "saturated_lower": _COUNT,
        "saturated_upper": _COUNT,
        "n_similar": schema.number(0),
        "similar_lower": _COUNT,
        "similar_upper": _COUNT,
    }
)
_TOP = {
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
    "items_needed": _COUNT,
    "s_index": schema.proportion(),
    "s_index_measured": _SHARE,
    "p_saturated": schema.proportion(),
    "p_saturated_lowest": schema.proportion(),
    "p_saturated_highest": schema.proportion(),
}
OVERVIEW = schema.table(
    {
        "board": _BOARD,
        "title": schema.text(),
        "kind": schema.text(),
        "n_models": schema.whole(1),
        "n_items": schema.whole(1),
        "n_left_out": schema.whole(),
        **_TOP,
        "verdict": schema.one_of(VERDICTS),
        "reason": schema.one_of(list(REASONS)),
        "measured_alpha": _FREE,
        "all_right": schema.whole(),
        "all_wrong": schema.whole(),
        "negative": _COUNT,
        "backwards": _COUNT,
        "deciding": schema.whole(),
        "smallest_chosen": _COUNT,
        "smallest_random": _COUNT,
    }
)
MODELS = schema.table(
    {
        "board": _BOARD,
        "place": _RANK,
        "model": schema.text(),
        "score": schema.proportion(),
        "lower": schema.proportion(),
        "upper": schema.proportion(),
        "n_items": schema.whole(1),
        "best_rank": _RANK,
        "worst_rank": _RANK,
        "tied_with_leader": schema.flag(),
        "released": schema.text(optional=True),
    }
)
COURSE = schema.table(
    {
        "board": _BOARD,
        "until": schema.text(),
        "n_models": schema.whole(1),
        **_TOP,
        **dict.fromkeys(("alpha", "alpha_lower", "alpha_upper"), _FREE),
    },
    may_be_empty=True,
)
SUBSETS = schema.table(
    {
        "board": _BOARD,
        "way": schema.one_of(["chosen", "random"]),
        "size": schema.whole(1),
        "kept": schema.proportion(),
        "lower": schema.proportion(),
        "upper": schema.proportion(),
    },
    may_be_empty=True,
)
REMARKS = schema.table({"board": _BOARD, "remark": schema.text()}, may_be_empty=True)
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
