"""The two pinned Open LLM Leaderboard exports, from which the embedded tables are made."""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

from saturation.discriminability.bdi import submitters
from saturation.discriminability.names import BOARD, KEYS
from saturation.files import schema
from saturation.files.tables import NamedTables
from studies.discriminability.leaderboards import (
    DROPPED,
    Summary,
    combine,
    line_numbers,
    screen,
    summarise,
)

PERCENT = (0, 100)
NAMED = "Qwen2.5"  # section 7.3: the models whose variants it counts
FAMILIES = ["leaderboard", "evaluations", "families", "largest_family", "named"]
V1 = ("ARC", "HellaSwag", "MMLU", "TruthfulQA", "Winogrande", "GSM8K")
V2 = ("IFEval", "BBH", "MATH Lvl 5", "GPQA", "MUSR", "MMLU-PRO")
# The author's columns; scores there are points out of 100.
MONTHLY = [*KEYS, "n_models", "max_score", "bdi_entropy", "top10_gap"]
DIGITS = 12  # more than the author's sums carry


class Export(NamedTuple):
    """Layout of an export."""

    # Benchmark to its column of raw accuracies; the scores are in the column that has the
    # benchmark's own name.
    accuracies: Mapping[str, str]
    # model, date: columns of the model's name and of the submission date
    model: str
    date: str


EXPORTS = {
    "v1": Export({name: name for name in V1}, "Model", "date"),
    "v2": Export({name: f"{name} Raw" for name in V2}, "fullname", "Submission Date"),
}


def summarised(exports: NamedTables, files: Mapping[str, str]) -> tuple[Summary, pd.DataFrame]:
    """Monthly summary of the exports, and the rows that cannot be used.

    `summary`: Tables of :func:`studies.discriminability.leaderboards.summarise`. `dropped`:
    ``leaderboard, benchmark, month, row, model, date, score, reason``.
    """
    summaries, left_out = [], []
    for leaderboard, frame in exports.items():
        rows = open_llm(frame, EXPORTS[leaderboard])
        clean, bad = screen(rows, PERCENT, files[leaderboard])
        summaries.append(summarise(clean, leaderboard))
        left_out.append(bad.assign(leaderboard=leaderboard))
    return combine(summaries), pd.concat(left_out).reindex(columns=DROPPED)


def counted_families(exports: NamedTables) -> pd.DataFrame:
    """Families of models by the rule of the paper's released code (``review_fixes.py``).

    A family is the account and what stands before the first hyphen of the model's name. The rule
    sees all rows, those without a date too.

    One row a leaderboard: ``evaluations``, ``families``, ``largest_family`` (the most evaluations
    of one family) and ``named`` (evaluations whose model's name has `NAMED`).
    """
    rows = []
    for leaderboard, frame in exports.items():
        names = frame[EXPORTS[leaderboard].model]
        sizes = names.str.extract(r"^((?:[^/]*/)?[^-/]*)", expand=False).value_counts(dropna=False)
        has_base = names.str.contains(NAMED, case=False, regex=False, na=False)
        rows.append((leaderboard, len(frame), len(sizes), sizes.max(), has_base.sum()))
    return pd.DataFrame(rows, columns=FAMILIES)


def open_llm(frame: pd.DataFrame, export: Export) -> pd.DataFrame:
    """Long table of an Open LLM Leaderboard export.

    As :func:`studies.discriminability.leaderboards.numbered`, with ``variant`` (precision and
    commit: the leaderboards evaluated some models several times a day), ``family``, ``submitter``
    (a number in place of the account's name) and ``accuracy``.
    """
    base = pd.DataFrame(
        {
            "row": line_numbers(frame),
            "model": frame[export.model],
            "variant": frame["Precision"].astype(str) + " " + frame["Model sha"].astype(str),
            "family": _families(frame),
            "submitter": _numbered(submitters(frame[export.model])),
            "date": frame[export.date],
        }
    )
    parts = [
        base.assign(
            benchmark=name, score=frame[name], accuracy=frame[raw] * (1 if raw == name else 100)
        )
        for name, raw in export.accuracies.items()
    ]
    return pd.concat(parts, ignore_index=True)


def monthly_from_source(table: pd.DataFrame, file: str) -> pd.DataFrame:
    """Read the author's monthly table with the columns of the paper's numbers.

    Columns ``leaderboard, benchmark, month, n_models, max_score, bdi, top10_gap``; scores and gaps
    as proportions.
    """
    schema.require_columns(table, MONTHLY, file)
    selection = table[MONTHLY].rename(columns={"bdi_entropy": "bdi"})
    selection[["max_score", "top10_gap"]] /= 100
    numbers = ["max_score", "top10_gap", "bdi"]
    return selection.assign(**selection[numbers].map(_tidy))


def fits_from_source(released: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Read the author's fits by ``LEADERBOARD_BENCHMARK``, ceilings as proportions."""
    rows = []
    for name, fit in released.items():
        board, _, benchmark = name.partition("_")
        ceiling, r_squared = _tidy(fit["ceiling"] / 100), _tidy(fit["r_squared"])
        rows.append((board, benchmark, ceiling, r_squared))
    return pd.DataFrame(rows, columns=[*BOARD, "ceiling", "r_squared"])


def _numbered(names: pd.Series) -> pd.Series:
    """Assign numbers to names in their order: the statistics need identity alone."""
    codes = pd.Series(pd.factorize(names, sort=True)[0], names.index)
    return "s" + codes.astype(str).str.zfill(4)


def _families(frame: pd.DataFrame) -> pd.Series:
    """Return the base model if the export names a base model, else architecture and size."""
    if "Base Model" in frame:
        return frame["Base Model"].where(frame["Base Model"] != "Removed")
    size = frame["#Params (B)"].astype(str)
    return (frame["Architecture"] + " " + size + "B").where(frame["Architecture"] != "Unknown")


def _tidy(value: float) -> float:
    """Without the digits that are rounding error."""
    return float(f"{value:.{DIGITS}g}")
