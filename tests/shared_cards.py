"""Whole cards of the tests of the dashboard: a real card with other numbers."""

import functools
import tempfile
from pathlib import Path

from saturation.own.cards import decode_card, encode_card
from saturation.own.imports import join_tables, load
from saturation.own.study import shipped_context, study

NO_HISTORY = {"abstains": "no dates"}


@functools.cache
def real_card():
    """The card of two models with the numbers of their items."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_text("model,score,n_items\na,0.9,150\nb,0.85,150\n", encoding="utf-8")
        given = {"family": "accuracy", "observed_on": "2026-01-31", "score_range": [0, 1]}
        return encode_card(
            study("bench", load([{"path": path}], given), given, shipped_context()).card
        )


def card_file(models, ties, index, months=None, **other):
    """The content of a card's file: these models, groups of ties, and index; months if given."""
    real = real_card()
    top = real["frontier"]
    model, tie = top["models"][0], top["ties"]["independent"]
    return {
        **real,
        "data": {**real["data"], **other.pop("data")},
        "frontier": {
            **top, "pairs": [], "index": {**top["index"], **index},
            "models": [{**model, **row} for row in models],
            "ties": {name: {**tie, "group": group} for name, group in ties.items()},
        },
        "history": NO_HISTORY if months is None else {
            "months": months, "bdi_change": {}, "trends": {}, "bdi_decline": 0.0,
            "retirement": {}, "projection": {},
        },
        **other,
    }  # fmt: skip


def typed_card(*parts, **other):
    """The same as the dashboard takes it."""
    return decode_card(card_file(*parts, **other))


def load_tables(benchmark, files, declared):
    """The tables of a benchmark's files."""
    return join_tables(benchmark, load(files, declared), declared)
