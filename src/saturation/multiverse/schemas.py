"""Schemas of the tables that the multiverse's stages hand on."""

from saturation.files.columns import flag, number, one_of, proportion, table, text, whole
from saturation.multiverse.conclusions import ADJUSTMENTS
from saturation.multiverse.names import ERROR_MODELS, TESTS, TITLES

_CORRELATION = number(-1, 1)
P_VALUES = ("p_median", "p_significant", "p_mean_z")
"""The joint tests: of the median effect, the share of significant ones, and the mean z."""

SPECIFICATIONS = table(
    {
        "conclusion": one_of(tuple(TITLES)),
        "grouping": text(),
        "adjustment": one_of(tuple(ADJUSTMENTS)),
        "age": text(),
        "excluded": text(),
        "test": one_of(TESTS),
        "k": whole(2),
        "alpha": proportion(),
        "error_model": one_of(ERROR_MODELS),
        "outcome": text(),
        "reference": flag(),
        "possible": whole(1),
    }
)
"""One row a specification."""

EVALUATED = SPECIFICATIONS.add_columns({"effect": _CORRELATION, "z": number()})
"""Specifications with their observed effect and z."""

CURVE = EVALUATED.add_columns(
    {
        "p_value": proportion(),
        "agrees": flag(),
        "rank": whole(1),
        "null_lower": _CORRELATION,
        "null_upper": _CORRELATION,
    }
)
"""Specifications ordered by effect, with the band that chance gives."""

JOINT = table(
    {
        "conclusion": one_of(tuple(TITLES)),
        "statement": text(),
        "expected": one_of(("none", "positive", "negative", "higher")),
        "specifications": whole(1),
        "possible": whole(1),
        **{name: proportion() for name in ("agreement", "agreement_lower", "agreement_upper")},
        **dict.fromkeys(("median_effect", "effect_lower", "effect_upper"), _CORRELATION),
        "share_significant": proportion(),
        "mean_z": number(),
        **{name: proportion() for name in P_VALUES},
        **{f"{name}_holm": proportion() for name in P_VALUES},
    }
)
"""One row a conclusion: agreement with the paper and the joint tests."""
