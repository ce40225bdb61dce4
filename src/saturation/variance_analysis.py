"""Analysis of variance of the scores on the configuration factors, type II and III.

The tests of the robustness paper (appendix C.3), and beside them a test that knows that the
same example is asked under every configuration.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

TYPES = {"II": 2, "III": 3}


def analyse(rows: pd.DataFrame, factors: Sequence[str]) -> pd.DataFrame:
    """Type II and III analysis of variance of one dataset's scores, main effects only.

    Parameters
    ----------
    rows
        One row a model, example and configuration: the factors, `score`, `example_id`.
    factors
        At least one column, each with two or more levels here.

    Returns
    -------
    pandas.DataFrame
        One row a type and term: `anova_type`, `factor` (type III also has `intercept`), `df`,
        `df_error`, `sum_sq`, `f`, `p`, `eta_sq` (of the sum of all rows' sums of squares, the
        error's too, and the intercept's in type III, as Tables C.1 and C.2), `partial_eta_sq`,
        `levels`, `n`, and the cluster-robust test `cluster_f`, `cluster_df_error`, `cluster_p`.

    Notes
    -----
    Contrasts sum to zero, without which type III means nothing. The cluster-robust Wald test
    takes all rows of an example, over configurations and models, as one cluster: the plain tests
    count them as independent.
    """
    names = {name: f"factor_{position}" for position, name in enumerate(factors)}
    data = rows[[*factors, "score"]].rename(columns=names)
    data[list(names.values())] = data[list(names.values())].astype("str")
    formula = "score ~ " + " + ".join(f"C({name}, Sum)" for name in names.values())
    fit = smf.ols(formula, data).fit()
    clusters = rows["example_id"].astype("category").cat.codes.to_numpy()
    robust = _cluster_tests(fit, clusters)
    labels = {f"C({new}, Sum)": old for old, new in names.items()} | {"Intercept": "intercept"}
    tables = [_table(fit, kind, labels, robust) for kind in TYPES]
    levels = {name: rows[name].nunique() for name in factors}
    table = pd.concat(tables, ignore_index=True)
    table["levels"] = table["factor"].map(levels).astype("Int64")
    return table.assign(n=len(rows))


def _table(fit: Any, kind: str, labels: dict[str, str], robust: dict[str, dict]) -> pd.DataFrame:
    anova = anova_lm(fit, typ=TYPES[kind])
    total, error = anova["sum_sq"].sum(), anova.loc["Residual", "sum_sq"]
    records = [
        {
            "anova_type": kind,
            "factor": labels[term],
            "df": int(row["df"]),
            "df_error": int(fit.df_resid),
            "sum_sq": row["sum_sq"],
            "f": row["F"],
            "p": row["PR(>F)"],
            "eta_sq": row["sum_sq"] / total,
            "partial_eta_sq": row["sum_sq"] / (row["sum_sq"] + error),
            **robust[term],
        }
        for term, row in anova.drop(index="Residual").iterrows()
    ]
    return pd.DataFrame(records)


def _cluster_tests(fit: Any, clusters: np.ndarray) -> dict[str, dict]:
    """Wald F tests with the examples as clusters and their number less one as error df."""
    robust = fit.get_robustcov_results("cluster", groups=clusters, use_t=True)
    tests = robust.wald_test_terms(skip_single=False, scalar=True).table
    df = len(np.unique(clusters)) - 1
    return {
        term: {
            "cluster_f": float(row["statistic"]),
            "cluster_df_error": df,
            "cluster_p": float(row["pvalue"]),
        }
        for term, row in tests.iterrows()
    }
