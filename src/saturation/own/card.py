"""The saturation card of one benchmark: a coarse verdict, its date, its reason and its basis."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from saturation.board import entries, verdict
from saturation.board.leaders import Settings as LeaderSettings
from saturation.board.leaders import deciding, frontier
from saturation.board.names import bounded
from saturation.own.numbers import dead_items, numbers
from saturation.statistics import standard_errors


@dataclass(frozen=True)
class Settings:
    """How a verdict is reached.

    Parameters
    ----------
    frontier
        Settings of the index and of the tests; their margin and ceiling are those of a bounded
        metric.
    """

    frontier: LeaderSettings = field(default_factory=LeaderSettings)

    def of(self, declared: Mapping[str, Any]) -> LeaderSettings:
        """Settings for a benchmark, in the unit of its scores.

        Parameters
        ----------
        declared
            The benchmark's entry in the config: ``family`` and, optionally,
            ``meaningful_difference`` in place of the margin, and ``label_noise``, the share of
            items whose label is known to be wrong, by which the ceiling is lower.
        """
        margin, ceiling = self.frontier.margin, self.frontier.ceiling
        if not bounded(declared["family"]):
            margin, ceiling = None, None
        elif ceiling is not None:
            ceiling -= declared.get("label_noise") or 0.0
        return replace(
            self.frontier, margin=declared.get("meaningful_difference") or margin, ceiling=ceiling
        )


def assemble(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The card without its history and item sections: data, frontier, verdict.

    Parameters
    ----------
    benchmark
        Name.
    scores, responses
        As :mod:`saturation.board.importers.tidy` gives them; either may be empty.
    declared
        The benchmark's entry in the config, see :meth:`Settings.of`.
    settings
        See :class:`Settings`.
    """
    family, chosen = declared["family"], settings.of(declared)
    least = chosen.least_coverage
    counted = entries.select(scores, responses, least)
    matrix, clusters = standard_errors.item_matrix(counted.responses)
    estimates = standard_errors.estimates(counted.scores, matrix, clusters, family, chosen.level)
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
            "dead_items": dead_items(matrix.loc[:, matrix.columns.isin(ranked["model"])]),
            "remarks": counted.remarks
            + entries.unshared(estimates, matrix)
            + _floor(ranked, family),
        },
        "frontier": None,
    }
    if (reason := unusable(ranked, chosen.k)) is None:
        card["frontier"] = frontier(ranked, matrix, clusters, chosen)
        card |= judge(card["frontier"])
    else:
        card |= _verdict(verdict.Verdict("undetermined", reason), None, None)
    return card | {"numbers": numbers(card)}


def _floor(ranked: pd.DataFrame, family: str) -> list[str]:
    """A board on which nobody scores is too hard, or broken; its models are alike for that."""
    if not bounded(family) or ranked.empty or ranked["score"].max() > 0:
        return []
    return ["no model scores above 0: the items are too hard for all of them, or scored wrongly"]


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


def judge(frontier: Mapping[str, Any]) -> dict[str, Any]:
    """Verdict, reason and error rate of a benchmark whose frontier is known.

    Parameters
    ----------
    frontier
        :func:`saturation.board.leaders.frontier`.
    """
    _, best = deciding(frontier["ties"])
    reached = verdict.judge(frontier["answers"], best["abstains"])
    wrong = round(1 - frontier["power"]["level"], 12)
    return _verdict(reached, wrong, frontier["index"]["p_saturated"])


def summary_line(card: dict[str, Any]) -> dict[str, Any]:
    """The few values that continuous integration needs, one flat record."""
    frontier = card["frontier"]
    return {
        "benchmark": card["benchmark"],
        "verdict": card["verdict"],
        "reason": card["reason"],
        "p_saturated": card["p_saturated"],
        "s_index": frontier["index"]["s_index"] if frontier else None,
        "observed_on": card["observed_on"],
        "n_models": card["data"]["n_models"],
        "n_items": card["data"]["n_items"],
        "tied_at_top": len(deciding(frontier["ties"])[1]["group"]) if frontier else None,
        "synthetic": card["synthetic"],
        "stale": "; ".join(card.get("stale") or []) or None,
    }


def _verdict(
    reached: verdict.Verdict, error_rate: float | None, p_saturated: float | None
) -> dict[str, Any]:
    return {
        **asdict(reached),
        "explanation": reached.explanation,
        "error_rate": error_rate,
        "p_saturated": p_saturated,
    }
