"""The ledger's part of the dashboard: each claim with its evidence, and the way to every number."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from saturation.dashboard import links
from saturation.dashboard.rows import records
from saturation.ledger.names import VERDICTS, paper

# What the ledger's keys are called where they are read.
STUDIES = {
    "plateau": "the plateau study",
    "regression": "the plateau study's regressions",
    "multiverse": "the multiverse",
    "discriminability": "the discriminability study",
    "author": "the author's own tables",
    "adaptive": "the adaptive study",
    "robustness": "the robustness study",
    "boards": "the study of real boards",
    "forecast": "the forecasts",
    "printed": "the paper's printed numbers",
}
ROLES = {
    "natural": "the natural reading",
    "reading": "another reading",
    "replication": "a replication on other data",
}
METHODS = {
    "released code": "the authors' released code",
    "stated in the paper": "as the paper states it",
    "usual practice": "usual practice",
    "ours": "ours",
}


def content(ledger: pd.DataFrame, evidence: pd.DataFrame, known: set[str]) -> dict[str, Any]:
    """The claims with the evidence on each, and how often each verdict occurs.

    Parameters
    ----------
    ledger, evidence
        Tables of the ledger's rule.
    known
        Names of the pinned sources.

    Returns
    -------
    dict
        ``claims`` (a list of rows with ``pieces`` and ``address``), ``verdicts`` (counts),
        ``papers`` (short name, title, authors, url, counts), in the ledger's order.
    """
    shown = ledger.assign(
        computed=_shortened(ledger["computed"]), published=_shortened(ledger["published"])
    )
    pieces: dict[str, list[dict[str, Any]]] = {}
    for row in records(evidence):
        pieces.setdefault(row["claim_id"], []).append(_piece(row, known))
    claims = [
        row
        | {
            "pieces": pieces.get(row["claim_id"], []),
            "address": links.claim(row["paper"], row["claim_id"]),
        }
        for row in records(shown)
    ]
    return {
        "claims": claims,
        "verdicts": _counts(ledger),
        "papers": [
            {
                "name": str(name),
                **paper(str(name))._asdict(),
                "verdicts": _counts(rows),
                "claims": len(rows),
            }
            for name, rows in ledger.groupby("paper", sort=False)
        ],
    }


def _counts(ledger: pd.DataFrame) -> dict[str, int]:
    """How many claims have each verdict that occurs."""
    return {name: n for name in VERDICTS if (n := int((ledger["verdict"] == name).sum()))}


def _piece(row: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """A piece of evidence in words, with the cells, lines of code and sources behind it."""
    return {
        **{name: row[name] for name in ("outcome", "computed", "remark", "note", "data")},
        "rule": row.get("rule"),
        "quantity": row.get("quantity"),
        "study": STUDIES.get(row["study"], row["study"]),
        "role": ROLES.get(row["role"], row["role"]),
        "method": METHODS.get(row["method"]),
        "cells": links.cells(row["file"], row["cell"]),
        "code": links.code(row["code"]),
        "sources": links.sources(row["source"], known),
    }


def _shortened(values: Iterable[Any]) -> list[str]:
    """Numbers with four digits; text as it is; nothing for what is missing."""
    return [_short(value) for value in values]


def _short(value: Any) -> str:
    if value is None or pd.isna(value):
        return ""
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return str(value)
