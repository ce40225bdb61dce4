"""When published benchmarks are used up, among the facts that the dashboard gives of each."""

from collections.abc import Mapping

import pandas as pd

from saturation.forecast.names import ALIASES, USED_UP
from saturation.forecast.outlook import said

TITLE = f"{100 * USED_UP:.0f} % of the range used up"


def added(
    facts: Mapping[str, Mapping[str, str]], reach: pd.DataFrame | None
) -> dict[str, dict[str, str]]:
    """The facts with a forecast for each benchmark that has one.

    Parameters
    ----------
    facts
        Of :func:`saturation.dashboard.rows.facts`.
    reach
        Of :func:`saturation.forecast.outlook.outlook`; None where the study was not run.
    """
    found = {} if reach is None else _by_benchmark(reach)
    return {
        name: {**own, **({TITLE: found[ALIASES[name]]} if ALIASES.get(name) in found else {})}
        for name, own in facts.items()
    }


def _by_benchmark(reach: pd.DataFrame) -> dict[str, str]:
    return {
        row["benchmark"]: (
            f"by {row['origin']}"
            if row["reached_already"]
            else f"{said(row, pd.Timestamp(row['origin']))}, forecast of {row['origin']}"
        )
        for row in reach[reach["threshold"] == USED_UP].to_dict("records")
    }
