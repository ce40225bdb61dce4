"""The saturation card of one benchmark: a coarse verdict, its date, its reason and its basis."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from saturation.board import entries, verdict
from saturation.board.leaders import Settings as LeaderSettings
from saturation.board.leaders import frontier
from saturation.statistics import standard_errors


@dataclass(frozen=True)
class Settings(verdict.Thresholds):
    """How a verdict is reached.

    Parameters
    ----------
    frontier
        Settings of the index and of the tests.
    ceiling, weakening_from, meaningful_difference, resolvable_factor, decline
        See :class:`saturation.board.verdict.Thresholds`.
    """

    frontier: LeaderSettings = field(default_factory=LeaderSettings)


def assemble(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    family: str,
    settings: Settings,
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
    """
    least = settings.frontier.least_coverage
    counted = entries.select(scores, responses, least)
    matrix, clusters = standard_errors.item_matrix(counted.responses)
    estimates = standard_errors.estimates(
        counted.scores, matrix, clusters, family, settings.frontier.level
    )
    covered, n_items = entries.coverage(estimates, matrix)
    estimates = estimates.assign(coverage=covered)
    # A model whose number of items nobody knows is ranked.
    ranked = estimates[~(covered < least)]
    apart = estimates[covered < least]
    card: dict[str, Any] = {
        "benchmark": benchmark,
        "data": {
            "family": family,
            "n_models": len(estimates),
            "n_ranked": len(ranked),
            "n_items": None if np.isnan(n_items) else int(n_items),
            "item_responses": len(responses),
            "error_sources": sorted(ranked["error_source"].unique()),
            "least_coverage": least,
            "apart": apart[["model", "score", "n_items", "coverage"]].to_dict("records"),
            "remarks": counted.remarks + entries.unshared(estimates, matrix),
        },
        "frontier": None,
    }
    if (reason := unusable(ranked, settings.frontier.k)) is None:
        card["frontier"] = frontier(ranked, matrix, clusters, settings.frontier)
    else:
        card |= _verdict(verdict.Verdict("undetermined", reason), None)
    return card


def unusable(estimates: pd.DataFrame, k: int) -> str | None:
    """Why the top cannot be judged: too few models, or errors that nobody knows; else None.

    Parameters
    ----------
    estimates
        Scores with errors, best first.
    k
        Number of top models that are judged.
    """
    if len(estimates) < k:
        return "too_few_models"
    if estimates["standard_error"].head(k).isna().any():
        return "metric_not_accuracy_like"
    return None


def judge(
    frontier: dict[str, Any], history: dict[str, Any], bounded: bool, settings: Settings
) -> dict[str, Any]:
    """Verdict, reason and P(saturated) of a benchmark whose frontier is known.

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
    index, power = frontier["index"], frontier["power"]
    findings = verdict.Findings(
        s_index=index["s_index"],
        s_1=index["s_1"],
        p_saturated=index["p_saturated"],
        kth_tied=frontier["models"][index["k"] - 1]["tied_with_leader"],
        bounded=bounded,
        n_items=power["n_items"],
        items_for_top_k=power["items_for_top_k"],
        minimum_detectable_difference=power["minimum_detectable_difference"],
        bdi_decline=history.get("bdi_decline"),
    )
    reached = verdict.judge(findings, settings, settings.frontier.saturated_from)
    return _verdict(reached, findings.p_saturated)


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
        "stale": "; ".join(card.get("stale") or []) or None,
    }


def _verdict(reached: verdict.Verdict, p_saturated: float | None) -> dict[str, Any]:
    return {**asdict(reached), "explanation": reached.explanation, "p_saturated": p_saturated}
