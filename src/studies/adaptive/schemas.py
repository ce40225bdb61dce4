"""Schemas of the adaptive study's tables."""

from saturation.adaptive.schemas import RESPONDENTS
from saturation.files.schema import Check, Column, Schema, proportion, table, text

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


# One column an item, whose cells `responses.build_from_wide` checks.
WIDE_RESPONSES = Schema({"respondent": text(unique=True)}, strict=False)


ANSWERED = table({**RESPONDENTS.columns, "accuracy": proportion()})
