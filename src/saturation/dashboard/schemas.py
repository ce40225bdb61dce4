"""The columns that the dashboard takes from the studies' tables; the others are their makers'."""

from saturation.boards.schemas import BY_INPUT_NAME as BOARDS
from saturation.dashboard.rows import PROBABILITY
from saturation.files import columns
from saturation.files.schema import Column, Schema
from saturation.forecast.schemas import REACH
from saturation.index import BINS


def _taken(taken: dict[str, Column], *, may_be_empty: bool = False) -> Schema:
    """A table with these columns and any others."""
    return Schema(taken, metadata={"may_be_empty": may_be_empty})


BENCHMARKS = _taken(
    {
        "benchmark_id": columns.text(unique=True),
        "name": columns.text(),
        "months_at_observation": columns.number(),
        "released": columns.text(),
        "citations": columns.number(0, optional=True),
        **{
            name: columns.text(optional=True)
            for name in (
                "availability",
                "languages",
                "output_format",
                "input_format",
                "metrics",
                "flags",
                "score_sources",
            )
        },
    }
)
TOP_SCORES = _taken(
    {
        "benchmark_id": columns.text(),
        "model": columns.text(optional=True),
        "score": columns.proportion(),
    }
)
INDEX = _taken(
    {
        "benchmark_id": columns.text(unique=True),
        "n_test": columns.whole(1),
        "s_1": columns.proportion(),
        "s_k": columns.proportion(),
        "s_index": columns.proportion(),
        "bin": columns.one_of(BINS),
    }
)
INTERVALS = _taken(
    {
        "benchmark_id": columns.text(unique=True),
        "s_lower": columns.proportion(),
        "s_upper": columns.proportion(),
        **dict.fromkeys(PROBABILITY, columns.proportion()),
    }
)
MONTHLY = _taken(
    {
        "leaderboard": columns.text(),
        "benchmark": columns.text(),
        "month": columns.text(),
        "n_models": columns.whole(1),
        "n_submitters": columns.whole(1),
        "bdi_submitters": columns.number(0, 1, optional=True),
        "bdi_submitters_lower": columns.number(0, 1, optional=True),
        "bdi_submitters_upper": columns.number(0, 1, optional=True),
        "reason": columns.text(optional=True),
    },
    may_be_empty=True,
)
LEDGER = _taken(
    {
        "claim_id": columns.text(unique=True),
        "paper": columns.text(),
        "places": columns.text(),
        "statement": columns.text(),
        "quotation": columns.text(optional=True),
        # Numbers, or words where a conclusion is claimed.
        "published": Column(nullable=True),
        "computed": Column(nullable=True),
        "verdict": columns.text(),
        "grade": columns.text(),
    },
    may_be_empty=True,
)
EVIDENCE = _taken(
    {
        "evidence_id": columns.text(unique=True),
        "claim_id": columns.text(),
        **{name: columns.text() for name in ("study", "role", "data", "method", "outcome")},
        **{
            name: columns.text(optional=True)
            for name in (
                *("quantity", "rule", "computed", "remark", "note"),
                *("file", "cell", "source", "code"),
            )
        },
    },
    may_be_empty=True,
)
# Tables with a page of their own: what the evidence points to.
QUANTITIES = _taken({"quantity": columns.text(unique=True)}, may_be_empty=True)
CLAIMS = _taken({"claim_id": columns.text(unique=True)}, may_be_empty=True)
SOURCES = _taken(
    {name: columns.text(optional=True) for name in ("name", "url", "licence", "sha256", "what")}
)
BY_INPUT_NAME = {
    "benchmarks": BENCHMARKS,
    "top_scores": TOP_SCORES,
    "index": INDEX,
    "intervals": INTERVALS,
    "monthly": MONTHLY,
    "reach": REACH,
    **{name: BOARDS[name] for name in ("overview", "models", "course", "remarks")},
    "ledger": LEDGER,
    "evidence": EVIDENCE,
}
