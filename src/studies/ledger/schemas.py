"""Schemas of claims, of the evidence on them, and of the quantities that the evidence rests on."""

import pandas as pd

from saturation.files.schema import Check, Column, Schema, number, table, text, words_column

KINDS = ("number", "conclusion")


SENSES = ("descriptive", "inferential")


DATA = ("released data", "released output", "printed tables", "other data", "none")


METHODS = ("released code", "stated in the paper", "usual practice", "ours", "none")


ROLES = ("natural", "reading", "replication")


# One place is enough to find a cell; a sentence is quoted.
CELL = r"^(Table|Tables|Figure) "


def _cell(pattern: str, what: str, *, unique: bool = False) -> Column:
    """Check the form of a text."""
    check = Check.str_matches(pattern)
    return Column(str, check, unique=unique, coerce=True, description=what)


def _have(frame: pd.DataFrame, *names: str) -> pd.Series:
    """Check whether all these cells of a row are filled."""
    return frame[list(names)].notna().all(axis=1)


CLAIMS = Schema(
    {
        "claim_id": _cell(r"^[a-z]+_\d{3}$", "a unique name such as plateau_001", unique=True),
        "version": text(),
        "places": text(),
        "kind": words_column(KINDS),
        "sense": words_column(SENSES),
        "statement": text(),
        "quotation": text(optional=True),
        "published": text(optional=True),
        "decimals": number(optional=True),
        "note": text(optional=True),
        "cause": Column(str, nullable=True, required=False, coerce=True),
    },
    checks=[
        Check(
            lambda frame: (frame["kind"] != "number") | _have(frame, "published", "decimals"),
            error="a number needs published and decimals",
        ),
        Check(
            lambda frame: frame["quotation"].notna() | frame["places"].str.match(CELL),
            error="a claim that is no cell of a table or figure needs its quotation",
        ),
    ],
    strict=True,
)


EVIDENCE = Schema(
    {
        "evidence_id": _cell(
            r"^[a-z]+_\d{3}[a-z]$", "its claim with a letter, such as plateau_001a", unique=True
        ),
        "claim_id": text(),
        "study": text(),
        "role": words_column(ROLES),
        "data": words_column(DATA),
        "method": words_column(METHODS),
        "quantity": text(optional=True),
        "scale": number(optional=True),
        "rule": text(optional=True),
        "against": text(optional=True),
        "fails_to_reject": words_column(["yes"], optional=True),
        "threshold": number(optional=True),
        "threshold_from": number(optional=True),
        "threshold_to": number(optional=True),
        "beside": text(optional=True),
        "needs": text(optional=True),
        "command": text(optional=True),
        "note": text(optional=True),
    },
    checks=[
        Check(
            lambda frame: frame[["quantity", "rule", "needs", "command"]].notna().any(axis=1),
            error="evidence needs a quantity, a rule, or in needs or command what would decide it",
        ),
        Check(
            lambda frame: frame["quantity"].isna() | frame["rule"].isna(),
            error="evidence has a quantity or a rule, not both",
        ),
        Check(
            lambda frame: (
                frame[["quantity", "rule"]].isna().all(axis=1) | (frame["data"] != "none")
            ),
            error="what is computed is computed from data",
        ),
        Check(
            lambda frame: frame["against"].isna() | frame["rule"].notna(),
            error="against goes with a rule",
        ),
        Check(
            lambda frame: (
                frame["threshold"].isna() | _have(frame, "threshold_from", "threshold_to", "rule")
            ),
            error="a threshold needs a rule, and in threshold_from and threshold_to a range",
        ),
        Check(
            lambda frame: frame["evidence_id"].str[:-1] == frame["claim_id"],
            error="evidence_id is its claim_id with a letter",
        ),
    ],
    strict=True,
)


QUANTITIES = Schema(
    {
        "quantity": _cell(r"^[a-z][a-z0-9_]*$", "lower-case letters, digits and underscores"),
        "value": number(optional=True),
        "lower": number(optional=True),
        "upper": number(optional=True),
        "note": text(optional=True),
        "made_by": text(optional=True),
    },
    strict=True,
)


STUDIES = table({"study": text(unique=True), "source": text()})
