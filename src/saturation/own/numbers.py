"""The numbers that maintainers of a leaderboard ask for, under fixed names.

The names are those of ``resources/own/numbers.schema.json`` and of the table in docs/own.md.
"""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from saturation.board.leaders import deciding

Card = Mapping[str, Any]


def numbers(card: Card) -> dict[str, Any]:
    """Verdict, ties, ranks, top pair, dead items and what the items can show.

    Parameters
    ----------
    card
        :func:`saturation.own.card.assemble`.

    Returns
    -------
    dict
        Plain values; None where nothing can be said, also where no number of items would do.
    """
    frontier = card["frontier"]
    found = {name: card[name] for name in ("verdict", "reason", "error_rate")}
    found["dead_items"] = card["data"]["dead_items"]
    parts = ("groups", "tie_group", "rank_intervals", "top_pair", "alike_within", "headroom",
             "minimum_detectable_difference", "items_needed")  # fmt: skip
    if frontier is None:
        return found | dict.fromkeys(parts)
    answers, power = frontier["answers"], frontier["power"]
    apart, same = answers["resolution"], answers["equivalence"]
    _, best = deciding(frontier["ties"])
    return found | {
        "groups": apart["groups"],
        "tie_group": best["group"],
        "rank_intervals": [
            {name: model[name] for name in ("model", "best_rank", "worst_rank")}
            for model in frontier["models"]
        ],
        "top_pair": _top_pair(frontier["models"][0]["model"], best["with_leader"][0]),
        "alike_within": same["within"],
        "headroom": {name: answers["headroom"][name] for name in ("ceiling", "lower", "upper")},
        "minimum_detectable_difference": {
            "named_pair": _known(power["minimum_detectable_difference"]),
            "all_pairs": _known(apart["minimum_detectable_difference"]),
        },
        "items_needed": {
            "present": _known(power["n_items"]),
            "top_two": _known(power["items_for_top_two"]),
            "top_k": _known(power["items_for_top_k"]),
            "any_pair": _known(apart["items_for_any"]),
            "every_pair": _known(apart["items_for_all"]),
            "alike": _known(same["items_for_alike"]),
        },
    }


def dead_items(matrix: pd.DataFrame) -> dict[str, int] | None:
    """How many items tell no two models apart, because all solved them or none did.

    Parameters
    ----------
    matrix
        Responses in [0, 1], items by ranked models; items that fewer than two models answered do
        not count. None without responses.
    """
    answered = matrix[matrix.notna().sum(axis=1) > 1]
    if answered.empty:
        return None
    return {
        "items": len(answered),
        "solved_by_all": int((answered.min(axis=1) == 1).sum()),
        "solved_by_none": int((answered.max(axis=1) == 0).sum()),
    }


def _top_pair(first: str, second: Mapping[str, Any]) -> dict[str, Any]:
    wins, losses = second["only_leader"], second["only_model"]
    names = ("difference", "lower", "upper", "p_value", "p_adjusted")
    return {
        "first": first,
        "second": second["model"],
        **{name: _known(second[name]) for name in names},
        "items": second["items"],
        "only_first": wins,
        "only_second": losses,
        "discordant_items": None if wins is None else wins + losses,
    }


def _known(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value
