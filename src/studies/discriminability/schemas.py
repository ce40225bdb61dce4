"""Schemas of the discriminability study's tables that users hand in or other studies read."""

from saturation.files.schema import (
    Column,
    Schema,
    number,
    proportion,
    table,
    text,
    whole,
    words_column,
)
from studies.discriminability.names import SCOPES

KINDS = ["knowledge", "reasoning", "other"]
# How the study's own tables are read: names stay text, also those of digits.
AS_TEXT = {
    "dtype": dict.fromkeys(("leaderboard", "benchmark", "month", "name", "submitter", "model"), str)
}

BENCHMARKS = Schema(
    {
        "benchmark": text(unique=True),
        "kind": words_column(KINDS),
        "n_test": number(1, optional=True),
    },
    strict="filter",
)

_BOARD = {"leaderboard": text(), "benchmark": text()}
_WINDOW = {**_BOARD, "month": text()}


def _add_interval(name: str) -> dict[str, Column]:
    limits = (name, f"{name}_lower", f"{name}_upper")
    return {column: number(optional=True) for column in limits}


# The best scores of each month, from 1, which the study of forecasts reads too.
TOP = table({**_WINDOW, "rank": whole(1), "score": proportion(), "accuracy": proportion()})
# Results that other studies read, by the names of their files.
RESULTS = {
    "monthly": table(
        {
            **_WINDOW,
            "n_models": whole(1),
            "elapsed": whole(),
            "max_score": proportion(),
            "ceiling_proximity": proportion(),
            **_add_interval("top10_gap"),
            **_add_interval("top20_gap"),
            "note": text(optional=True),
            "bdi": proportion(),
            "n_submitters": whole(1),
            **_add_interval("bdi_submitters"),
            "reason": text(optional=True),
        }
    ),
    "index_over_time": table(
        {
            **_WINDOW,
            "scope": words_column(SCOPES),
            "s_1": proportion(),
            "s_k": number(0, 1, optional=True),
            "n_test": number(1, optional=True),
            "s_index": number(0, 1, optional=True),
            "bin": text(optional=True),
            "note": text(optional=True),
        }
    ),
}
