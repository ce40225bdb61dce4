"""A card written back as Every Eval Ever aggregates: one record a listed model.

Its schema (0.3) has no place for what is said of a whole leaderboard; what a record may carry
besides score and uncertainty are details whose values are text. The verdict and the numbers of
:mod:`saturation.own.numbers` stand there under names that begin with ``saturation.``.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from saturation.board.names import bounded
from saturation.files.tables import json_line

SCHEMA_VERSION = "0.3.0"
# Details of the leaderboard that every record carries, and those of its model.
OF_BOARD = ("verdict", "reason", "error_rate", "groups", "dead_items", "top_pair", "alike_within",
            "headroom", "minimum_detectable_difference", "items_needed")  # fmt: skip
PREFIX = "saturation."

Card = Mapping[str, Any]


def records(card: Card) -> list[dict[str, Any]]:
    """The listed models of a card; none for a metric without range or a card without a top.

    Parameters
    ----------
    card
        :func:`saturation.own.content.content`.
    """
    if card["frontier"] is None or not bounded(card["data"]["family"]):
        return []
    level = card["frontier"]["power"]["level"]
    board = {name: card["numbers"][name] for name in OF_BOARD} | {
        "observed_on": card["observed_on"],
        "synthetic": card["synthetic"],
    }
    return [_record(card, model, board, level) for model in card["frontier"]["models"]]


def lines(card: Card) -> str:
    """The records as JSON Lines.

    Parameters
    ----------
    card
        As :func:`records` takes it.
    """
    return "".join(json_line(record) + "\n" for record in records(card))


def _record(
    card: Card, model: Mapping[str, Any], board: Mapping[str, Any], level: float
) -> dict[str, Any]:
    name, benchmark = str(model["model"]), str(card["benchmark"])
    # The date of the data, so that the same card gives the same record.
    day = datetime.fromisoformat(card["observed_on"]).replace(tzinfo=UTC)
    stamp = str(int(day.timestamp()))
    own = {key: model[key] for key in ("best_rank", "worst_rank", "tied_with_leader", "coverage")}
    details = {
        f"{PREFIX}{key}": value if isinstance(value, str) else json_line(value)
        for key, value in {**board, **own}.items()
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"{benchmark}/{name}/{stamp}",
        "retrieved_timestamp": stamp,
        "source_metadata": {
            "source_type": "documentation",
            "source_name": "saturation",
            "source_organization_name": "unknown",
            "evaluator_relationship": "other",
        },
        "eval_library": {"name": "unknown", "version": "unknown"},
        "model_info": {"id": name, "name": name},
        "evaluation_results": [
            {
                "evaluation_name": benchmark,
                "source_data": {"dataset_name": benchmark, "source_type": "other"},
                "metric_config": {
                    "metric_id": card["data"]["family"],
                    "metric_unit": "proportion",
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": 0.0,
                    "max_score": 1.0,
                },
                "score_details": {
                    "score": model["score"],
                    "uncertainty": _uncertainty(model, level),
                    "details": details,
                },
            }
        ],
    }


def _uncertainty(model: Mapping[str, Any], level: float) -> dict[str, Any]:
    n, error = model["n_items"], model["standard_error"]
    known = {} if n is None or n != n else {"num_samples": int(n)}
    if error is None or error != error:
        return known
    return known | {
        "standard_error": {"value": error, "method": model["error_source"]},
        "confidence_interval": {
            "lower": model["lower"],
            "upper": model["upper"],
            "confidence_level": level,
        },
    }
