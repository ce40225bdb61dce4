"""Name what a forecast is of, and print its chance."""

# Share of the way from chance to all right whose chance is forecast, and how many months ahead.
TARGET = 0.9
AHEAD = 12

# Forecasts of all days, in the table of the record.
ALL_ORIGINS = "all"
# No past forecast above this could be scored, so no larger number is printed.
HIGHEST = 0.5


def print_chance(chance: float) -> str:
    """Print a probability as a percentage, at most "over 50 %".

    Examples
    --------
    >>> print_chance(0.734)
    'over 50 %'
    >>> print_chance(0.25)
    '25 %'
    """
    return f"over {100 * HIGHEST:.0f} %" if chance > HIGHEST else f"{100 * chance:.0f} %"
