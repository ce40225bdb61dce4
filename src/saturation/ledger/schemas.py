"""Schemas of the claims, the quantities that answer them, and the ledger that joins the two."""

import pandera.pandas as pa

_TEXT = {"nullable": True, "coerce": True}

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
        "published": pa.Column(str, **_TEXT, description="the printed digits, or empty"),
        "decimals": pa.Column(float, **_TEXT, description="printed decimals, or empty"),
        "scale": pa.Column(float, **_TEXT, description="printed unit over computed unit, or empty"),
        "quantity": pa.Column(str, **_TEXT, description="name of a quantity, or empty"),
        "rule": pa.Column(str, **_TEXT, description="expression over quantities, or empty"),
        "data_needed": pa.Column(str, **_TEXT, description="data not released, or empty"),
        "note": pa.Column(str, **_TEXT, description="remark, or empty"),
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
        "value": pa.Column(float, nullable=True, coerce=True, description="a number, or empty"),
        "lower": pa.Column(float, nullable=True, coerce=True, description="a number, or empty"),
        "upper": pa.Column(float, nullable=True, coerce=True, description="a number, or empty"),
        "note": pa.Column(str, **_TEXT, description="remark, or empty"),
    },
    strict=True,
)  # fmt: skip
