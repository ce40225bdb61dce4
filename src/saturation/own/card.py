"""The saturation card of one benchmark: a coarse verdict, its date, its reason and its basis."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from saturation.board.leaders import Settings as LeaderSettings
from saturation.board.leaders import frontier
from saturation.statistics import standard_errors

VERDICTS = ("separates", "weakening", "saturated", "stagnated", "undetermined")

REASONS = {
    "separated": "the data tell the best model from the k-th",
    "solved": "the best score is at the ceiling: little is left to gain",
    "resolvable": "compressed, but more items would separate the top",
    "underpowered": "too few items to see a difference that would matter",
    "alike": "the items would show a difference that matters, and there is none",
    "declining": "the best and the k-th are told apart, but scores draw together with time",
    "too_few_models": "too few models to compare",
    "metric_not_accuracy_like": "the metric has no known error, so nothing can be tested",
}


@dataclass(frozen=True)
class Settings:
    """How a verdict is reached.

    Parameters
    ----------
    frontier
        Settings of the index and of the tests.
    ceiling
        Best score from which models that cannot be told apart make a benchmark saturated rather
        than stagnated; the paper gives no number.
    weakening_from
        P(saturated) from which the verdict is at least weakening.
    meaningful_difference
        Smallest difference of scores that matters to the benchmark's users.
    resolvable_factor
        Up to so many times the present items, more items count as a remedy.
    decline
        Relative fall of the discriminability index from its peak that counts as declining.
    """

    frontier: LeaderSettings = field(default_factory=LeaderSettings)
    ceiling: float = 0.9
    weakening_from: float = 0.05
    meaningful_difference: float = 0.02
    resolvable_factor: float = 10.0
    decline: float = 0.15


def assemble(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    family: str,
    settings: Settings,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """The card without its history and item sections: data, frontier, verdict.

    Parameters
    ----------
    benchmark
        Name.
    scores, responses
        As :mod:`saturation.board.importers.tidy` gives them; either may be empty.
    family
        ``accuracy``, ``pass_at_k``, ``bounded_mean``, ``rating`` or ``other``.
    settings
        See :class:`Settings`.
    rng
        The stage's generator.
    """
    matrix, clusters = standard_errors.item_matrix(responses)
    estimates = standard_errors.estimates(scores, matrix, clusters, family, settings.frontier.level)
    card: dict[str, Any] = {
        "benchmark": benchmark,
        "data": {
            "family": family,
            "n_models": len(estimates),
            "n_items": _largest(estimates["n_items"]),
            "item_responses": len(responses),
            "error_sources": sorted(estimates["error_source"].unique()),
        },
        "frontier": None,
    }
    if (reason := unusable(estimates, settings.frontier.k)) is None:
        card["frontier"] = frontier(estimates, matrix, clusters, settings.frontier, rng)
    else:
        card |= _verdict("undetermined", reason)
    return card


def unusable(estimates: pd.DataFrame, k: int) -> str | None:
    """Why the top cannot be judged: too few models, or errors that nobody knows; else None."""
    if len(estimates) < k:
        return "too_few_models"
    if estimates["standard_error"].head(k).isna().any():
        return "metric_not_accuracy_like"
    return None


def judge(
    frontier: dict[str, Any], history: dict[str, Any], bounded: bool, settings: Settings
) -> dict[str, Any]:
    """Verdict, reason and P(saturated) of a benchmark whose frontier is known.

    ``saturated`` and ``stagnated`` follow the plateau paper: the index reaches its threshold, and
    the best score decides which of the two; P(saturated) says how firm that is. ``separates`` needs
    that the leader is shown to differ from the k-th model, P(saturated) below the limit, and no
    decline. All else is ``weakening``.

    Parameters
    ----------
    frontier
        :func:`saturation.board.leaders.frontier`.
    history
        :func:`saturation.own.course.history`, or an empty dict.
    bounded
        Whether the metric has a ceiling at all; ratings have none and stagnate at most.
    settings
        See :class:`Settings`.
    """
    index = frontier["index"]
    p_saturated = index["p_saturated"]
    at_ceiling = bounded and index["s_1"] >= settings.ceiling
    kth_tied = frontier["models"][index["k"] - 1]["tied_with_leader"]
    if index["s_index"] >= settings.frontier.saturated_from:
        verdict = "saturated" if at_ceiling else "stagnated"
        reason = "solved" if at_ceiling else _compressed(frontier["power"], bounded, settings)
    elif p_saturated >= settings.weakening_from or kth_tied:
        verdict, reason = "weakening", _compressed(frontier["power"], bounded, settings)
    elif (history.get("bdi_decline") or 0) > settings.decline:
        verdict, reason = "weakening", "declining"
    else:
        verdict, reason = "separates", "separated"
    return {**_verdict(verdict, reason), "p_saturated": p_saturated}


def summary_line(card: dict[str, Any]) -> dict[str, Any]:
    """The few values that continuous integration needs, one flat record."""
    index = (card["frontier"] or {}).get("index") or {}
    ties = (card["frontier"] or {}).get("ties") or {}
    group = (ties.get("paired") or ties.get("independent") or {}).get("group")
    return {
        "benchmark": card["benchmark"],
        "verdict": card["verdict"],
        "reason": card["reason"],
        "p_saturated": card["p_saturated"],
        "s_index": index.get("s_index"),
        "observed_on": card["observed_on"],
        "n_models": card["data"]["n_models"],
        "n_items": card["data"]["n_items"],
        "tied_at_top": None if group is None else len(group),
        "synthetic": card["synthetic"],
    }


def _compressed(power: dict[str, Any], bounded: bool, settings: Settings) -> str:
    """Why top models that cannot be told apart cannot: a remedy, too few items, or truly alike."""
    needed, n = power["items_for_top_k"], power["n_items"]
    if needed is not None and needed <= settings.resolvable_factor * n:
        return "resolvable"
    if bounded and power["minimum_detectable_difference"] <= settings.meaningful_difference:
        return "alike"
    return "underpowered"


def _verdict(verdict: str, reason: str) -> dict[str, Any]:
    return {
        "verdict": verdict,
        "reason": reason,
        "explanation": REASONS[reason],
        "p_saturated": None,
    }


def _largest(values: pd.Series) -> int | None:
    return int(values.max()) if values.notna().any() else None
