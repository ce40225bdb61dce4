"""How well a fit recovers the truth of a synthetic bank."""

import numpy as np
import pandas as pd
from scipy import stats

from saturation.irt import Fit, Floats

_QUANTILE = float(stats.norm.ppf(0.975))


def recovery(fit: Fit, ability: Floats, discrimination: Floats, difficulty: Floats) -> pd.DataFrame:
    """Correlation, RMSE and coverage of the 95 % intervals for each kind of parameter.

    Discrimination is compared in logs, where its error is symmetric. The truth must be on the
    fit's scale: abilities with mean 0 and standard deviation 1.
    """
    compared = {
        "ability": (ability, fit.ability, fit.ability_se),
        "log_discrimination": (
            np.log(discrimination),
            np.log(fit.discrimination),
            fit.discrimination_se / fit.discrimination,
        ),
        "difficulty": (difficulty, fit.difficulty, fit.difficulty_se),
    }
    rows = []
    for name, (truth, estimate, se) in compared.items():
        error = estimate - truth
        rows.append(
            {
                "parameter": name,
                "n": len(truth),
                "correlation": float(np.corrcoef(truth, estimate)[0, 1]),
                "rmse": float(np.sqrt(np.mean(error**2))),
                "mean_se": float(np.mean(se)),
                "coverage_95": float(np.mean(np.abs(error) <= _QUANTILE * se)),
            }
        )
    return pd.DataFrame(rows)
