"""The one error that bad input raises."""

from collections.abc import Sequence

MOST_REPORTED = 20


class InputError(ValueError):
    """Input that cannot be used, with every violation found.

    Parameters
    ----------
    violations
        One sentence each: where (file, row, column), which value, what is allowed, what to do.
    """

    def __init__(self, violations: str | Sequence[str]) -> None:
        self.violations = [violations] if isinstance(violations, str) else list(violations)
        super().__init__("\n".join(self.violations))


def shortened(violations: list[str]) -> list[str]:
    """The first of many violations, and how many more there are."""
    if len(violations) <= MOST_REPORTED:
        return violations
    more = len(violations) - MOST_REPORTED
    return [*violations[:MOST_REPORTED], f"and {more} more violations"]
