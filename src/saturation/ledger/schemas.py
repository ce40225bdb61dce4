"""Schemas of claims, of the evidence on them, and of the quantities that the evidence rests on."""

from collections.abc import Callable

import pandas as pd

from saturation.files import columns
from saturation.files.schema import Check, Column, Schema
from saturation.ledger.names import VERDICTS

KINDS = ("number", "conclusion")
SENSES = ("descriptive", "inferential")
DATA = ("released data", "released output", "printed tables", "other data", "none")
METHODS = ("released code", "stated in the paper", "usual practice", "ours", "none")
ROLES = ("natural", "reading", "replication")
# One place is enough to find a cell; a sentence is quoted.
CELL = r"^(Table|Tables|Figure) "


def _cell(pattern: str, what: str, *, unique: bool = False) -> Column:
    """Text of one form, unlike :func:`columns.text`, which allows any."""
    return Column(
        str,
        Check.str_matches(pattern),
        unique=unique,
        coerce=True,
        description=what,
    )


def _rows(holds: Callable[[pd.DataFrame], pd.Series], error: str) -> Check:
    """A condition that every row has to meet."""
    return Check(holds, error=error)


def _given(frame: pd.DataFrame, *names: str) -> pd.Series:
    """Whether all these cells of a row are filled."""
    return frame[list(names)].notna().all(axis=1)


CLAIMS = Schema(
    {
        "claim_id": _cell(r"^[a-z]+_\d{3}$", "a unique name such as plateau_001", unique=True),
        "version": columns.text(),
        "places": columns.text(),
        "kind": columns.one_of(KINDS),
        "sense": columns.one_of(SENSES),
        "statement": columns.text(),
        "quotation": columns.text(optional=True),
        "published": columns.text(optional=True),
        "decimals": columns.number(optional=True),
        "note": columns.text(optional=True),
    },
    checks=[
        _rows(
            lambda frame: (frame["kind"] != "number") | _given(frame, "published", "decimals"),
            "a number needs published and decimals",
        ),
        _rows(
            lambda frame: frame["quotation"].notna() | frame["places"].str.match(CELL),
            "a claim that is no cell of a table or figure needs its quotation",
        ),
    ],
    strict=True,
)

EVIDENCE = Schema(
    {
        "evidence_id": _cell(
            r"^[a-z]+_\d{3}[a-z]$", "its claim with a letter, such as plateau_001a", unique=True
        ),
        "claim_id": columns.text(),
        "study": columns.text(),
        "role": columns.one_of(ROLES),
        "data": columns.one_of(DATA),
        "method": columns.one_of(METHODS),
        "quantity": columns.text(optional=True),
        "scale": columns.number(optional=True),
        "rule": columns.text(optional=True),
        "against": columns.text(optional=True),
        "fails_to_reject": columns.one_of(["yes"], optional=True),
        "threshold": columns.number(optional=True),
        "threshold_from": columns.number(optional=True),
        "threshold_to": columns.number(optional=True),
        "beside": columns.text(optional=True),
        "needs": columns.text(optional=True),
        "command": columns.text(optional=True),
        "note": columns.text(optional=True),
    },
    checks=[
        _rows(
            lambda frame: frame[["quantity", "rule", "needs", "command"]].notna().any(axis=1),
            "evidence needs a quantity, a rule, or in needs or command what would decide the claim",
        ),
        _rows(
            lambda frame: frame["quantity"].isna() | frame["rule"].isna(),
            "evidence has a quantity or a rule, not both",
        ),
        _rows(
            lambda frame: (
                frame[["quantity", "rule"]].isna().all(axis=1) | (frame["data"] != "none")
            ),
            "what is computed is computed from data",
        ),
        _rows(
            lambda frame: frame["against"].isna() | frame["rule"].notna(),
            "what speaks against a claim stands beside a rule",
        ),
        _rows(
            lambda frame: (
                frame["threshold"].isna() | _given(frame, "threshold_from", "threshold_to", "rule")
            ),
            "a threshold needs a rule, and in threshold_from and threshold_to a range",
        ),
        _rows(
            lambda frame: frame["evidence_id"].str[:-1] == frame["claim_id"],
            "evidence_id is its claim_id with a letter",
        ),
    ],
    strict=True,
)

QUANTITIES = Schema(
    {
        "quantity": _cell(r"^[a-z][a-z0-9_]*$", "lower-case letters, digits and underscores"),
        "value": columns.number(optional=True),
        "lower": columns.number(optional=True),
        "upper": columns.number(optional=True),
        "note": columns.text(optional=True),
        "made_by": columns.text(optional=True),
    },
    strict=True,
)

# The rule's own tables, as far as others read them.
LEDGER = Schema(
    {
        "claim_id": columns.text(unique=True),
        **{name: columns.text() for name in ("paper", "places", "statement", "grade")},
        "verdict": columns.one_of(VERDICTS),
        **{name: columns.text(optional=True) for name in ("quotation", "published", "computed")},
    },
    metadata={"may_be_empty": True},
)
JUDGED = Schema(
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
    metadata={"may_be_empty": True},
)
STUDIES = columns.table({"study": columns.text(unique=True), "source": columns.text()})

SUMMARY = columns.table(
    {
        "paper": columns.text(),
        "sense": columns.text(),
        **{verdict: columns.whole() for verdict in VERDICTS},
        "claims": columns.whole(),
    }
)
GRADES = columns.table(
    {"grade": columns.text(unique=True), "verdict": columns.text(), "claims": columns.whole()}
)
