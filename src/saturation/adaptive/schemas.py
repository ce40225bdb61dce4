"""Schemas of tables of respondents and items."""

from saturation.files.schema import Check, Column, number, table, text

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

ITEM_PARAMETERS = table(
    {"item": text(unique=True), "discrimination": number(), "difficulty": number()}
)
