"""All cards beside each other: their table, and the verdicts that a user does not accept."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from saturation.errors import InputError
from saturation.files import checks
from saturation.own.schemas import CARDS


def table(summaries: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row a benchmark, in the given order.

    Parameters
    ----------
    summaries
        :func:`saturation.own.card.summary_line` of each card.

    Raises
    ------
    InputError
        If there is no card.
    """
    if not summaries:
        raise InputError(
            "config: own.benchmarks is empty, so there is no card to make; "
            "try the worked example: snakemake --cores 2 card --configfile config/own.yaml"
        )
    return checks.validate(pd.DataFrame(summaries)[list(CARDS.columns)], CARDS, "cards")


def refused(cards: pd.DataFrame, fail_on: Sequence[str]) -> list[str]:
    """A sentence for each card whose verdict is not accepted.

    Parameters
    ----------
    cards
        :func:`table`.
    fail_on
        The verdicts that the config names.
    """
    return [
        f"benchmark '{row.benchmark}': the verdict is {row.verdict} ({row.reason}), "
        "which own.fail_on names"
        for row in cards[cards["verdict"].isin(list(fail_on))].itertuples()
    ]
