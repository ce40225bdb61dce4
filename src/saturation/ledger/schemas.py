"""Schemas of claims, of the evidence on them, and of the quantities that the evidence rests on."""

from typing import NamedTuple

from saturation.files import schema
from saturation.files.schema import Schema

# The verdicts, and the papers whose claims are judged, by the names that readers see.

REPRODUCED = "reproduced"
CONSISTENT = "consistent"
DIFFERS = "differs"
UNDETERMINED = "undetermined"
NOT_RUN_HERE = "not run here"
UNDECIDABLE = "undecidable"
VERDICTS = (REPRODUCED, CONSISTENT, DIFFERS, UNDETERMINED, NOT_RUN_HERE, UNDECIDABLE)


class Paper(NamedTuple):
    """A paper."""

    title: str
    authors: str  # as one cites them in a sentence
    url: str  # of it, or of what was released with it


PAPERS = {
    "plateau": Paper(
        "When AI Benchmarks Plateau", "Akhtar et al., 2026", "https://arxiv.org/abs/2602.16763"
    ),
    "discriminability": Paper(
        "Benchmark Saturation: Score Compression Across LLM Leaderboards",
        "Yagubyan, 2026",
        "https://github.com/Abelo9996/benchmark-saturation",
    ),
    "fluid": Paper(
        "Fluid Language Model Benchmarking",
        "Hofmann et al., 2025",
        "https://arxiv.org/abs/2509.11106",
    ),
    "robustness": Paper(
        "Robustness as an Emergent Property of Task Performance",
        "Ashury-Tahan et al., 2026",
        "https://arxiv.org/abs/2602.03344",
    ),
}


def paper(name: str) -> Paper:
    """Return a paper by its short name; an unlisted paper has that name alone."""
    return PAPERS.get(name, Paper(name, "", ""))


# The rule's own tables, as far as others read them.
LEDGER = Schema(
    {
        "claim_id": schema.text(unique=True),
        **{name: schema.text() for name in ("paper", "places", "statement", "grade")},
        "verdict": schema.words_column(VERDICTS),
        **{name: schema.text(optional=True) for name in ("quotation", "published", "computed")},
    },
    metadata={"may_be_empty": True},
)
# Numbers that are shown with the digits that were printed.
AS_TEXT = {"published": str, "computed": str}
JUDGED = Schema(
    {
        "evidence_id": schema.text(unique=True),
        "claim_id": schema.text(),
        **{name: schema.text() for name in ("study", "role", "data", "method", "outcome")},
        **{
            name: schema.text(optional=True)
            for name in (
                *("quantity", "rule", "computed", "remark", "note"),
                *("file", "cell", "source", "code"),
            )
        },
    },
    metadata={"may_be_empty": True},
)
