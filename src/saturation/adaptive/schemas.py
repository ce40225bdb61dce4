"""Schemas of the adaptive study's tables."""

from saturation.files.schema import (
    Check,
    Column,
    Schema,
    number,
    proportion,
    table,
    text,
    whole,
)

# What users hand in.

LONG_RESPONSES = table(
    {
        "respondent": text(),
        "item": text(),
        "correct": Column(
            float,
            Check.isin([0, 1]),
            nullable=True,
            coerce=True,
            description="0 (wrong), 1 (right) or an empty cell (not observed)",
        ),
    }
)

RESPONDENTS = table(
    {
        "respondent": text(unique=True),
        "model": text(),
        "family": text(),
        "checkpoint": Column(
            int, Check.ge(1), coerce=True, description="place in training order: 1, 2, ..."
        ),
    }
)

# What other jobs read.

# One column an item, whose cells `responses.build_from_wide` checks.
WIDE_RESPONSES = Schema({"respondent": text(unique=True)}, strict=False)

ANSWERED = table({**RESPONDENTS.columns, "accuracy": proportion()})

ITEM_PARAMETERS = table(
    {"item": text(unique=True), "discrimination": number(), "difficulty": number()}
)

# Of a live session that balances content.
CATEGORISED_ITEMS = table({**ITEM_PARAMETERS.columns, "category": text()})

LEADERBOARD_ABILITIES = table({"model": text(unique=True), "ability": number()})

QUALITY = table(
    {
        "method": text(),
        "n_items": whole(),
        "measure": text(),
        "value": number(optional=True),
        "lower": number(optional=True),
        "upper": number(optional=True),
        "n_models": whole(1),
        "draws": whole(1),
    },
    may_be_empty=True,
)
