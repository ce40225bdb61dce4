"""The robustness paper's design (Table A.1): its factors, their levels, its configurations."""

import math
from collections.abc import Mapping, Sequence

import pandas as pd

# Questions that the paper asks of each dataset (appendix A.1).
PAPER_EXAMPLES = 100
# Level at which the paper calls the effect of a factor significant.
SIGNIFICANT = 0.05


def levels(table: pd.DataFrame) -> dict[str, list[str]]:
    """Levels of each factor, in the order of the table (columns `factor`, `level`)."""
    return {
        str(factor): list(rows["level"]) for factor, rows in table.groupby("factor", sort=False)
    }


def n_levels(design: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Number of levels of each factor."""
    return {factor: len(names) for factor, names in design.items()}


def n_configurations(design: Mapping[str, Sequence[str]]) -> int:
    """Number of combinations of the levels."""
    return math.prod(n_levels(design).values())


def slug(name: str) -> str:
    """Name as part of an identifier: lower case, everything else an underscore."""
    return "".join(letter if letter.isalnum() else "_" for letter in name.lower())
