"""Schemas of the claims, the quantities that answer them, and the ledger that joins the two."""

import pandera.pandas as pa


def _optional(kind: type, what: str) -> pa.Column:
    """A column whose cells may be empty."""
    return pa.Column(kind, nullable=True, coerce=True, description=f"{what}, or empty")


CLAIMS = pa.DataFrameSchema(
    {
        "claim_id": pa.Column(
            str, pa.Check.str_matches(r"^[a-z]+_\d{3}$"), unique=True,
            description="a unique name such as plateau_001",
        ),
        "location": pa.Column(str, description="where the paper prints it"),
        "kind": pa.Column(
            str, pa.Check.isin(["number", "conclusion"]), description="number or conclusion"
        ),
        "statement": pa.Column(str, description="what the paper says, in one sentence"),
        "published": _optional(str, "the printed digits"),
        "decimals": _optional(float, "printed decimals"),
        "scale": _optional(float, "printed unit over computed unit"),
        "quantity": _optional(str, "name of a quantity"),
        "rule": _optional(str, "expression over quantities"),
        "data_needed": _optional(str, "data not released"),
        "note": _optional(str, "remark"),
    },
    checks=[
        pa.Check(
            lambda frame: (frame["kind"] != "number")
            | frame["data_needed"].notna()
            | (frame["published"].notna() & frame["decimals"].notna() & frame["quantity"].notna()),
            error="a number needs published, decimals and quantity",
        ),
        pa.Check(
            lambda frame: (frame["kind"] != "conclusion")
            | frame["data_needed"].notna()
            | frame["rule"].notna(),
            error="a conclusion needs a rule",
        ),
    ],
    strict=True,
)  # fmt: skip

QUANTITIES = pa.DataFrameSchema(
    {
        "quantity": pa.Column(
            str, pa.Check.str_matches(r"^[a-z][a-z0-9_]*$"),
            description="lower-case letters, digits and underscores",
        ),
        "value": _optional(float, "a number"),
        "lower": _optional(float, "a number"),
        "upper": _optional(float, "a number"),
        "note": _optional(str, "remark"),
    },
    strict=True,
)  # fmt: skip
