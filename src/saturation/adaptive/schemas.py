"""Schemas of the adaptive study's tables."""

from saturation.files.schema import (
    Check,
    Column,
    Schema,
    flag,
    number,
    proportion,
    table,
    text,
    whole,
)


def _positive(optional: bool = False) -> Column:
    return Column(
        float, Check.gt(0), nullable=optional, coerce=True, description="a number above 0"
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

# Items with their standard errors, and what the responses say without the model.
ITEMS = table(
    {
        **ITEM_PARAMETERS.columns,
        "discrimination_se": _positive(),
        "difficulty_se": _positive(),
        "n": whole(1),
        "share_right": proportion(),
        "all_right": flag(),
        "all_wrong": flag(),
        "signed_slope": number(),
        "signed_slope_se": _positive(),
        "slope_z": number(optional=True),
        "suspicion_rank": number(1, optional=True),
    }
)

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

FRONTIER = table({"ability": number(), "information": number(0), "se": _positive()})
