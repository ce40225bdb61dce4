"""P-values of permutation and bootstrap tests."""

import numpy as np

from saturation.arrays import Floats

# Guards against calling a tie extreme because of rounding in the last bit.
TIE = 1e-10


def p_value(observed: float, null: Floats) -> float:
    """Share of draws at least as large as the observed statistic, which counts as a draw.

    Adding the observed statistic to its null keeps the test exact and the p-value above zero
    (Phipson and Smyth 2010). NaN where the observed statistic is not defined.
    """
    if not np.isfinite(observed):
        return np.nan
    return (1 + np.sum(null >= observed - TIE)) / (1 + len(null))
