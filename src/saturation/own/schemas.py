"""Schema of the table of all cards."""

from saturation.board.verdict import REASONS, VERDICTS
from saturation.files import columns

CARDS = columns.table(
    {
        "benchmark": columns.text(),
        "verdict": columns.one_of(VERDICTS),
        "reason": columns.one_of(list(REASONS)),
        "p_saturated": columns.proportion(optional=True),
        "s_index": columns.proportion(optional=True),
        "observed_on": columns.text(),
        "n_models": columns.whole(),
        "n_items": columns.number(1, optional=True),
        "tied_at_top": columns.number(1, optional=True),
        "synthetic": columns.flag(),
        # Why an earlier card stands.
        "stale": columns.text(optional=True),
    }
)
