"""Where the dashboard's numbers come from and of which date they are, in one table."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd

from saturation.dashboard import links


class Origin(NamedTuple):
    """Where one kind of number comes from.

    Parameters
    ----------
    what
        The numbers.
    dated
        Of which date they are.
    tables
        Copies of the tables that hold them, beside the pages.
    sources
        Names of the pinned sources behind them, or words.
    """

    what: str
    dated: str
    tables: list[links.Link]
    sources: list[links.Link]


# What is shown: the kind of number, the tables with their columns of dates, the sources.
_KINDS = (
    ("plateau", "Published scores, S, its interval and P(saturated)",
     ("benchmarks", "top_scores", "index", "intervals"), None, "plateau_annotations"),
    ("discriminability", "BDI month by month", ("monthly",), ("monthly", "month"),
     "open_llm_v1; open_llm_v2"),
    ("boards", "Ranks, ties and verdicts of real boards",
     ("overview", "models", "course", "remarks"), ("models", "released"),
     "board_livebench; board_epoch_runs; board_epoch_models; the files nlu_* and board_mmlu_pro_*"),
    ("forecast", "When the range is used up", ("reach",), ("reach", "origin"),
     "history_epoch_eci and others of Epoch AI's hub"),
    ("ledger", "Claims, evidence and verdicts", ("ledger", "evidence"), None,
     "each piece of evidence names its own"),
)  # fmt: skip


def origins(
    tables: Mapping[str, pd.DataFrame], observed_on: str, cards: Sequence[Mapping[str, Any]]
) -> list[Origin]:
    """One row a kind of number that the dashboard shows.

    Parameters
    ----------
    tables
        The dashboard's tables by name.
    observed_on
        ISO date at which the published scores were taken.
    cards
        The user's cards.
    """
    found = []
    for study, what, shown, dates, sources in _KINDS:
        there = [name for name in shown if name in tables]
        if not there:
            continue
        given = {"plateau": observed_on, "ledger": "the papers' texts"}
        dated = _dated(tables, dates) or given.get(study, "not known")
        copies = [links.Link(f"{name}.csv", f"data/{copy(name)}.csv") for name in there]
        listed = [
            links.Link(name, f"sources.html#{name}" if " " not in name else None)
            for name in sources.split("; ")
        ]
        found.append(Origin(what, dated, copies, listed))
    return found + [_card(card) for card in cards]


def copy(name: str) -> str:
    """The name of the copy of one of the dashboard's tables, told apart from those of studies."""
    return f"shown_{name}"


def _dated(tables: Mapping[str, pd.DataFrame], dates: tuple[str, str] | None) -> str:
    """From the first to the last date of a column, or nothing."""
    if dates is None:
        return ""
    name, column = dates
    known = tables[name][column].dropna().astype(str) if name in tables else pd.Series(dtype=str)
    if known.empty:
        return ""
    first, last = known.min(), known.max()
    kind = "models released " if column == "released" else ""
    return f"{kind}{first}" if first == last else f"{kind}{first} to {last}"


def _card(card: Mapping[str, Any]) -> Origin:
    return Origin(
        f"Your own benchmark {card['benchmark']}",
        str(card["observed_on"]),
        [],
        [links.Link("your own files, named on its card")],
    )
