"""Whether a printed score can be a share of the printed number of items."""

import math

# Scores are read from text: what is beyond this many decimals is arithmetic.
MOST_DECIMALS = 8


def possible(score: float, n: int) -> bool | None:
    """Whether some number of right answers to n items rounds to a score.

    A score that cannot has another number of items, is a mean over runs, or is no share right.

    Parameters
    ----------
    score
        Per cent, with the decimals that it is printed with.
    n
        Number of items, at least 1.

    Returns
    -------
    bool or None
        None where the decimals are too few to tell: then every score is some share of n.
    """
    decimals = len(f"{score:.{MOST_DECIMALS}f}".rstrip("0").partition(".")[2])
    step = 10.0**-decimals
    if 100 / n <= step:
        return None
    right = score * n / 100
    nearest = (math.floor(right), math.ceil(right))
    return any(abs(100 * count / n - score) <= step / 2 + 10.0**-MOST_DECIMALS for count in nearest)
