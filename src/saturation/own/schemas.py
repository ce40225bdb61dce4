"""Schemas of a benchmark's tidy tables and of all cards: what needs pandera."""

from saturation.files import schema
from saturation.files.schema import Column
from saturation.index import DECISIONS
from saturation.leaderboard.verdict import REASONS, VERDICTS

CARDS = schema.table(
    {
        "benchmark": schema.text(),
        "verdict": schema.words_column(VERDICTS),
        "reason": schema.words_column(list(REASONS)),
        "first_and_kth": schema.words_column(DECISIONS, optional=True),
        "s_index": schema.proportion(optional=True),
        "observed_on": schema.text(),
        "n_models": schema.whole(),
        "n_items": schema.number(1, optional=True),
        "tied_at_top": schema.number(1, optional=True),
        "synthetic": schema.flag(),
        "stale": schema.text(optional=True),
    }
)


def _label() -> Column:
    """Text that may be empty: an empty cell is the empty text."""
    return Column(str, coerce=True, default="", description="a name, or nothing")


def _added(column: Column) -> Column:
    """Mark a column that a table may lack as a whole."""
    column.required = False
    return column


SCORES = schema.table(
    {
        "benchmark": schema.text(),
        "model": schema.text(),
        "metric": schema.text(),
        "run": _label(),
        "configuration": _label(),
        "date": schema.text(optional=True),
        "score": schema.number(),
        "standard_error": schema.number(0, optional=True),
        "n_items": schema.number(1, optional=True),
        "n_source": _added(schema.text(optional=True)),
        "synthetic": schema.flag(),
    },
    may_be_empty=True,
)

RESPONSES = schema.table(
    {
        "benchmark": schema.text(),
        "model": schema.text(),
        "item": schema.text(),
        "cluster": _label(),
        "run": _label(),
        "configuration": _label(),
        "date": _added(_label()),
        "response": schema.proportion(),
        "choice": _added(_label()),
        "synthetic": schema.flag(),
    },
    may_be_empty=True,
)


TEXT = Column(str).dtype
